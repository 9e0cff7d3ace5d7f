// Node's Buffer for a browser, from the package of that name. Node compares a Buffer with any Uint8Array; the package only with another Buffer.

import { Buffer } from "buffer";

Buffer.prototype.equals = function equals(this: Buffer, other: Uint8Array): boolean {
  return Buffer.compare(this, other) === 0;
};

export { Buffer };
