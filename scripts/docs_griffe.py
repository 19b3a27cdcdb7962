"""The Python reference as people say it: arrays are arrays, and examples are examples."""

import re

import griffe


def plain(annotation):
    """Annotated[NDArray[float64], ...] without what only machines want to know."""
    if isinstance(annotation, griffe.ExprSubscript) and str(annotation.left).endswith("Annotated"):
        return annotation.slice.elements[0]
    return annotation


class Plain(griffe.Extension):
    def on_attribute_instance(self, *, attr, **_):
        attr.annotation = plain(attr.annotation)

    def on_function_instance(self, *, func, **_):
        func.returns = plain(func.returns)
        for parameter in func.parameters:
            parameter.annotation = plain(parameter.annotation)

    def on_instance(self, *, obj, **_):
        if obj.docstring:  # the section is called so, however many there are
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)
