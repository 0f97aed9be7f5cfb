"""From messages to what a director sees, as pure functions over frozen values.

The console's database is replayed through `fold` at every start, so what the wall shows can always be
recomputed. Must never read a clock, a file or a socket, and never drop a fact because it came late or twice.
"""
