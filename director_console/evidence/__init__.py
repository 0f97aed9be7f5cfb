"""Evidence: a case or a table as a file that speaks for itself, and can be checked by whoever is handed it.

Must never change a report: what may not be shown is left out whole and said to be, with its hash.
"""
