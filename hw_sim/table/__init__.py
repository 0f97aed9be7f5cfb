"""A table as it stands in the hall: tray, cards, window and buttons over time, and the wires they hang on.

Must never know what the controller makes of it.
"""
