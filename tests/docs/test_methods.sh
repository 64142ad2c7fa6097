#!/bin/sh
# Every method that `tact solve --help` lists is in the tables of README and guide, there with its cones, and has a
# theory page; every theory page is in the list of pages.
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 0; }
cd "${TACT_SOURCE:?}" || exit 1
exec python3 - "${TACT_BUILD:?}/tact" <<'END'
import glob, os, re, subprocess, sys

text = subprocess.run([sys.argv[1], "solve", "--help"], capture_output=True, text=True, check=True).stdout
GUIDE = "docs/guide/solve.md"
methods, heading, name = [], None, None  # (name, heading of its table in the guide, cones or None)
for line in text.split("\n"):
    if line.startswith("methods for "):
        heading = {"methods for contact problems": "### Methods and cones", "methods for LCPs": "### Methods for LCPs"}[line]
    elif not line.startswith("  "):
        heading = None
    elif heading and re.match(r"  [a-z]", line):
        methods.append([line.split()[0], heading, None])
    elif heading and "takes the cones" in line:
        methods[-1][2] = ", ".join(line.split("takes the cones")[1].split(";")[0].split())

wrong = []


def rows(path, heading=None):
    """The rows of all tables of a document, or of those under a heading."""
    text = open(path, encoding="utf-8").read()
    if heading:
        text = re.split(r"\n##", text.partition(f"\n{heading}\n")[2])[0]
    return [line.split("|")[1:-1] for line in text.split("\n") if line.startswith("|")]


pages = rows("docs/theory/README.md")
for name, heading, cones in methods:
    if not any(f"`{name}`" in cell for row in rows("README.md") for cell in row):
        wrong.append(f"README.md: no table has the method `{name}`")
    row = next((row for row in rows(GUIDE, heading) if f"`{name}`" in row[0]), None)
    if row is None:
        wrong.append(f"{GUIDE}: the table of '{heading}' has no `{name}`")
    elif cones is not None and row[1].strip() != cones:
        wrong.append(f"{GUIDE}: `{name}` takes the cones {cones}; the table says {row[1].strip()}")
    listed = any("](" in row[0] and f"`{name}`" in row[1] for row in pages)
    if not listed and not os.path.exists(f"docs/theory/{name}.md"):
        wrong.append(f"docs/theory: `{name}` has no page {name}.md, and no page names it in the list of README.md")
for path in sorted(glob.glob("docs/theory/*.md")):
    page = os.path.basename(path)
    if page not in ("README.md", "bibliography.md", "errata.md") and not any(f"]({page})" in row[0] for row in pages):
        wrong.append(f"docs/theory/README.md: the list of pages has no {page}")

for line in wrong:
    print(line)
if len(methods) < 14:
    sys.exit(f"only {len(methods)} methods found in tact solve --help")
print(f"{len(methods)} methods")
sys.exit(1 if wrong else 0)
END
