"""Small records of our own making, for the demonstration and the tests. Deals, calls and play of nobody."""
