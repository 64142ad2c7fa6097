"""Examples in docstrings do what they say."""

import doctest
import unittest

import support

import tact
import tact._batch
import tact._model
import tact._sim


class Documents(unittest.TestCase):
    def test_docstrings(self):
        tried = 0
        for module in (tact, tact._model, tact._sim, tact._batch, tact.lcp, tact.contact, tact.dynamics):
            result = doctest.testmod(module)
            self.assertEqual(result.failed, 0, module.__name__)
            tried += result.attempted
        self.assertGreater(tried, 30)

    def test_everything_public_is_documented(self):
        for module in (tact, tact.lcp, tact.contact, tact.dynamics):
            for name in getattr(module, "__all__", dir(module)):
                thing = getattr(module, name)
                if name.startswith("_") or not getattr(thing, "__module__", "").startswith("tact"):
                    continue
                self.assertTrue(thing.__doc__, f"{module.__name__}.{name}")
                for member, value in vars(thing).items() if isinstance(thing, type) else ():
                    if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                        self.assertTrue(value.__doc__, f"{name}.{member}")


if __name__ == "__main__":
    support.main()
