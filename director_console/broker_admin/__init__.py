"""A venue's access: authority, certificates, message keys, access list and enrolment codes.

`director-console broker ...` makes and keeps them in one directory; broker, console and public screen each
read a part of their own of it. Must never log a key, and never give one to anybody but its holder.
"""
