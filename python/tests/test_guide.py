"""Pages of the guide: their Python says what is printed, their commands end with status 0, their C compiles and runs,
their links lead somewhere."""

import doctest
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support

PAGES = ["index.md", "guide/start-python.md", "guide/start-c.md", "guide/concepts.md", "guide/which-method.md",
         "guide/coming-from.md", "guide/faq.md", "guide/performance.md"]
DOCS = support.ROOT / "docs"
BUILD = Path(os.environ["TACT_BUILD"])


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S)


def anchor(heading: str) -> str:
    """As GitHub and mkdocs make it of a heading."""
    text = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower())
    return text.replace(" ", "-")


class Guide(unittest.TestCase):
    def test_python(self):
        before = os.getcwd()
        os.chdir(support.ROOT)
        try:
            tried = 0
            for page in PAGES:
                text = "\n".join(blocks(page, "python"))
                test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
                result = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL * 0).run(test)
                self.assertEqual(result.failed, 0, page)
                tried += result.attempted
            self.assertGreater(tried, 30)
        finally:
            os.chdir(before)

    def test_commands(self):
        if not (BUILD / "tact").is_file():
            self.skipTest("built without the program")
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(BUILD / "tact", Path(folder, "tact"))
            environment = dict(os.environ, PATH=f"{folder}:/usr/bin:/bin")
            count = 0
            for page in PAGES:
                for line in "\n".join(blocks(page, "console")).splitlines():
                    if line.startswith("$ "):
                        done = subprocess.run(["sh", "-c", line[2:]], capture_output=True, text=True, cwd=support.ROOT, env=environment)
                        self.assertEqual(done.returncode, 0, f"{page}: {line}\n{done.stdout[-500:]}{done.stderr}")
                        count += 1
            self.assertGreater(count, 10)

    def test_c(self):
        if os.environ.get("TACT_SANITIZED"):
            self.skipTest("the library has sanitizers")
        for text in blocks("guide/start-c.md", "c"):
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "a.c").write_text(text)
                subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", f"-I{support.ROOT}/include", "a.c", "-o", "a",
                                f"-L{BUILD}", f"-Wl,-rpath,{BUILD}", "-ltact", "-lm"], cwd=folder, check=True)
                done = subprocess.run([f"{folder}/a"], capture_output=True, text=True, check=True)
                self.assertRegex(done.stdout, r"solved: 0\.1962 -0\.0981")

    def test_the_profile_of_the_methods_is_that_of_the_results(self):
        done = subprocess.run([sys.executable, support.ROOT / "tools/method-profile", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_first_hour(self):
        page, notebook = DOCS / "guide/first-hour.md", support.ROOT / "examples/notebooks/first_hour.ipynb"
        done = subprocess.run([sys.executable, support.ROOT / "tools/make-notebook", "--check", page, notebook], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        script = "\n".join(text for text in blocks("guide/first-hour.md", "python"))
        plot = script.index("import matplotlib")
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(support.ROOT / "examples", Path(folder, "examples"))
            try:
                import matplotlib  # noqa: F401
            except ImportError:
                print("skipped: the plot; Matplotlib is not installed (Debian: python3-matplotlib)")
                end = script.index("figure.savefig")
                script = script[:plot] + script[script.index("\n", end) :]
            done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, env=dict(os.environ, MPLBACKEND="Agg"))
            self.assertEqual(done.returncode, 0, done.stderr)
            carried, weight = re.search(r"all feet carry ([0-9.]+) N; the robot weighs ([0-9.]+) N", done.stdout).groups()
            self.assertAlmostEqual(float(carried), float(weight), delta=0.5)
            self.assertIn("proven: True", done.stdout)
            self.assertEqual(len(re.findall(r"floor \w\w_foot stick", done.stdout)), 4)

    def test_links(self):
        for path in sorted(DOCS.rglob("*.md")) + [support.ROOT / "README.md"]:
            text = re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
            text = re.sub(r"`[^`\n]*`", "", text)
            for link in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", link):
                    continue
                name, _, part = link.partition("#")
                target = (path.parent / name).resolve() if name else path
                self.assertTrue(target.exists(), f"{path}: {link}")
                if part and target.suffix == ".md":
                    there = target.read_text()
                    places = [anchor(h) for h in re.findall(r"^#+ +(.*)$", there, re.M)]
                    places += re.findall(r'<a (?:id|name)="([^"]+)"', there)
                    self.assertIn(part, places, f"{path}: {link}")


if __name__ == "__main__":
    support.main()
