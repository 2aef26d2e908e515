"""File formats: each module makes one family of files readable in chunks of rows."""
