"""Features of DNA, RNA, protein and other sequences."""
