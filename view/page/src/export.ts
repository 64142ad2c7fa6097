// Pictures and short films of what is shown.

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => blob && save(blob, name), "image/png");
}

const MOST_SECONDS = 60; // of a film: it is in memory until it ends

/// A film of the canvas until it is stopped; what the browser can write, mostly WebM.
export class Film {
  onEnd: (blob: Blob) => void = () => {};
  private recorder: MediaRecorder | null = null;

  get running(): boolean {
    return this.recorder !== null;
  }

  /// false: the browser cannot.
  start(canvas: HTMLCanvasElement, name: string): boolean {
    if (typeof MediaRecorder === "undefined" || !canvas.captureStream) return false;
    const recorder = new MediaRecorder(canvas.captureStream(30), { videoBitsPerSecond: 8_000_000 });
    const parts: Blob[] = [];
    recorder.ondataavailable = (e) => parts.push(e.data);
    recorder.onstop = () => {
      const film = new Blob(parts, { type: recorder.mimeType });
      save(film, `${name}.${recorder.mimeType.includes("mp4") ? "mp4" : "webm"}`);
      this.recorder = null;
      this.onEnd(film);
    };
    recorder.start();
    setTimeout(() => recorder.state === "recording" && recorder.stop(), 1000 * MOST_SECONDS);
    this.recorder = recorder;
    return true;
  }

  stop(): void {
    this.recorder?.stop();
  }
}
