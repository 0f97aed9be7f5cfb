"""`director-console user`: who may log in, and as what."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getpass
from pathlib import Path
from typing import Annotated

import typer

from director_console.data_dir import default_data
from director_console.refusing import refuse
from director_console.store import people
from director_console.store.book import Book, StoreError, has_journal, open_book
from director_console.store.people import PeopleError, Role

user_app = typer.Typer(help="Users of the console.", no_args_is_help=True, rich_markup_mode="rich")
Data = Annotated[Path, typer.Option(help="Directory of the console's journal.")]
DATA = default_data()


@contextmanager
def one_sentence() -> Iterator[None]:
    """Bad input is one sentence and exit code 2."""
    try:
        yield
    except (PeopleError, StoreError) as error:
        refuse(str(error))


@contextmanager
def book_in(data: Path, *, begin: bool = False) -> Iterator[Book]:
    """The journal, for one deed; bad input is one sentence and exit code 2. `begin`: it may be a new one.

    While it lasts a running console writes nothing: ask a person before.
    """
    with one_sentence():
        if not has_journal(data) and not begin:
            raise StoreError(
                f"{data}: no console journal is here, so nobody to look for; give the directory of "
                "`director-console run` with --data"
            )
        book = open_book(data)
        try:
            with book.deed():
                yield book
        finally:
            book.close()


def now() -> int:
    return time.time_ns() // 1_000_000


def ask_password(from_stdin: bool) -> str:
    """A password that may be one; what is wrong with it is one sentence and exit code 2."""
    with one_sentence():
        password = _piped() if from_stdin else _typed()
        people.check_password(password)
    return password


def _piped() -> str:
    if sys.stdin is None:
        raise PeopleError("standard input is closed; pipe the password in, or leave out --password-stdin")
    try:
        return sys.stdin.buffer.readline().decode("utf-8").rstrip("\n")
    except UnicodeDecodeError:
        raise PeopleError(people.NO_TEXT) from None


def _typed() -> str:
    try:
        first, again = getpass("Password: "), getpass("Again: ")
    except (EOFError, AttributeError):  # the latter: neither a terminal nor a standard input
        raise PeopleError("no password was typed; type it, or pipe it in with --password-stdin") from None
    if first != again:
        raise PeopleError("the two passwords differ; try again")
    return first


@user_app.command()
def add(
    name: str,
    role: Annotated[Role, typer.Option(help="observer, director or chief.")] = Role.DIRECTOR,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
    data: Data = DATA,
) -> None:
    """Add a user; asks for the password.

    Example: [bold]director-console user add anna --role chief[/bold]
    """
    secret = ask_password(password_stdin)
    with book_in(data, begin=True) as book:
        first = not people.users(book.db)
        people.add_user(book, name, role, secret, now(), "command line")
    print(f"{name} may log in as {role.value}")
    if first:
        print(f"the first user of the journal in {data}; the console must run with the same --data")


@user_app.command()
def disable(name: str, data: Data = DATA) -> None:
    """End every login of a user and let him in no more.

    Example: [bold]director-console user disable anna[/bold]
    """
    with book_in(data) as book:
        people.disable(book, name, now(), "command line")
    print(f"{name} may not log in any more")


@user_app.command()
def role(name: str, new_role: Role, data: Data = DATA) -> None:
    """Give a user another role; also lets a disabled one in again.

    Example: [bold]director-console user role anna chief[/bold]
    """
    with book_in(data) as book:
        people.set_role(book, name, new_role, now(), "command line")
    print(f"{name} is {new_role.value}")


@user_app.command()
def password(
    name: str,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
    data: Data = DATA,
) -> None:
    """Set a user's password; his logins end.

    Example: [bold]director-console user password anna[/bold]
    """
    secret = ask_password(password_stdin)
    with book_in(data) as book:
        people.set_password(book, name, secret, now(), "command line")
    print(f"{name} has a new password")


@user_app.command("list")
def list_(
    data: Data = DATA,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Show the users.

    Example: [bold]director-console user list --json[/bold]
    """
    with book_in(data) as book:
        for user in people.users(book.db):
            row = {"name": user.name, "role": user.role.value, "disabled": user.disabled}
            text = f"{user.name}  {user.role.value}{'  disabled' if user.disabled else ''}"
            print(json.dumps(row, ensure_ascii=False) if as_json else text)
