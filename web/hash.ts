/** Browsers only offer hashing on https and localhost. */
export const canHash = globalThis.crypto?.subtle !== undefined;

/** The SHA-256 of a file, computed in the browser. The file is not uploaded. */
export async function sha256Of(file: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
