"""What all tests share."""

import os
import signal

from hypothesis import HealthCheck, settings

# A test run started in the background inherits "ignore Ctrl-C", and tests that press it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A gate should not close by chance: there the same cases are tried every time, elsewhere new ones.
# A busy machine draws slowly, which says nothing of the code.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
if os.environ.get("CI"):
    settings.load_profile("ci")
