import { open } from "node:fs/promises";
import { kindOf } from "../documents/file-kind.ts";
import type { ReceivedFile } from "../http/form.ts";
import { isNestedTooDeeply } from "../http/json-nesting.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type StorageDeps, storeBlob } from "../storage/store-blob.ts";

/** The issuing system's record of a signing elsewhere. Stored byte for byte, never rendered, and served only inside a bundle. */
export interface EvidenceFile {
  readonly sha256: string;
  readonly size: number;
  readonly content_type: EvidenceType;
}

const extensions = { "application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg", "application/json": "json" } as const;
type EvidenceType = keyof typeof extensions;

/** Its file name in a bundle. */
export const suppliedName = ({ content_type }: Pick<EvidenceFile, "content_type">): string =>
  `evidence/supplied.${extensions[content_type]}`;

const types = { pdf: "application/pdf", png: "image/png", jpeg: "image/jpeg" } as const;

/** Detected from the content, whatever type the sender declared; 415 for any other content. */
async function typeOf(file: ReceivedFile): Promise<EvidenceType> {
  const kind = await kindOf(file);
  if (kind !== null) return types[kind];
  if (await isJson(file)) return "application/json";
  throw new Problem("not_evidence");
}

// Audit trails of issuing systems have a few hundred kilobytes. Parsing larger ones would block other requests for too long.
const MAX_JSON_BYTES = 5_242_880;

// No real trail is nested this deeply, and the parser takes seconds for a file that consists of brackets.
const MAX_NESTING = 100;

/** An object or a list. A single string or number is not a record. */
async function isJson(file: ReceivedFile): Promise<boolean> {
  if (file.size > MAX_JSON_BYTES) return false;
  const handle = await open(file.path, "r");
  try {
    const start = Buffer.alloc(64);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    // Checked before reading the whole file: most files that are not JSON fail here.
    if (!/^\ufeff?\s*[[{]/.test(start.toString("utf8", 0, bytesRead))) return false;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await handle.readFile());
    if (isNestedTooDeeply(text, MAX_NESTING)) return false;
    JSON.parse(text);
    return true;
  } catch (error) {
    // Invalid UTF-8 or invalid JSON. Errors of the disk are rethrown.
    if (error instanceof SyntaxError || error instanceof TypeError) return false;
    throw error;
  } finally {
    await handle.close();
  }
}

/** Stores the file and reads it back. No row refers to it yet. */
export async function storeEvidence(storage: StorageDeps, org: OrgId, file: ReceivedFile): Promise<EvidenceFile> {
  const content_type = await typeOf(file);
  const name = await storeBlob(storage, org, { file: file.path }, { sha256: file.sha256, size: file.size });
  return { ...name, content_type };
}
