"""What is read and written, one module per subject."""
