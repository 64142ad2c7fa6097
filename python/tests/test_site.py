"""make docs: one site whose links lead somewhere."""

import html.parser
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support


class Links(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)


class Site(unittest.TestCase):
    def test_links(self):
        if not shutil.which("mkdocs") or not shutil.which("doxygen"):
            print("skipped: mkdocs or doxygen is not installed (tools/setup docs)")
            sys.exit(77)
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder, "site")
            done = subprocess.run([str(support.ROOT / "tools/make-docs"), str(site)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            pages = [p for p in site.rglob("*.html") if "headers" not in p.parts and p.name != "404.html"]
            self.assertGreater(len(pages), 40)
            for page in pages:
                reader = Links()
                reader.feed(page.read_text(encoding="utf-8"))
                for link in reader.links:
                    name = link.partition("#")[0].partition("?")[0]
                    if name and not name.startswith(("http:", "https:", "data:", "mailto:", "/")):
                        self.assertTrue((page.parent / name).exists(), f"{page.relative_to(site)}: {link}")
            self.assertTrue((site / "search/search_index.json").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
