"""Where the examples of a run come from: generators in this process, or in processes of their own."""
