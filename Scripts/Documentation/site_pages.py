"""Makes one site of the archives of the modules, and finds dead links in it."""

import json
import os
import re
import shutil


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, separators=(",", ":"))


def arrange(site, name):
    """Gives a merged archive the page with that name as its first page, and a side bar in the order of its topics.

    Returns the modules that no topic of the first page lists.
    """
    # The merged archive has a list of the modules as its first page. Replace it with the page that was written.
    data, name = os.path.join(site, "data"), name.lower()
    made = read_json(os.path.join(data, "documentation.json"))
    written = read_json(os.path.join(data, "documentation", name + ".json"))
    written["identifier"]["url"] = made["identifier"]["url"]
    write_json(os.path.join(data, "documentation.json"), written)
    os.remove(os.path.join(data, "documentation", name + ".json"))
    shutil.rmtree(os.path.join(site, "documentation", name))
    unlisted = sort_navigation(os.path.join(site, "index/index.json"), written, "/documentation/" + name)
    # Timelines in the articles are 100 columns wide.
    (style,) = (name for name in os.listdir(os.path.join(site, "css")) if re.fullmatch(r"index\.\w+\.css", name))
    with open(os.path.join(site, "css", style), "a", encoding="utf-8") as sheet:
        sheet.write("\n.code-listing pre > code { font-size: 13px !important }\n")
    with open(os.path.join(site, "index.html"), "w", encoding="utf-8") as page:
        page.write(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Asynchronous patterns</title>'
            '<meta http-equiv="refresh" content="0; url=documentation/">'
            '<a href="documentation/">Asynchronous patterns</a></html>\n')
    return unlisted


def sort_navigation(path, page, own_path):
    """Gives the modules in the side bar the order and the headings that they have in the topics of the first page.

    Returns the names of the modules that no topic lists.
    """
    index = read_json(path)
    top = index["interfaceLanguages"]["swift"][0]
    top["title"] = page["metadata"]["title"]
    modules = {node["path"]: node for node in top["children"] if node["path"] != own_path}
    top["children"] = []
    for section in page["topicSections"]:
        urls = [page["references"][identifier]["url"] for identifier in section["identifiers"]]
        if nodes := [modules.pop(url) for url in urls if url in modules]:
            top["children"] += [{"title": section["title"], "type": "groupMarker"}, *nodes]
    write_json(path, index)
    return [node["title"] for node in modules.values()]


def pages_of(site):
    """By its path in the site: each page."""
    data = os.path.join(site, "data")
    for folder, _, files in os.walk(data):
        for name in files:
            if name.endswith(".json"):
                path = os.path.join(folder, name)
                yield "/" + os.path.relpath(path, data)[:-len(".json")], read_json(path)


def every(value):
    """Each object inside a page."""
    if isinstance(value, dict):
        yield value
        value = value.values()
    elif not isinstance(value, list):
        return
    for part in value:
        yield from every(part)


def dead_links(site):
    """The links in the site that lead to no page, heading or picture."""
    pages = dict(pages_of(site))
    anchors = {path: {each["anchor"] for each in every(page) if "anchor" in each} for path, page in pages.items()}
    for path, page in pages.items():
        for reference in page.get("references", {}).values():
            kind = reference.get("type")
            for picture in reference.get("variants", []) if kind in ("image", "video") else []:
                if not os.path.exists(os.path.join(site, picture["url"].lstrip("/"))):
                    yield f"{path}: there is no picture {picture['url']}"
            if "url" not in reference or re.match(r"(https|mailto):", reference["url"]):
                continue
            target, _, anchor = reference["url"].partition("#")
            if target.lower() not in pages:
                yield f"{path}: there is no page {reference['url']}"
            elif anchor and anchor not in anchors[target.lower()]:
                yield f"{path}: the page {target} has no heading {anchor}"
