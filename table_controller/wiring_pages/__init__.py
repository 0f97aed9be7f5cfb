"""The wiring pages: a pin table and a drawing of each ready-made table, written from its own configuration.

Must never say anything of a pin that is not in the configuration, the firmware or the header itself.
"""
