"""make docs: one site whose links lead somewhere."""

import html.parser
import re
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
                    self.assertFalse(re.match(r"(https?:)?//.*\.(js|css)\b", link), f"{page.name} needs the network: {link}")
                    name = link.partition("#")[0].partition("?")[0]
                    if name and not name.startswith(("http:", "https:", "data:", "mailto:", "/")):
                        self.assertTrue((page.parent / name).exists(), f"{page.relative_to(site)}: {link}")
            self.assertTrue((site / "search/search_index.json").exists())
            self.formulas(site, done.stderr)

    def formulas(self, site, said):
        """Rendered, all of them, with their style and fonts in the site."""
        if "formulas stay as they are written" in said:
            print("skipped: node or libjs-katex is not installed (tools/setup docs)")
            return
        text = (site / "theory/contact-problem.html").read_text(encoding="utf-8")
        self.assertGreater(text.count('class="katex"'), 30)
        self.assertIn('href="../katex/katex.min.css"', text)
        self.assertTrue(list((site / "katex/fonts").glob("KaTeX_Main-Regular.*")))
        for page in site.rglob("*.html"):
            if "headers" in page.parts:
                continue
            text = page.read_text(encoding="utf-8")
            plain = re.sub(r"<(code|pre|annotation)\b.*?</\1>", "", text, flags=re.S)
            for left in re.finditer(r".{0,60}(?:\$|FORMULA\d).{0,60}", plain):
                self.fail(f"{page.relative_to(site)}: a formula is not rendered: {left[0]}")
        self.assertNotIn("FORMULA0", (site / "search/search_index.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    if not shutil.which("mkdocs") or not shutil.which("doxygen"):
        print("skipped: mkdocs or doxygen is not installed (tools/setup docs)")
        sys.exit(77)
    unittest.main(verbosity=2)
