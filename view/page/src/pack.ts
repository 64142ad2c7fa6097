// Undoes view/html/pack.c: a recording that was made small for the page, without losing a bit.
const HEAD = 16;
const BLOCK_HEAD = 16;

/// A frame from its difference to the one before: planes of bytes, words modulo 2^32.
function restore(bytes: Uint8Array, before: Uint8Array | null): void {
  const words = bytes.length >> 2;
  const known = before ? Math.min(words, before.length >> 2) : 0;
  const planes = bytes.slice(0, 4 * words);
  for (let i = 0; i < words; i++) {
    let carry = 0;
    for (let k = 0; k < 4; k++) {
      const sum = planes[k * words + i]! + (i < known ? before![4 * i + k]! : 0) + carry;
      bytes[4 * i + k] = sum;
      carry = sum >> 8;
    }
  }
}

function restoreAll(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let before: Uint8Array | null = null;
  for (let at = HEAD; at + BLOCK_HEAD <= file.length; ) {
    const kind = String.fromCharCode(...file.subarray(at, at + 4));
    const length = Number(view.getBigUint64(at + 8, true));
    if (length > file.length - at - BLOCK_HEAD) return;
    if (kind === "fram") {
      const frame: Uint8Array = file.subarray(at + BLOCK_HEAD, at + BLOCK_HEAD + length);
      restore(frame, before);
      before = frame;
    }
    at += BLOCK_HEAD + Math.ceil(length / 8) * 8;
  }
}

/// From the text inside of the page to the bytes of the recording.
export async function unpack(base64: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const file = await new Response(stream).arrayBuffer();
  restoreAll(new Uint8Array(file));
  return file;
}
