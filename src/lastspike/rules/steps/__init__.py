"""What a turn is made of: laying, raising money, payouts, buying, bankruptcy."""
