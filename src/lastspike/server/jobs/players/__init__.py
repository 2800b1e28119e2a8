"""Computer players in processes of their own: questions to them, their queue, the pool."""
