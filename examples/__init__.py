"""Short programs that use sog; each can be run by itself, and the tests run them all."""
