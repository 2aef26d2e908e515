"""Every compiled loop, and nothing else."""
