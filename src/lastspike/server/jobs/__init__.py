"""Work in other processes: computer players' turns, reviews and studies."""
