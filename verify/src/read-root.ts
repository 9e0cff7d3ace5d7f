/** The SHA-256 of a root in lower-case hexadecimal; null for anything else. Certificate viewers show it in upper case, with colons. */
export function readRoot(given: string): string | null {
  const root = given.replaceAll(/[:\s]/g, "").toLowerCase();
  return /^[0-9a-f]{64}$/.test(root) ? root : null;
}
