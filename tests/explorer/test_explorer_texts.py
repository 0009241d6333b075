#!/usr/bin/env python3
"""Tests the texts of the explorer: every language has the same keys with the same placeholders, every key is used, every used key exists. It needs no
browser, so the files are `export default {` JSON `};`."""
import json
import os
import pathlib
import re

from building import Failure, expect

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "analysis", "explorer")
LANGUAGES = ("en", "es", "ca")
KEY = r"[\w-]+(?:\.[\w,=-]+)+"


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def texts_of(language):
    whole = re.fullmatch(r"export default (\{.*\});\n", read(f"texts/{language}.js"), re.DOTALL)
    expect(whole, f"texts/{language}.js is not `export default {{ … }};`")

    def once(pairs):
        twice = {key for key, _ in pairs if [name for name, _ in pairs].count(key) > 1}
        expect(not twice, f"texts/{language}.js has twice", twice)
        return dict(pairs)
    own = [re.search(r"^const TEXTS = (\{.*?^\});", source, re.DOTALL | re.MULTILINE) for _, source in sorted(sources().items())]
    texts = json.loads(whole.group(1), object_pairs_hook=once)
    for found in filter(None, own):
        added = json.loads(found.group(1), object_pairs_hook=once)
        expect(set(added) == set(LANGUAGES) and not set(added[language]) & set(texts), "texts of a board:", list(added))
        texts.update(added[language])
    return texts


def read_said(language):
    return json.loads(re.fullmatch(r"export default (\{.*\});\n", read(f"texts/said_{language}.js"), re.DOTALL).group(1))


def files():
    return [prefix + name for prefix in ("", "boards/", "games/", "play/", "static/", "texts/", "train/") for name in os.listdir(os.path.join(FOLDER, prefix))]


def sources():
    names = [name for name in files() if re.search(r"\.(js|html)$", name) and not name.startswith("texts/")]
    return {name: read(name) for name in names}


def used_keys():
    """Keys in quotes, in attributes, and in comments `// texts: …`; of plurals both forms."""
    used, plurals = set(), set()
    for source in sources().values():
        source = re.sub(r"^const TEXTS = (\{.*?^\});", "", source, flags=re.DOTALL | re.MULTILINE)
        used.update(re.findall(rf"""["'`]({KEY})["'`]""", source))
        for listed in re.findall(r"// texts: (.*)", source):
            used.update(listed.split())
        plurals.update(key for call in re.findall(r"plural\(([^;]*?)\)", source) for key in re.findall(rf'"({KEY})"', call))
    return used, plurals


def placeholders(text):
    return sorted(set(re.findall(r"\{(\w+)\}", text)))


def same_keys_in_all_languages():
    english = texts_of("en")
    for language in LANGUAGES[1:]:
        other = texts_of(language)
        expect(list(other) == list(english), language, "differs in", sorted(set(other) ^ set(english)) or "the order")


def same_things_put_in():
    english = texts_of("en")
    for language in LANGUAGES:
        for key, text in texts_of(language).items():
            expect(placeholders(text) == placeholders(english.get(key, "")), language, key, placeholders(text))
            expect(text.strip() == text and text != "", language, key, "is empty or has spaces around it")


def every_key_is_used_and_there():
    keys = set(texts_of("en"))
    used, plurals = used_keys()
    forms = {f"{key}.{form}" for key in plurals for form in ("one", "other")}
    unused = keys - used - forms
    expect(not unused, "no file uses", sorted(unused))
    parts = {key.split(".")[0] for key in keys}
    missing = {key for key in used - plurals if key.split(".")[0] in parts} - {os.path.basename(name) for name in files()} - keys
    expect(not missing, "there is no text", sorted(missing))
    expect(forms <= keys, "a plural lacks a form:", sorted(forms - keys))


def languages_are_not_each_other():
    """A text left in English would be the same in all; few may be (names of games, a lone symbol)."""
    english = texts_of("en")
    for language in LANGUAGES[1:]:
        same = [key for key, text in texts_of(language).items() if text == english[key] and re.search(r"[a-z]{3} ?[a-z]*", text)
                and not key.startswith(("game.", "rules."))]
        expect(len(same) <= len(english) // 20, language, "has as many English texts as", same)


def code_of(format_):
    """As told_code of base/told.h."""
    words = re.sub(r"%[-+ #0-9.*hlz]*[a-zA-Z%]", "\0", format_).encode("ascii", "ignore").decode()
    code = re.sub(r"[^a-zA-Z0-9]+", "-", words).strip("-").lower()
    return code if len(code) < 63 else code[:62].rpartition("-")[0]


def formats_of(pattern, call):
    """Formats of the calls in the sources, by code."""
    found = {}
    root = pathlib.Path(FOLDER, "..", "..")
    for path in sorted(root.glob(pattern)):
        source = re.sub(r'" PRI[a-z]\d+ "', "llu", path.read_text("utf-8"))
        for literal in re.findall(call + r'((?:"(?:[^"\\]|\\.)*"\s*)+)', source):
            format_ = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)).replace('\\"', '"')
            found.setdefault(code_of(format_), set()).add(format_)
    return found


def sentences_of_the_server_are_in_all_languages():
    """What is wrong with a position, a move or a record has a text in every language, by the code of its format; no text is of none."""
    wrong = formats_of("games/*/text.c", r"(?:game_text_refuse|game_text_fail|tauler_fail)\(\s*(?:[^\",;()]+,\s*)+(?!\s*\"no memory)")
    wrong.update(formats_of("games/*/check.c", r"game_text_refuse\(\s*[^\",;()]+,\s*"))
    wrong.update(formats_of("games/*/notations.c", r"game_text_refuse\(\s*(?:[^\",;()]+,\s*)+"))
    wrong.update(formats_of("games/game_text.c", r"(?:game_text_refuse|tauler_fail)\(\s*(?:[^\",;()]+,\s*)+(?!\s*\"no memory)"))
    wrong.update(formats_of("games/morris/morris.c", r"refuse_text\((?:[^\",;()]+,\s*)+"))
    wrong.update(formats_of("analysis/records/read_*.c", r"(?:record_fail|fail_at_place|fail_word)\((?:[^\",;()]+,\s*)+"))
    expect(len(wrong) > 100, "only", len(wrong), "sentences")
    said = {language: read_said(language) for language in LANGUAGES[1:]}
    keys = {language: set(texts) for language, texts in said.items()}
    expect(keys["es"] == keys["ca"], "one language has", keys["es"] ^ keys["ca"])
    missing = {code for code in wrong if code and f"said.{code}" not in keys["es"]}
    expect(not missing, "no text of", missing)
    sentences = {code for pattern in ("games/*.c", "games/*/*.c", "lines/*.c", "analysis/*/*.c")
                 for code in formats_of(pattern, "")}
    stale = {key for key in keys["es"] if not key.startswith(("said.word.", "said.place", "said.line", "said.of_word"))} - {f"said.{code}" for code in sentences}
    expect(not stale, "texts of no sentence:", stale)
    for key in keys["es"]:
        expect(placeholders(said["es"][key]) == placeholders(said["ca"][key]), "not the same put in:", key)
    for code, formats in wrong.items():
        # A conversion with a width of its own is one parameter.
        most = max(len(re.findall(r"%[-+ #0-9.*hlz]*[a-zA-Z]", format_)) for format_ in formats)
        asked = [int(name) for name in placeholders(said["es"].get(f"said.{code}", "")) if name.isdigit()]
        expect(not asked or max(asked) <= most, code, "has only", most, "parameters")


def languages_of_files_are_those_of_the_page():
    there = {name[6:8] for name in files() if re.fullmatch(r"texts/..\.js", name)}
    offered = set(re.findall(r'<option value="(\w\w)"', read("index.html")))
    expect(there == offered == set(LANGUAGES), there, offered)


def nothing_from_elsewhere_and_nothing_inline():
    """No file has a part that the content security policy refuses or that needs a network."""
    for name, source in {**sources(), **{name: read(name) for name in files() if name.endswith(".css")}}.items():
        elsewhere = [address for address in re.findall(r"(?:https?:)?//[\w-]+\.[\w./-]+", source) if address != "http://www.w3.org/2000/svg"]
        expect(not elsewhere, name, "refers to", elsewhere)
        found = re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(\"style\"|@import|\bstyle=|<style|\bon\w+=\"", source)
        expect(not found, name, "has", found)
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", read("index.html"), re.DOTALL)
    expect(all(script.strip() == "" for script in scripts), "a script within the page")


def main():
    failed = False
    for case in (same_keys_in_all_languages, same_things_put_in, every_key_is_used_and_there, languages_are_not_each_other,
                 sentences_of_the_server_are_in_all_languages, languages_of_files_are_those_of_the_page, nothing_from_elsewhere_and_nothing_inline):
        try:
            case()
            print(f"PASS: {case.__name__}")
        except (Failure, ValueError) as reason:
            failed = True
            print(f"FAIL: {case.__name__}: {reason}")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
