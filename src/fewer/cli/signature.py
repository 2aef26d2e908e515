"""Commands whose options are known only when the words are read: those of a method or of a generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer
from rich.markup import escape

from fewer.cli.options import MethodOption


def assembled(body: Callable[..., None], options: Sequence[MethodOption] = (), panel: str = "") -> Callable[..., None]:
    """Return the function that typer reads as a command.

    A parameter of ``body`` whose type is a dataclass becomes one option per field; its parameter ``given`` becomes
    one option per item of ``options`` and receives a dictionary of those that were typed.

    Parameters
    ----------
    body : callable
        What the command does.
    options : list of MethodOption
        Options of the method or generator.
    panel : str
        Heading of these options in the help.
    """
    hints = get_type_hints(body, include_extras=True)
    groups: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for name, parameter in signature(body).parameters.items():
        if name == "given":
            parameters += [_parameter(option, panel) for option in options]
        elif is_dataclass(hints[name]):
            groups[name] = hints[name]
            parameters += _fields(hints[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY))

    def command(**values: Any) -> None:
        arguments: dict[str, Any] = {
            name: group(**{f.name: values.pop(f.name) for f in fields(group)}) for name, group in groups.items()
        }
        if "given" in hints:
            typed = {option.name: values.pop(_key(option)) for option in options}
            arguments["given"] = {name: value for name, value in typed.items() if value is not None}
        body(**arguments, **values)

    command.__doc__, command.__name__ = body.__doc__, body.__name__
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def _fields(group: Any) -> list[Parameter]:
    """Return one parameter per field of a dataclass."""
    hints = get_type_hints(group, include_extras=True)
    signed = signature(group).parameters
    return [signed[f.name].replace(annotation=hints[f.name], kind=Parameter.KEYWORD_ONLY) for f in fields(group)]


def _parameter(option: MethodOption, panel: str) -> Parameter:
    """Return the parameter for an option of a method; None says that it was not typed."""
    default = "" if option.required else f"\\[default: {escape(option.default_text)}]"
    text = " ".join(part for part in (escape(option.help), default) if part)
    info = typer.Option(
        *option.flags,
        help=text,
        metavar=None if option.is_switch else option.metavar,
        rich_help_panel=panel or None,
        show_default=False,
    )
    kind = bool if option.is_switch else str
    return Parameter(_key(option), Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, info])


def _key(option: MethodOption) -> str:
    # Kept apart from the command's own parameters.
    return f"method_{option.name}"
