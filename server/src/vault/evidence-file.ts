import { open } from "node:fs/promises";
import { kindOf } from "../documents/file-kind.ts";
import type { ReceivedFile } from "../http/form.ts";
import { isNestedTooDeeply } from "../http/parse-json.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type StorageDeps, storeBlob } from "../storage/store-blob.ts";

/** What the issuing system wrote about a signing elsewhere: kept byte for byte, never rendered, and never served but inside a bundle. */
export interface EvidenceFile {
  readonly sha256: string;
  readonly size: number;
  readonly content_type: EvidenceType;
}

const extensions = { "application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg", "application/json": "json" } as const;
type EvidenceType = keyof typeof extensions;

/** What a bundle calls it. */
export const suppliedName = ({ content_type }: Pick<EvidenceFile, "content_type">): string =>
  `evidence/supplied.${extensions[content_type]}`;

const types = { pdf: "application/pdf", png: "image/png", jpeg: "image/jpeg" } as const;

/** By its content, whatever its sender calls it; 415 for anything else. */
async function typeOf(file: ReceivedFile): Promise<EvidenceType> {
  const kind = await kindOf(file);
  if (kind !== null) return types[kind];
  if (await isJson(file)) return "application/json";
  throw new Problem("not_evidence");
}

// Trails of issuing systems have a few hundred kilobytes; more would be parsed too long for others to wait.
const MAX_JSON_BYTES = 5_242_880;

// No trail is nested so deeply, and the parser takes seconds over one that is nothing but brackets.
const MAX_NESTING = 100;

/** An object or a list: a bare word or number is no record of anything. */
async function isJson(file: ReceivedFile): Promise<boolean> {
  if (file.size > MAX_JSON_BYTES) return false;
  const handle = await open(file.path, "r");
  try {
    const start = Buffer.alloc(64);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    // Before all of it is read: most of what is no JSON shows at once.
    if (!/^\ufeff?\s*[[{]/.test(start.toString("utf8", 0, bytesRead))) return false;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await handle.readFile());
    if (isNestedTooDeeply(text, MAX_NESTING)) return false;
    JSON.parse(text);
    return true;
  } catch (error) {
    // Bytes that are no UTF-8, and text that is no JSON; a disk that fails is neither.
    if (error instanceof SyntaxError || error instanceof TypeError) return false;
    throw error;
  } finally {
    await handle.close();
  }
}

/** Stored and read back, and named by no row yet. */
export async function storeEvidence(storage: StorageDeps, org: OrgId, file: ReceivedFile): Promise<EvidenceFile> {
  const content_type = await typeOf(file);
  const name = await storeBlob(storage, org, { file: file.path }, { sha256: file.sha256, size: file.size });
  return { ...name, content_type };
}
