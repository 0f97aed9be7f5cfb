"""The bench: one whole table on a page, played by hand or by itself, broken at will, and looked into.

The controller is the real one in a process of its own; what is shown of its inside comes from its own outputs
only: the rows it publishes, the wire, its commands' output. Must never open a back door into the core.
"""
