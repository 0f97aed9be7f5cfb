"""Scenarios: what happens at a table told so that a director can read it, and what must come of it.

A `.scn` file is played by two runners, the core alone and the whole system through simulated hardware, and
judged by the same expectations. Must never judge by itself: it compares what the table reports with what the
file says.
"""
