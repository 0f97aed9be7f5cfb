"""What goes wrong with regulations: always bad data, always one sentence with file, key and what to write."""

from __future__ import annotations


class RegulationsError(ValueError):
    """A profile or supplement that may not be used. The message is one sentence for its writer."""
