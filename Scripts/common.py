"""The common functions of the scripts in Python; imported, not run."""

import argparse
import os
import pty
import re
import select
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def say(text):
    """Reports progress on standard error; standard output is for the result of a script."""
    print("==> " + text, file=sys.stderr, flush=True)


def fail(text, code=2):
    """Ends the script: with 2 because it was called wrongly, or cannot work here."""
    print(f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr)
    sys.exit(code)


def tree():
    """All files that are committed or may be, as paths from the root."""
    if os.path.exists(os.path.join(ROOT, ".git")):
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode()
        # A deleted file is listed until its deletion is committed.
        return {path for path in listed.split("\0") if path and os.path.exists(os.path.join(ROOT, path))}
    result = set()
    for place, folders, names in os.walk(ROOT):
        folders[:] = [folder for folder in folders if not folder.startswith(".build")]
        result |= {os.path.relpath(os.path.join(place, name), ROOT) for name in names}
    return result


def build(*options):
    """Builds the program, and returns its path."""
    built = subprocess.run(
        [os.path.join(ROOT, "Scripts/build"), *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if built.returncode != 0:
        fail(f"the build failed, with exit code {built.returncode}; see above", 1)
    return built.stdout.strip()


def environment(folder):
    """The settings with which a program keeps all its files in a folder. Makes their folders, and “work” to start in."""
    names = ["home", "cache", "state", "config", "data", "temporary", "work"]
    paths = {name: os.path.join(folder, name) for name in names}
    for path in paths.values():
        os.makedirs(path, mode=0o700, exist_ok=True)
    return {
        "HOME": paths["home"], "XDG_CACHE_HOME": paths["cache"], "XDG_STATE_HOME": paths["state"],
        "XDG_CONFIG_HOME": paths["config"], "XDG_DATA_HOME": paths["data"], "TMPDIR": paths["temporary"],
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "TERM": "xterm-256color", "PAGER": "cat",
        "EDITOR": "true",
    }


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(self, command, folder, settings):
        """Starts the program in a folder. `code` is its exit code after its end, negative for a signal."""
        self.code = None
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            try:
                os.chdir(folder)
                os.execve(command[0], command, settings)
            finally:
                os._exit(127)

    def read(self, seconds):
        """What the program shows next; nothing if it shows nothing in this time; None if it closed the terminal."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self.descriptor, 1 << 16) or None
        except OSError:
            return None

    def write(self, data):
        """Types some bytes. Returns how many were taken; None if the program closed the terminal."""
        try:
            return os.write(self.descriptor, data)
        except OSError:
            return None

    def has_ended(self):
        if self.code is None:
            ended, status = os.waitpid(self.process, os.WNOHANG)
            if ended:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def close(self):
        """Kills the program if it has not ended, and waits for its end."""
        if not self.has_ended():
            os.kill(self.process, signal.SIGKILL)
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        os.close(self.descriptor)


# What an option may be; for `argparse`.

def number_of(text):
    if not re.fullmatch(r"\d+", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"“{text}” is not a number")
    return int(text)


def count_of(text):
    if not re.fullmatch(r"0*[1-9]\d*", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"“{text}” is not a number above zero")
    return int(text)


def program_of(text):
    if not os.path.isfile(text) or not os.access(text, os.X_OK):
        raise argparse.ArgumentTypeError(f"“{text}” is not a program")
    return os.path.abspath(text)


def one_of(kind, names):
    """A function that checks that a text is one of the names."""
    def check(text):
        if text not in names:
            raise argparse.ArgumentTypeError(f"there is no {kind} “{text}”")
        return text

    return check
