import { MessageChannel } from "node:worker_threads";

const { port1: closed } = new MessageChannel();
closed.close();

/**
 * Frees the memory of bytes that no one looks at any more, now and not when V8 gets to it; they are empty afterwards. For pieces of large
 * files that come by, each in memory of its own: V8 lets 32 MB of them gather, takes them for growth of what lives long, and marks the
 * whole heap with all its threads, eight times a second during many uploads. Bytes that share their memory with others are left alone.
 *
 * What is sent to a closed port is taken from the sender and dropped (HTML standard, "message port post message steps"): 5 µs a piece.
 */
export function freeBytes(bytes: Uint8Array<ArrayBufferLike>): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength) closed.postMessage(null, [buffer]);
}
