"""Speed and memory of Clearband beside the tools that do the same work, measured in one run; see README.md."""
