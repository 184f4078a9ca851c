"""The record of a comparison: canonical, pure, verifiable."""
