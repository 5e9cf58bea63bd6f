"""The command line: `chunkfast --help` names the commands. Needs the extra `cli`; nothing else imports it."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line with `sys.argv`; exit code 0, 1 where an input was broken, 2 for wrong usage."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ImportError as error:
        sys.exit(f"chunkfast: the command line needs {error.name}: pip install 'chunkfast[cli]'")
    from chunkfast.cli.app import app

    app(prog_name="chunkfast")
