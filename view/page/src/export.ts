// Pictures and short films of what is shown.

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => blob && save(blob, name), "image/png");
}

/// A film of the canvas until it is stopped; what the browser can write, mostly WebM.
export class Film {
  private recorder: MediaRecorder | null = null;

  get running(): boolean {
    return this.recorder !== null;
  }

  start(canvas: HTMLCanvasElement, name: string): void {
    const recorder = new MediaRecorder(canvas.captureStream(30));
    const parts: Blob[] = [];
    recorder.ondataavailable = (e) => parts.push(e.data);
    recorder.onstop = () => save(new Blob(parts, { type: recorder.mimeType }), `${name}.webm`);
    recorder.start();
    this.recorder = recorder;
  }

  stop(): void {
    this.recorder?.stop();
    this.recorder = null;
  }
}
