/** Needs an address that the browser trusts: https, or this machine. */
export const canHash = globalThis.crypto?.subtle !== undefined;

/** SHA-256 of a file, made in the browser: the file itself goes nowhere. */
export async function sha256Of(file: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
