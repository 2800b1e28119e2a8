"""The routes of alerts: webhooks, push, e-mail, choices, holidays."""
