// The wire to the program: frames come in, commands go out; a lost wire is mended.
import { type Message, readMessage } from "./protocol.js";

export class Link {
  onMessage: (message: Message) => void = () => {};
  onState: (connected: boolean) => void = () => {};
  connected = false;
  private socket: WebSocket | null = null;
  private wait = 250; // until the next try, ms

  constructor(private address: string) {
    this.open();
  }

  send(command: Record<string, unknown>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  private open(): void {
    const socket = new WebSocket(this.address, "tact-view");
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.connected = true;
      this.onState(true);
    };
    socket.onmessage = (event) => {
      if (event.data instanceof ArrayBuffer) this.onMessage(readMessage(event.data));
    };
    socket.onclose = () => {
      if (this.connected) this.onState(false);
      this.connected = false;
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, 4000);
    };
  }
}
