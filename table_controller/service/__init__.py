"""The running controller: one owner thread between the wires, the core, the journal and the broker."""
