"""What all tests share."""

import signal

# A test run started in the background inherits "ignore Ctrl-C", and tests that press it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
