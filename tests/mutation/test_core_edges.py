"""Edges of the core that mutants showed to be unguarded: each test fails if its edge moves.

A mutant that survived and changed what a player, a director or the record would see has its test here.
"""
