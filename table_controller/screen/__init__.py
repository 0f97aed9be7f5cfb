"""The core: what the table believes, what it reports, and what it orders. Pure, and the heart of the product.

Read it in the order of its verbs. *Note*: `note` hands each event to the room that keeps its facts (`board`,
`tray`, `calls`, `columns`, `lead`, `window`, `people`, `director`, `holds`, `corrections`, `hardware`).
*Judge*: `judges` turn what happened into entries of the `book`, with their `course`. *Advance*: `due` says
which step of the procedure is next and `phase` moves. Then `desired` orders what is wanted and not yet
given. All of it in `table`. Must never know a clock, a file, a sensor or a wire.
"""
