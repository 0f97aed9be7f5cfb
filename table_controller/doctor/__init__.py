"""Looking a table over: `table-controller doctor`. Finds, shows, tries; mends nothing."""
