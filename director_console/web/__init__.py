"""The pages, thin: what they show is computed in `projection`, what they do is done by the desk.

Must never hold a fact of its own, and never let anything into a browser that its user may not see.
"""
