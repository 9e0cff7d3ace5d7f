import type { AttestedSigner } from "./facts.ts";
import { attestedNameOf } from "./rules/1/checks/wording.ts";

/**
 * The attested signers whom a text file names, by name or e-mail address, ignoring case. A file that is not UTF-8, such as an image, names
 * none.
 */
export function namesIn(bytes: Uint8Array, signers: readonly AttestedSigner[]): string[] {
  const text = textOf(bytes);
  if (text === null) return [];
  const isThere = (name: string | null) => name !== null && name.trim() !== "" && text.includes(folded(name.trim()));
  return signers.filter(({ name, email }) => isThere(name) || isThere(email)).map(attestedNameOf);
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return folded(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // Not UTF-8.
    return null;
  }
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
