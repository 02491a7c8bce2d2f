"""The mistakes of the incidents, by name: --bug ignores-header is the class
IgnoresHeader of one of the modules. Each replaces a piece of Client."""
import re

import bugs_calls
import bugs_refusals
import bugs_streams
import bugs_waits

MODULES = (bugs_calls, bugs_refusals, bugs_streams, bugs_waits)


def spoil(kind, name):
    wanted = "".join(part.capitalize() for part in name.split("-"))
    for module in MODULES:
        bug = vars(module).get(wanted)
        if isinstance(bug, type):
            return type(wanted, (bug, kind), {})
    raise SystemExit(f"no bug {name}")


def names():
    """Every bug that names its incident; the others are parts of them."""
    for module in MODULES:
        for word, value in vars(module).items():
            if isinstance(value, type) and (
                    value.__module__ == module.__name__
                    and re.match("B[0-9]", value.__doc__ or "")):
                yield "".join("-" + c.lower() if c.isupper() else c
                              for c in word).lstrip("-")
