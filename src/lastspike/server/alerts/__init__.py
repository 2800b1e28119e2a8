"""Turn alerts: when they are due, what they say, and sending them safely."""
