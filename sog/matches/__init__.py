"""Games between players of all kinds: our searches, engines behind UCI and GTP, and how they score."""
