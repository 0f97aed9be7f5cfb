"""An evening of the journal told again to the core."""
