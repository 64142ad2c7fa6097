// The mouse on the stage: select by click, centre or track by double click, pull with Ctrl.
import * as THREE from "three";
import type { ContactLayer } from "./contacts.js";
import type { Stage } from "./stage.js";

export interface Drag {
  body: number;
  point: [number, number, number]; // in the body's frame
  target: [number, number, number]; // world
  turn: boolean; // a torque instead of a pull
}

const MOVED = 4; // pixels: less is a click

export class Pointer {
  onSelect: (body: number) => void = () => {};
  onCentre: (point: THREE.Vector3, body: number, track: boolean) => void = () => {};
  onDrag: (drag: Drag | null) => void = () => {};
  onHover: (contact: number, x: number, y: number) => void = () => {};
  private ray = new THREE.Raycaster();
  private down: { x: number; y: number } | null = null;
  private drag: { body: number; point: THREE.Vector3; plane: THREE.Plane; turn: boolean } | null =
    null;
  private line: THREE.Line;
  private hover: PointerEvent | null = null;

  constructor(
    private stage: Stage,
    private contacts: ContactLayer,
    private canvas: HTMLCanvasElement,
  ) {
    const ends = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]);
    this.line = new THREE.Line(ends, new THREE.LineBasicMaterial({ color: 0xffc14d, depthTest: false }));
    this.line.visible = false;
    this.line.frustumCulled = false;
    stage.scene.add(this.line);
    // Before the camera's own listeners, so that a pull does not turn it.
    canvas.addEventListener("pointerdown", (e) => this.press(e), { capture: true });
    canvas.addEventListener("pointermove", (e) => this.move(e));
    window.addEventListener("pointerup", (e) => this.release(e));
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("dblclick", (e) => this.double(e));
    canvas.addEventListener("auxclick", (e) => e.button === 2 && e.detail === 2 && this.double(e));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  }

  private aim(e: MouseEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = ((e.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((e.clientY - box.top) / box.height) * 2;
    this.ray.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
  }

  private press(e: PointerEvent): void {
    this.down = { x: e.clientX, y: e.clientY };
    if (!e.ctrlKey) return;
    this.aim(e);
    const hit = this.stage.pick(this.ray);
    if (!hit || hit.body === 0) return;
    e.stopImmediatePropagation();
    e.preventDefault();
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3()).negate();
    // Ctrl + right drag pulls, as in simulate; Ctrl + left drag too, unless Shift asks to turn.
    this.drag = {
      body: hit.body,
      point: this.stage.bodies[hit.body]!.worldToLocal(hit.point.clone()),
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
      turn: e.shiftKey,
    };
    this.onSelect(hit.body);
    this.pull(hit.point);
  }

  private pull(target: THREE.Vector3): void {
    const drag = this.drag!;
    this.onDrag({
      body: drag.body,
      point: drag.point.toArray(),
      target: target.toArray(),
      turn: drag.turn,
    });
    this.target = target.clone();
  }

  private target = new THREE.Vector3();

  /// Before every drawing: the line from the grip to the mouse, and what the mouse is over.
  update(): void {
    if (this.hover) {
      this.aim(this.hover);
      this.onHover(this.contacts.pick(this.ray), this.hover.clientX, this.hover.clientY);
      this.hover = null;
    }
    if (this.line.visible !== (this.drag !== null)) this.stage.touch();
    this.line.visible = this.drag !== null;
    const body = this.drag && this.stage.bodies[this.drag.body];
    if (!this.drag || !body) return;
    const ends = this.line.geometry.getAttribute("position") as THREE.BufferAttribute;
    const grip = body.localToWorld(this.drag.point.clone());
    ends.setXYZ(0, grip.x, grip.y, grip.z).setXYZ(1, this.target.x, this.target.y, this.target.z);
    ends.needsUpdate = true;
  }

  private leave(): void {
    this.hover = null;
    this.onHover(-1, 0, 0);
  }

  private move(e: PointerEvent): void {
    if (this.drag) {
      this.aim(e);
      const target = this.ray.ray.intersectPlane(this.drag.plane, new THREE.Vector3());
      if (target) this.pull(target);
      this.stage.touch();
    } else if (e.buttons === 0) {
      this.hover = e; // looked at once a drawing
    } else {
      this.leave();
    }
  }

  private release(e: PointerEvent): void {
    const down = this.down;
    this.down = null;
    if (this.drag) {
      this.drag = null;
      this.onDrag(null);
      return;
    }
    if (!down || e.target !== this.canvas || e.button !== 0) return;
    if (Math.hypot(e.clientX - down.x, e.clientY - down.y) > MOVED) return;
    this.aim(e);
    this.onSelect(this.stage.pick(this.ray)?.body ?? -1);
  }

  private double(e: MouseEvent): void {
    this.aim(e);
    const hit = this.stage.pick(this.ray);
    if (hit) this.onCentre(hit.point, hit.body, e.ctrlKey);
  }
}
