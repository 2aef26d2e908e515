"""What results are made of: selections, reasons, traces, tags, errors; imports nothing else of fewer."""
