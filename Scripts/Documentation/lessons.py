"""Makes the pages of the lessons for the site: each part of a script with what it prints below it."""

import os
import re
import subprocess

MARK = "\x1e"  # The record separator of ASCII: no lesson prints it.
WIDTH = 90


def script_of(root, name):
    """The path of the script of a page, from the root; None if there is none."""
    for path in (f"Scripts/Lessons/{name}.play", f"Scripts/{name}.play"):
        if os.path.exists(os.path.join(root, path)):
            return path
    return None


def number_of(root, script):
    """The number of a lesson at the prompt; None for a script outside the folder of the lessons."""
    folder, name = os.path.split(script)
    if not folder.endswith("/Lessons"):
        return None
    return 1 + sorted(each for each in os.listdir(os.path.join(root, folder)) if each.endswith(".play")).index(name)


def parts(script):
    """The parts of a script, which empty lines outside of brackets separate: a comment, then commands."""
    part, depth = [], 0
    for line in script.splitlines():
        if line.startswith("#!"):
            continue
        if not line.strip() and depth == 0:
            if part:
                yield part
            part = []
            continue
        part.append(line)
        code = re.sub(r'"(\\.|[^"\\])*"', "", line).split("#")[0]
        depth += sum(code.count(each) for each in "{[(") - sum(code.count(each) for each in "}])")
    if part:
        yield part


def commands(part):
    return part[prose_length(part):]


def prose_length(part):
    return next((index for index, line in enumerate(part) if not line.startswith("#")), len(part))


def prose(part):
    """The comment of a part, as Markdown."""
    text = " ".join(line.lstrip("# ").strip() for line in part[:prose_length(part)])
    text = re.sub(r"([*_<`\[\]])", r"\\\1", text)
    return re.sub(r"^(The (?:trap|fix|\w+ fault))([:.]) ", r"**\1\2** ", text)


def outputs(program, folder, script_parts):
    """What the program prints for each part of a script. Paths in the script start at its folder."""
    separator = f"!printf '\\{ord(MARK):03o}\\n'"
    script = "\n".join("\n".join([*commands(part), separator]) for part in script_parts) + "\n"
    done = subprocess.run(
        [program, "--no-color", "--set", f"width={WIDTH}", "run", "-"], cwd=folder, input=script, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "LANG": "C.UTF-8"})
    printed = done.stdout.split(MARK + "\n")
    if done.returncode != 0 or len(printed) != len(script_parts) + 1:
        raise ValueError(f"the script ended with exit code {done.returncode}:\n{done.stdout[-2000:]}")
    return printed


def page(program, root, script, written):
    """A page: the introduction of the written page, and then the script with its outputs."""
    path = os.path.join(root, script)
    with open(path, encoding="utf-8") as file:
        script_parts = list(parts(file.read()))
    introduction = written.split("\n## The script\n")[0]
    if (number := number_of(root, script)) is not None:
        introduction = introduction.replace(f"{script}`.", f"{script}`, or with `lesson {number}` at the prompt.")
    text = [introduction, "\n## Step by step\n"]
    for part, output in zip(script_parts, outputs(program, os.path.dirname(path), script_parts)):
        if prose(part):
            text.append(f"\n{prose(part)}\n")
        if commands(part):
            text.append("\n```text\n" + "\n".join(commands(part)) + "\n```\n")
        if output.strip("\n"):
            text.append("\n```text\n" + output.strip("\n") + "\n```\n")
    return "".join(text)


def make_pages(program, root, folder):
    """Replaces the pages in a folder, and yields what is wrong."""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        script = script_of(root, name.removesuffix(".md"))
        if script is None:
            yield f"{name}: there is no script with this name in Scripts/Lessons"
            continue
        with open(path, encoding="utf-8") as file:
            written = file.read()
        try:
            made = page(program, root, script, written)
        except ValueError as error:
            yield f"{script}: {error}"
            continue
        with open(path, "w", encoding="utf-8") as file:
            file.write(made)
