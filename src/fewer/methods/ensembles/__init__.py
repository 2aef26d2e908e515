"""Selection by what models, many of them, say about features, with control of chance."""
