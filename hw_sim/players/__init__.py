"""Four players: what they are told, what they can see and do, and what they themselves write down of it.

Must never look at what a controller reports.
"""
