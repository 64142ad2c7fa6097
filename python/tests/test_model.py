"""Models: read, named, told."""

import json
import os
import pickle
import tempfile
import unittest

import support

import tact


class Models(unittest.TestCase):
    def test_things_have_names_and_numbers(self):
        model = tact.Model.from_string(support.CUBE)
        self.assertEqual((model.nq, model.nv, model.nu, model.nsensor), (7, 6, 0, 3))
        cube = model.body("cube")
        self.assertEqual(cube.mass, 1.0)
        self.assertEqual(cube.pos, (0.0, 0.0, 0.1))
        # a cube of side s has m s^2 / 6 about each axis
        self.assertAlmostEqual(cube.inertia[0], 0.2**2 / 6, delta=1e-15)
        self.assertEqual(model.geom("side").friction, 0.5)
        self.assertEqual(model.joint("free").type, "free")
        self.assertEqual(model.body(-1).name, "cube")
        self.assertEqual(model.names("geom"), ["floor", "side"])

    def test_a_saved_model_is_the_same(self):
        model = tact.Model.from_string(support.CUBE)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cube.tmodel")
            model.save(path)
            again = tact.Model.from_path(path)
            self.assertEqual(again.names("geom"), model.names("geom"))
            self.assertEqual(again.body("cube").inertia, model.body("cube").inertia)
            with open(path, "r+b") as file:
                file.truncate(100)
            with self.assertRaisesRegex(tact.InputError, "no compiled model: it ends too early"):
                tact.Model.from_path(path)
        with self.assertRaises(tact.FileError):
            model.save("/nowhere/cube.tmodel")

    def test_what_is_not_there_is_named(self):
        model = tact.Model.from_string(support.CUBE)
        with self.assertRaisesRegex(KeyError, "no body 'ball'; it has: world, cube"):
            model.body("ball")
        with self.assertRaises(IndexError):
            model.body(7)
        with self.assertRaises(IndexError):
            model.geom(-3)

    def test_files_that_are_wrong_say_where(self):
        with self.assertRaisesRegex(tact.InputError, r"bad.xml:1"):
            tact.Model.from_string("<mujoco><worldbody><geom size='x'/></worldbody></mujoco>", name="bad.xml")
        with self.assertRaises(tact.FileError):
            tact.Model.from_path("/nowhere/robot.xml")
        with self.assertRaises(tact.TactError):
            tact.Model.from_string("no xml at all")
        with self.assertRaises(TypeError):
            tact.Model.from_string(7)

    def test_notes_are_objects(self):
        text = "<mujoco><worldbody><geom size='1' solref='.01 1'/></worldbody></mujoco>"
        notes = tact.Model.from_string(text, name="scene.xml").check()
        ignored = [n for n in notes if n.verdict == "ignored"]
        self.assertEqual([(n.element, n.attribute, n.physics) for n in ignored], [("geom", "solref", True)])
        self.assertIn("scene.xml:1", str(ignored[0]))
        with self.assertRaises(tact.InputError):
            tact.Model.from_string(text, strict=True)

    def test_all_of_it_as_json(self):
        model = tact.Model.from_path(support.SCENES / "hand.xml")
        told = json.loads(json.dumps(model.to_dict()))
        self.assertEqual(len(told["body"]), len(list(model.all("body"))))
        self.assertEqual(told["actuator"][0]["name"], "base0")

    def test_pickled_it_is_the_same(self):
        for model in (tact.Model.from_string(support.CUBE), tact.Model.from_path(support.SCENES / "hand.xml")):
            self.assertEqual(pickle.loads(pickle.dumps(model)).hash, model.hash)

    def test_keyframes_are_states(self):
        model = tact.Model.from_string(support.CUBE)
        self.assertEqual(model.keyframe("high")[0].tolist(), [0, 0, 1, 1, 0, 0, 0])
        self.assertEqual(model.keyframe()[0].tolist()[:3], [0, 0, 0.1])


if __name__ == "__main__":
    support.main()
