"""Readers of evaluation-result files: bytes in, a `Run` out, or an `UnusableResults` that says what to mend."""
