"""The queries of the database, one module per subject."""
