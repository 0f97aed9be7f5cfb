"""The metal: a simulated microcontroller, simulated pins, the copper between, and what goes wrong there.

Must never know whose cards they are.
"""
