"""What is the user's to mend or to know; every other error is a defect and shows its traceback."""


class InputError(ValueError):
    """Illegal input: a sentence naming the offending value, fit to be shown without a traceback."""


class InputWarning(UserWarning):
    """Input that is used, with a doubt: a sentence fit to be shown alone."""
