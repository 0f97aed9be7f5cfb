"""How a table is let into a venue, once: the words it and the venue say, and the command at the table."""
