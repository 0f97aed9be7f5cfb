"""The console's own journal: one SQLite file, which at the venue is the truth.

Broker sessions and retained messages are caches; what is not committed here has not happened. Must never
answer for a report or an act before it is committed.
"""
