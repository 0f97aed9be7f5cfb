"""What players and hardware do that they should not: each by name, with its moment, seeded.

Must never decide what is to be reported: a misdeed says what it is, the table says what it saw.
"""
