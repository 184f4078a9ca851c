"""The real image, built from the real Dockerfile and run as GitHub's runner runs it."""
