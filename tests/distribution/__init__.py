"""What is around the program: locks, distributions, set-up, image recipe and workflows."""
