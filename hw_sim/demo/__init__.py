"""The demonstration: simulated tables with real controllers, a broker and the console, all at once."""
