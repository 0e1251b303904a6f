"""Things addressed by a string: `name` or `name(key=value,…)`, values as Python literals or bare words."""

import ast
import re
from math import inf, nan
from typing import Any

from sog.core.errors import InputError

_SPEC = re.compile(r"\s*([A-Za-z][\w+\-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)
_WORDS = {"inf": inf, "nan": nan}


def parse_spec(text: str, kind: str) -> tuple[str, dict[str, Any]]:
    """Split a spec into its name and its arguments; `kind` says in errors what was being read.

    >>> parse_spec("goofspiel(cards=4,order=ascending)", "game")
    ('goofspiel', {'cards': 4, 'order': 'ascending'})
    >>> parse_spec("dcfr(beta=-inf)", "algorithm")
    ('dcfr', {'beta': -inf})
    """
    match = _SPEC.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        call = ast.parse(f"_({match[2] or ''})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        arguments = {_key(keyword): _literal(keyword.value) for keyword in call.keywords}
        if len(arguments) != len(call.keywords):
            raise ValueError
        return match[1], arguments
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise InputError(f"cannot read the {kind} {text!r}: write NAME or NAME(key=value,...)") from None


def format_spec(name: str, arguments: dict[str, Any]) -> str:
    """Write a spec the way `parse_spec` reads it.

    >>> format_spec("liars_dice", {"dice": 1, "faces": 6})
    'liars_dice(dice=1,faces=6)'
    """
    if not arguments:
        return name
    return f"{name}({','.join(f'{key}={value}' for key, value in arguments.items())})"


def split_list(text: str) -> list[str]:
    """Split at the commas that stand outside parentheses.

    >>> split_list("dcfr(alpha=1.5,beta=0),cfr+")
    ['dcfr(alpha=1.5,beta=0)', 'cfr+']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _key(keyword: ast.keyword) -> str:
    if keyword.arg is None:
        raise ValueError
    return keyword.arg


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return _WORDS.get(node.id, node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_literal(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):  # a-b is a word with a hyphen
        left, right = _literal(node.left), _literal(node.right)
        if isinstance(left, str) and isinstance(right, str):
            return f"{left}-{right}"
        raise ValueError
    return ast.literal_eval(node)
