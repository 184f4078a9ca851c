"""Numbers to text: the comment, the summary, the terminal; every escape and rounding rule."""
