"""The one error that is the user's to mend; everything else is a defect and shows its traceback."""


class InputError(ValueError):
    """Illegal input: a sentence naming the offending value, fit to be shown without a traceback."""
