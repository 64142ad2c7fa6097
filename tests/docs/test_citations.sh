#!/bin/sh
# Every citation in documents, headers and comments resolves to docs/theory/bibliography.md, every erratum that is named
# to docs/theory/errata.md, and every reference of a theory page to an entry.
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 0; }
cd "${TACT_SOURCE:?}" || exit 1
exec python3 - <<'END'
import glob, re, sys

entries, forms = set(), []
for line in open("docs/theory/bibliography.md", encoding="utf-8"):
    row = re.match(r'\| <a id="(\w+)"></a>(\w+) \| (.*?) \| (.+) \|$', line)
    if row:
        if row[1] != row[2].lower():
            sys.exit(f"bibliography: the anchor of {row[2]} is {row[1]}")
        entries.add(row[1])
        forms += [row[2]] + ([row[3]] if row[3] else [])
errata = set(re.findall(r"^\| ([LAYDB]\d+) \|", open("docs/theory/errata.md", encoding="utf-8").read(), re.M))
wrong, cited, used = [], 0, set()

# Brackets in prose that are no citations: places of keys, options, intervals.
NOT_CITED = re.compile(r"\[(Unreleased|From C|In C|Errors|How)\]")


def resolve(where, text):
    """Parts of a citation are parted by semicolons; each begins with a form, or goes on about the one before."""
    global cited
    parts = [part.strip() for part in text.split(";")]
    for k, part in enumerate(parts):
        form = max((f for f in forms if re.match(re.escape(f) + r"(?![A-Za-z])", part)), key=len, default=None)
        if form:
            cited += 1
            used.add(form)
        elif k == 0:
            wrong.append(f"{where}: [{text}] is not in the bibliography")
        elif not re.match(r"eq|app|step|corrected|errata|figure|[A-Z]\d|\d|in ", part):
            wrong.append(f"{where}: '{part}' of [{text}] is not in the bibliography")


def comments(path):
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        at = line.find("//")
        if at >= 0:
            yield number, line[at:]


def prose(path):
    fenced = False
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        fenced ^= line.startswith("```")
        if not fenced:
            yield number, re.sub(r"`[^`]*`|\$[^$]*\$", " ", line)


sources = [p for d in ("include", "src", "bench", "cli", "view", "tests") for p in glob.glob(f"{d}/**/*.[ch]", recursive=True)
           if "node_modules" not in p]
documents = ["README.md", "CONTRIBUTING.md"] + glob.glob("docs/*.md") + glob.glob("docs/*/*.md")
for path in sources + documents:
    lines = comments(path) if path.endswith((".c", ".h")) else prose(path)
    for number, line in lines:
        for found in re.finditer(r"(?<![\w!\]])\[([A-Z][a-zé]+[^\]]*)\](?!\(|\[)", line):
            if not NOT_CITED.match(found[0]) and "](" not in line[found.start():found.end() + 2]:
                resolve(f"{path}:{number}", found[1])
        for words in re.findall(r"(?:corrected:|errat(?:um|a)) ((?:[LAYDB]\d+(?:-|–| to |, | and )?)+)", line):
            for code in re.findall(r"[LAYDB]\d+", words):
                if code not in errata:
                    wrong.append(f"{path}:{number}: there is no erratum {code}")

for path in glob.glob("docs/theory/*.md"):
    text = open(path, encoding="utf-8").read()
    for key in re.findall(r"bibliography\.md#(\w+)", text):
        if key not in entries:
            wrong.append(f"{path}: the bibliography has no {key}")
    head, _, references = text.partition("## References\n")
    items = [line for line in references.split("\n") if re.match(r"\d+\. |- ", line)]
    for item in items:
        if "bibliography.md#" not in item:
            wrong.append(f"{path}: '{item}' does not name an entry")
    numbered = sum(bool(re.match(r"\d+\. ", item)) for item in items)
    for number in re.findall(r"(?<![\w\]])\[(\d+)(?:[,;:][^\]]*)?\](?!\()", re.sub(r"`[^`]*`|\$[^$]*\$", " ", head)):
        if not 0 < int(number) <= max(numbered, 0) and numbered:
            wrong.append(f"{path}: [{number}] of {numbered} references")

for line in wrong:
    print(line)
if cited < 100 or len(entries) < 40 or len(errata) < 40:
    sys.exit(f"only {cited} citations, {len(entries)} entries, {len(errata)} errata found")
print(f"{cited} citations of {len(entries)} entries; {len(errata)} errata")
sys.exit(1 if wrong else 0)
END
