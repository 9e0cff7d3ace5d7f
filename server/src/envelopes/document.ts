import type { TakenIn } from "@countersign/pdf/pool";
import type { CustomerId, EnvelopeId, OrgId } from "../shared/ids.ts";
import type { BlobName } from "../storage/blob-store.ts";
import type { Warning } from "../templates/template.ts";
import type { SignerInput } from "./signer-input.ts";

/** A customer's document, cleaned and stored; all that is missing are the records. */
export interface UploadedDocument {
  readonly customer_id: CustomerId;
  readonly envelope_id: EnvelopeId;
  readonly name: string;
  readonly signers: readonly SignerInput[];
  readonly path: string;
  readonly content_type: "application/pdf" | "image/png" | "image/jpeg";
  /** of the file that is kept for its owner: the cleaned PDF, or the image as it came */
  readonly kept: BlobName;
  readonly received: BlobName;
  /** what is shown and signed */
  readonly pdf: BlobName;
  readonly taken: Omit<TakenIn, "bytes">;
  readonly auto_vault_enabled: boolean;
  readonly kba_required: boolean;
  readonly warnings: readonly Warning[];
}

const MAX_NAME = 200;
const MAX_PATH_NAME = 120;

/** A file name as people gave it, on one line and not longer than a name may be. */
export function nameOfFile(fileName: string | null, extension: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a file name may hold any, and a name must be one line
  const plain = (fileName ?? "").replace(/[\u0000-\u001f\u007f]/g, " ").trim();
  return plain === "" ? `document.${extension}` : [...plain].slice(0, MAX_NAME).join("");
}

/**
 * Where a document is, in words that mean nothing to a file system.
 * @example documentPath(org, envelope, "Lease (final).pdf") // org_…/documents/env_…/Lease__final_.pdf
 */
export function documentPath(org: OrgId, envelope_id: EnvelopeId, name: string): string {
  const safe = name.normalize("NFC").replace(/[^\p{L}\p{N}._-]/gu, "_");
  return `${org}/documents/${envelope_id}/${[...safe].slice(0, MAX_PATH_NAME).join("")}`;
}
