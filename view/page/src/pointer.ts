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
    canvas.addEventListener("dblclick", (e) => this.double(e));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  }

  private aim(e: MouseEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = ((e.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((e.clientY - box.top) / box.height) * 2;
    this.ray.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
  }

  private hit(): { body: number; point: THREE.Vector3 } | null {
    const found = this.ray.intersectObjects(this.stage.meshes, false)[0];
    return found ? { body: found.object.userData.body as number, point: found.point } : null;
  }

  private press(e: PointerEvent): void {
    this.down = { x: e.clientX, y: e.clientY };
    if (!e.ctrlKey) return;
    this.aim(e);
    const hit = this.hit();
    if (!hit || hit.body === 0) return;
    e.stopImmediatePropagation();
    e.preventDefault();
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3()).negate();
    // As in simulate: Ctrl + right pulls, Ctrl + left pulls too unless Shift asks to turn.
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

  /// The line from the grip to the mouse, drawn anew with every frame.
  update(): void {
    this.line.visible = this.drag !== null;
    if (!this.drag) return;
    const body = this.stage.bodies[this.drag.body];
    if (!body) return;
    const grip = body.localToWorld(this.drag.point.clone());
    this.line.geometry.setFromPoints([grip, this.target]);
  }

  private move(e: PointerEvent): void {
    this.aim(e);
    if (this.drag) {
      const target = this.ray.ray.intersectPlane(this.drag.plane, new THREE.Vector3());
      if (target) this.pull(target);
      return;
    }
    this.onHover(e.buttons === 0 ? this.contacts.pick(this.ray) : -1, e.clientX, e.clientY);
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
    this.onSelect(this.hit()?.body ?? -1);
  }

  private double(e: MouseEvent): void {
    this.aim(e);
    const hit = this.hit();
    if (hit) this.onCentre(hit.point, hit.body, e.ctrlKey);
  }
}
