"""Numbers only: paired differences, the bootstrap over questions, intervals and sizes."""
