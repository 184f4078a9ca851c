"""Tests of the Action against a real HTTP peer."""
