"""A table's configuration: one TOML file, read strictly, refused in one sentence that names the place."""
