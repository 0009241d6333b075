#!/usr/bin/python3
"""Checks the documents: links lead to a file and a heading, lines are short, sources say what they do, planted errors
fit the sources."""
import os
import pathlib
import re
import subprocess
import sys

import building
from building import expect, run_cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutants

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 120
SAYING = ["base", "indexers", "games", "parallel", "databases", "recover", "solver", "analysis", "cluster"]


def documents():
    found = [path for path in ROOT.rglob("*.md") if path.relative_to(ROOT).parts[0] not in ("build", ".git")]
    expect(len(found) > 15, "only", len(found), "documents")
    return found


def prose(text):
    """Without blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)


def anchors(text):
    """Headings as links name them."""
    headings = re.findall(r"^#+ +(.*)$", prose(text), flags=re.M)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def broken_links(path, text):
    """The preface is the beginning of the report, so its links are those of the report."""
    if path.name == "preface.md":
        path = ROOT / "docs" / "report.md"
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8"))):
            yield target


def links_lead_somewhere(_):
    planted = "[a](nowhere.md) [b](README.md#nowhere) [c](docs/proofs.md#own-row) [d](https://example.org)"
    found = list(broken_links(ROOT / "README.md", planted))
    expect(found == ["nowhere.md", "README.md#nowhere"], "of planted links these are broken:", found)
    broken = [f"{path.relative_to(ROOT)}: {link}" for path in documents()
              for link in broken_links(path, path.read_text("utf-8"))]
    expect(not broken, broken)


def lines_are_short(_):
    """The report is made by a program."""
    long = [f"{path.relative_to(ROOT)}: {line[:60]}" for path in documents() if path.name != "report.md"
            for line in prose(path.read_text("utf-8")).splitlines() if len(line) > MOST and not line.startswith("    ")]
    expect(not long, long)


def sources_say_what_they_do(_):
    paths = [path for folder in SAYING for path in (ROOT / folder).rglob("*.c")]
    paths.append(ROOT / "tauler.c")
    expect(len(paths) > 300, "only", len(paths), "sources")
    silent = [str(path.relative_to(ROOT)) for path in paths if not path.read_text("utf-8").startswith("/* ")]
    expect(not silent, silent)


def planted_errors_fit(_):
    planted = ["base/text.c:text_outward | s/up != .value < 0./up/ | test_base",
               "base/text.c:text_outwards | s/up/down/ | test_base",
               "base/text.c:text_outward | s/nothing// | test_base",
               "base/text.c:text_outward | s/up/down/ | test_nothing", "base/text.c | s/up/down/ | test_base"]
    stale = mutants.stale_lines([mutants.Mutant(number, line) for number, line in enumerate(planted, 1)])
    expect([line.split(":")[0] for line in stale] == ["line 2", "line 3", "line 4", "line 5"], stale)
    listed = mutants.read_list([])
    expect(len(listed) > 250, "only", len(listed), "planted errors")
    expect(not mutants.stale_lines(listed), mutants.stale_lines(listed))


def an_error_stays_in_its_function(_):
    source = """int first(int a);
enum { MOST = 3, LEAST = 1 };
static const int table[] = {
    1,
};
int first(int a) {
  return a + 1;
}

static int second(int a,
                  int b) {
  return a + 1;
}
#define THIRD(a) \\
  ((a) + 1)
"""
    bodies = {name: source[slice(*mutants.find_body(source, name))]
              for name in ("first", "second", "table", "THIRD", "MOST")}
    expect(bodies["first"] == "int first(int a) {\n  return a + 1;\n}\n", bodies)
    expect(bodies["second"].startswith("static int second") and bodies["second"].endswith("1;\n}\n"), bodies)
    expect(bodies["table"].endswith("1,\n};\n") and bodies["THIRD"].endswith("1)\n"), bodies)
    expect(bodies["MOST"] == "enum { MOST = 3, LEAST = 1 };\n", bodies)


def citation_is_valid(_):
    """The top has the keys that Citation File Format 1.2.0 requires and allows, and one version is everywhere."""
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    keys = re.findall(r"^([\w-]+):", text, flags=re.M)
    required = {"authors", "cff-version", "message", "title"}
    allowed = required | {"abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license",
                          "license-url", "preferred-citation", "references", "repository", "repository-artifact",
                          "repository-code", "type", "url", "version"}
    expect(required <= set(keys) <= allowed and len(keys) == len(set(keys)), keys)
    expect(not re.findall(r"^(?![\w-]+:( |$)|  +\S).*\n", text, flags=re.M), "lines that are no YAML of this kind")
    expect(re.search(r"^cff-version: 1\.2\.0$", text, flags=re.M), "another cff-version")
    expect(re.search(r"^type: software$", text, flags=re.M), "another type")
    expect(re.search(r"^authors:\n  - name: \S", text, flags=re.M), "no author")
    expect(re.search(r"^license: MIT$", text, flags=re.M), "another licence")
    version = re.search(r"^VERSION := (\S+)$", (ROOT / "Makefile").read_text("utf-8"), flags=re.M)[1]
    expect(re.search(rf"^version: {re.escape(version)}$", text, flags=re.M), "CITATION.cff has not version", version)
    changes = (ROOT / "debian" / "changelog").read_text("utf-8")
    expect(changes.startswith(f"tauler ({version}) "), "debian/changelog begins with another version than", version)


def rules_are_the_same_in_every_language(_):
    """Of each game three texts, of the same headings, lists and words of the program, and nothing that the page cannot
    show."""
    folder = ROOT / "docs" / "rules"
    games = sorted({path.name.split(".")[0] for path in folder.glob("*.en.md")})
    named = re.findall(r'^const game \w+ = {\s*\.name = "([\w-]+)"', "".join(path.read_text("utf-8") for path in ROOT.glob("games/*/*.c")), re.M)
    expect(set(games) == set(named), games, "are not", sorted(set(named)))
    expect(sorted(path.name for path in folder.iterdir()) == sorted(
        ["README.md", *(f"{game}.{language}.md" for game in games for language in ("ca", "en", "es"))]), "other files")
    for game in games:
        shapes = {}
        for language in ("en", "es", "ca"):
            text = (folder / f"{game}.{language}.md").read_text("utf-8")
            expect(not re.search(r"[*_<>|]|\[.*\]\(", text, flags=re.M), game, language, "has other Markdown")
            marks = re.findall(r"^(#+|-) ", text, flags=re.M)
            shapes[language] = (marks, sorted(set(re.findall(r"`([^`]+)`", text))))
        expect(shapes["en"] == shapes["es"] == shapes["ca"], game, shapes)


def typed(text):
    """Commands of a document and what it says comes out of each."""
    for block in re.findall(r"^```\n(\$ .*?)^```$", text, flags=re.S | re.M):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            here = re.match(r"[^\n]*<<'END'\n.*?^END\n", part, flags=re.S | re.M)
            command = here[0] if here else part.split("\n", 1)[0] + "\n"
            yield command, part[len(command):]


def what_the_tutorial_types_comes_out(folder):
    os.makedirs(os.path.join(folder, "bin"))
    os.symlink(os.path.abspath(building.TAULER), os.path.join(folder, "bin", "tauler"))
    path = os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]
    commands = list(typed((ROOT / "docs" / "tutorial.md").read_text("utf-8")))
    expect(len(commands) > 5, "only", len(commands), "commands")
    for command, wanted in commands:
        done = subprocess.run(["sh", "-c", command], cwd=folder, env={**building.environment(), "PATH": path}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        expect(done.returncode == 0, command, done.stderr)
        pattern = "".join("(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in wanted.splitlines())
        expect(re.fullmatch(pattern, done.stdout), command, "prints", done.stdout, "and not", wanted)


def first_screens_say_what_it_is(_):
    """README and page, in the words that people search for; README with a picture of the page, and who may want it."""
    top = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:40])
    page = (ROOT / "analysis" / "explorer" / "index.html").read_text("utf-8")
    about = (ROOT / "analysis" / "explorer" / "texts" / "en.js").read_text("utf-8").partition('"page.about"')[2].splitlines()[0]
    for words in top, page.partition("<body>")[0], about:
        for word in "oware", "tablebase", "jungle chess":
            expect(word in words, word, "is not in", words)
    picture = re.search(r"\((docs/page\.png)\)", top)
    expect(picture and (ROOT / picture[1]).stat().st_size < 150_000, "a picture of the page")
    places = [top.index(f"**For {who}**") for who in ("players", "researchers", "clusters")]
    expect(picture.start() < places[0] and places == sorted(places), "the picture, players, researchers, clusters")


def every_command_has_a_page(_):
    """What a command says about itself: a title with its name and purpose, paragraphs, examples that call it."""
    listed = set(re.findall(r"_\((\w+)\)", (ROOT / "tauler.c").read_text("utf-8").partition("#define COMMANDS(_)")[2]))
    pages = {path.stem: path.read_text("utf-8") for path in (ROOT / "docs" / "commands").glob("*.md")}
    expect(len(listed) > 15 and set(pages) == listed, "other pages than commands:", set(pages) ^ listed)
    for name, page in pages.items():
        title, _, rest = page.partition("\n")
        expect(re.fullmatch(rf"# tauler {name}: \S.*", title), name, "has the title", title)
        text, _, examples = rest.partition("\n## Examples\n\n")
        expect(not re.search(r"^(#|- | )", text, re.M), name, "has other Markdown than paragraphs")
        lines = examples.splitlines()
        expect(lines and all(line.startswith("    ") for line in lines), name, "has the examples", examples)
        expect(any(f"tauler {name}" in line for line in lines), name, "is in no example of it")
        shown = building.run(name, "--help").stdout
        expect(" ".join(text.split()) in " ".join(shown.split()), "the help of", name, "is not its page")


def one_word_for_values(_):
    """What a person reads names values by one word: help, the page, the Python module, what says how to use them."""
    def ask(*words):
        return building.run(*words).stdout
    commands = re.findall(r"^  ([a-z]+) ", ask("--help"), re.M)
    expect(len(commands) > 15, "commands:", commands)
    texts = {f"help of {command}": ask(command, "--help") for command in commands}
    texts.update({f"games {game}": ask("games", game) for game in re.findall(r"^([a-z][a-z-]+) ", ask("games"), re.M)})
    for pattern in ("README.md", "docs/commands.md", "docs/tutorial.md", "docs/rules/*.md", "analysis/explorer/texts/*.js",
                    "analysis/python/*.md", "analysis/serve/openapi.json", "analysis/python/tauler/*.py"):
        texts.update({str(path.relative_to(ROOT)): path.read_text("utf-8") for path in ROOT.glob(pattern)})
    expect(len(texts) > 40, "texts:", list(texts))
    # Structures of the library keep the name of their type.
    found = {name: re.findall(r"(?<![\w.\"])[Ww]orths?\b[^\n]*", text) for name, text in texts.items()}
    expect(not any(found.values()), "a second word for value:", {name: lines for name, lines in found.items() if lines})


if __name__ == "__main__":
    run_cases((links_lead_somewhere, lines_are_short, sources_say_what_they_do, planted_errors_fit,
               an_error_stays_in_its_function, citation_is_valid, rules_are_the_same_in_every_language,
               what_the_tutorial_types_comes_out, one_word_for_values,
               every_command_has_a_page, first_screens_say_what_it_is))
