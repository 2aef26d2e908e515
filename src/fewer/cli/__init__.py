"""The command line: the whole path from a file to an explained selection."""
