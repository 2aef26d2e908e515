"""Cross-validation by sums: rows dealt to folds, summaries per fold, and models that follow from them."""
