"""What every command line of ours needs, and nothing of bridge: paths, streams, text that people give.

Leaves: a module here imports nothing of ours but its neighbours, so that all three programs may use it.
"""
