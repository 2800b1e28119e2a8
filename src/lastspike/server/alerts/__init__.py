"""Turn alerts: when they are due, their text, and sending them safely."""
