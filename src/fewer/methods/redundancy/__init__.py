"""Features that say again what others say."""
