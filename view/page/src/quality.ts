// How finely the stage is drawn. A slow computer, or one that draws without a graphics card, gets
// fewer pixels and no shadows rather than few frames.
const SLOW = 1000 / 38; // ms a frame: below, something is left out
const TOO_SLOW = 1000 / 15; // below, much is
const FAST = 1000 / 55; // something may be put back
const LOOK = 700; // ms that are looked at before
const HELPED = 0.9; // of the time before: what does not help is put back

/// What is left out, one after the other.
const LEVELS = [
  { shadows: true, pixels: 2 },
  { shadows: true, pixels: 1 },
  { shadows: false, pixels: 1 },
  { shadows: false, pixels: 0.75 },
  { shadows: false, pixels: 0.5 },
];
const NO_SHADOWS = 2;

export class Quality {
  readonly software = Quality.isSoftware();
  onChange: () => void = () => {};
  private best = this.software ? NO_SHADOWS : devicePixelRatio > 1 ? 0 : 1;
  private level = this.best;
  private wish: boolean | null = null; // what a person wants of shadows
  private frames = 0;
  private time = 0;
  private fast = 0; // ms for which it was
  private patience = 8000; // ms until something is put back; doubled each time
  private worst = LEVELS.length - 1; // what may be left out
  private trial: { level: number; mean: number } | null = null; // before pixels were left out

  /// Is there no graphics card?
  static isSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl ? String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  }

  get shadows(): boolean {
    return this.wish ?? LEVELS[this.level]!.shadows;
  }

  /// Without shadows and without a graphics card the simplest material will do.
  get plain(): boolean {
    return this.software && !this.shadows;
  }

  get pixelRatio(): number {
    const { pixels } = LEVELS[this.level]!;
    return pixels < 1 ? pixels : Math.min(devicePixelRatio, pixels);
  }

  get words(): string {
    const what = [this.shadows ? "shadows" : "no shadows"];
    if (this.pixelRatio < 1) what.push(`${100 * this.pixelRatio} % of the pixels each way`);
    if (this.software) what.push("no graphics card");
    return what.join(", ");
  }

  /// A person wants shadows, however slow, or none.
  setShadows(on: boolean): void {
    this.wish = on;
    this.onChange();
  }

  private set(level: number): void {
    this.level = level;
    this.onChange();
  }

  /// The time that a frame took, ms, while one came after the other.
  measure(milliseconds: number): void {
    if (milliseconds > 2000) return; // a tab that was asleep
    this.frames++;
    this.time += milliseconds;
    if (this.time < LOOK || this.frames < 4) return;
    const mean = this.time / this.frames;
    this.fast = mean < FAST ? this.fast + this.time : 0;
    this.frames = this.time = 0;
    if (this.trial && mean > HELPED * this.trial.mean) {
      this.worst = this.trial.level; // pixels were not what took the time
      this.trial = null;
      this.set(this.worst);
      return;
    }
    this.trial = null;
    const worst = Math.min(this.worst, mean > TOO_SLOW ? LEVELS.length - 1 : LEVELS.length - 2);
    if (mean > SLOW && this.level < worst) {
      if (LEVELS[this.level + 1]!.pixels < 1) this.trial = { level: this.level, mean };
      this.set(this.level + 1);
    } else if (this.fast > this.patience && this.level > this.best) {
      this.fast = 0;
      this.patience *= 2;
      this.set(this.level - 1);
    }
  }
}
