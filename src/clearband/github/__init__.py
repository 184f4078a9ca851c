"""Everything specific to GitHub: events, the API, the comment, the runner's files."""
