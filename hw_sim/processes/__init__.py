"""Other programs as they are run and read by anybody: controllers, consoles, brokers, their journals.

Must never import what it runs.
"""
