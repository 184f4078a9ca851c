"""GitHub: the event, the API and the runner's files; the only place that knows them."""
