"""Terms of documents."""
