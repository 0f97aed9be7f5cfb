"""The messages described for others: AsyncAPI 3, JSON schemas, the topic table. Written, never read."""
