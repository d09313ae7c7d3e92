"""The invented sample town: its lots with their known answers, and its land."""
