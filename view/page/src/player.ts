// Which frame is shown: the newest of a live run, one of its history, or a place of a recording.
import type { Frame, Scene } from "./types.js";

const HISTORY = 6000; // frames of a live run that are kept, at most
const HISTORY_BYTES = 256 << 20; // and what their numbers may take

function sizeOf(frame: Frame): number {
  return frame.poses.buffer.byteLength;
}

export class Player {
  scene: Scene | null = null;
  frames: Frame[] = [];
  at = -1; // the frame that is shown
  live = true;
  following = true; // live: the newest frame is shown as it comes
  playing = false; // replay
  loop = false;
  speed = 1;
  onScene: (scene: Scene) => void = () => {};
  onFrame: (frame: Frame) => void = () => {};
  private clock = 0; // of a replay, s
  private bytes = 0; // of the frames of a live run

  load(scene: Scene, live: boolean): void {
    this.scene = scene;
    this.live = live;
    this.forget();
    this.following = true;
    this.playing = false;
    this.onScene(scene);
  }

  forget(): void {
    this.frames = [];
    this.bytes = 0;
    this.at = -1;
  }

  /// A live frame. Time that goes back is a reset or a return into history.
  push(frame: Frame): void {
    while (this.frames.length > 0 && this.frames[this.frames.length - 1]!.time >= frame.time) {
      this.bytes -= sizeOf(this.frames.pop()!);
    }
    this.frames.push(frame);
    this.bytes += sizeOf(frame);
    while (this.frames.length > HISTORY || (this.bytes > HISTORY_BYTES && this.frames.length > 1)) {
      this.bytes -= sizeOf(this.frames.shift()!);
      this.at--;
    }
    if (this.following || this.at >= this.frames.length || this.at < 0) {
      this.show(this.frames.length - 1);
    }
  }

  get current(): Frame | null {
    return this.frames[this.at] ?? null;
  }

  show(index: number): void {
    if (this.frames.length === 0) return;
    this.at = Math.max(0, Math.min(this.frames.length - 1, index));
    this.following = this.live && this.at === this.frames.length - 1;
    this.clock = this.frames[this.at]!.time;
    this.onFrame(this.frames[this.at]!);
  }

  /// A replay goes on by so many seconds of real time.
  advance(seconds: number): void {
    if (this.live || !this.playing || this.frames.length < 2) return;
    const end = this.frames[this.frames.length - 1]!.time;
    this.clock += this.speed * seconds;
    if (this.clock > end) {
      if (!this.loop) {
        this.playing = false;
        this.show(this.frames.length - 1);
        return;
      }
      this.clock = this.frames[0]!.time;
    }
    const clock = this.clock;
    const next = this.find(clock);
    if (next !== this.at) this.show(next);
    this.clock = clock;
  }

  /// The last frame at or before a time.
  find(time: number): number {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle]!.time <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
