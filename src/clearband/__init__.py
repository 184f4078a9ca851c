"""Did your change clear the noise band? Paired bootstrap over the questions of an evaluation."""

__version__ = "0.1.0"
