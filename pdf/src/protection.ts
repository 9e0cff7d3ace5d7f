// Encrypted files (ISO 32000-2, 7.6): whether they can be read without a password, and whether their owner allows changes. Everything that
// is stored is unencrypted, because everyone involved has to be able to open and verify it.

import type { PDF } from "@libpdf/core";
import { UnreadablePdf } from "./errors.ts";
import { asBuffer } from "./sniff.ts";

/** Says whether PDFium, or another reader, would need a password for a file. */
type PasswordOpinion = { readonly isPasswordNeeded: (bytes: Uint8Array) => Promise<boolean> };

/**
 * Throws unless libpdf can read the file. libpdf loads a file without its password and does not complain, and it forgets the encryption of a
 * file whose trailer it had to guess. It would then write garbage.
 */
export async function assertReadable(pdf: PDF, bytes: Uint8Array, opinion: PasswordOpinion): Promise<void> {
  const isForgotten = pdf.recoveredViaBruteForce && namesEncryption(bytes);
  if (!isForgotten && (!pdf.isEncrypted || pdf.isAuthenticated)) return;
  throw await lockedOr(bytes, new UnreadablePdf("unparseable", "an encryption that libpdf cannot remove"), opinion);
}

/** The reason for a file that could not be read: it needs a password, or `otherwise`. */
export async function lockedOr(bytes: Uint8Array, otherwise: UnreadablePdf, opinion: PasswordOpinion): Promise<UnreadablePdf> {
  if (!namesEncryption(bytes) || !(await opinion.isPasswordNeeded(bytes))) return otherwise;
  return new UnreadablePdf("encrypted", "needs a password", { cause: otherwise });
}

/**
 * Removes the encryption of an open file. Creating signature fields is a change of the document (table 22: bits 4 and 6), and so is writing
 * it without its restrictions; both need the owner's permission. Throws `restricted` without it.
 */
export function unlock(pdf: PDF): void {
  try {
    becomeOwner(pdf);
    pdf.removeProtection();
  } catch (cause) {
    throw new UnreadablePdf("restricted", "opens without a password, but must not be changed", { cause });
  }
}

const NO_PASSWORD = new Uint8Array();

// A file without an owner's password has the user's as such (7.6.4.4.2), so anyone who can open it is its owner. libpdf tries the owner only if
// the password is not the user's.
function becomeOwner(pdf: PDF): void {
  const handler = pdf.context.info.securityHandler as unknown as { tryOwnerPassword?: (password: Uint8Array) => unknown } | null;
  handler?.tryOwnerPassword?.(NO_PASSWORD);
}

const ENCRYPT = /\/Encrypt(?=\s*(?:(\d{1,10})\s+(\d{1,5})\s+R|<<))/g;

/** Encryption dictionaries and the dictionaries that name them are themselves never encrypted or compressed (7.5.7, 7.5.8). */
function namesEncryption(bytes: Uint8Array): boolean {
  return new RegExp(ENCRYPT).test(asBuffer(bytes).toString("latin1"));
}

// An encryption dictionary has two hashes of up to 127 bytes, which may be written in four characters a byte.
const MAX_DICTIONARY = 4096;

/**
 * The file without the entry for its encryption, if only attachments are encrypted (crypt filters `Identity` for streams and strings);
 * otherwise the same bytes. Offsets stay. The attachments are removed later, as all are.
 */
export function withoutEncryptedAttachments(bytes: Uint8Array): Uint8Array {
  if (asBuffer(bytes).indexOf("/EFF") === -1) return bytes;
  const text = asBuffer(bytes).toString("latin1");
  const entries = [...text.matchAll(ENCRYPT)];
  if (entries.length === 0 || !entries.every((entry) => encryptsOnlyAttachments(text, entry))) return bytes;
  const copy = Buffer.from(bytes);
  for (const { index } of entries) copy.write("/Removed", index, "latin1");
  return new Uint8Array(copy.buffer, copy.byteOffset, copy.length);
}

function encryptsOnlyAttachments(text: string, { index, 1: number, 2: generation }: RegExpExecArray): boolean {
  const start = number === undefined ? index : text.search(new RegExp(`(?<![0-9])${number}\\s+${generation}\\s+obj\\b`));
  if (start === -1) return false;
  const [dictionary = ""] = text.slice(start, start + MAX_DICTIONARY).split("endobj", 1);
  const encrypted = [...dictionary.matchAll(/\/(?:StmF|StrF)\s*\/(\w+)/g)].filter(([, filter]) => filter !== "Identity");
  return /\/V\s+[45]\b/.test(dictionary) && /\/EFF\s*\//.test(dictionary) && encrypted.length === 0;
}
