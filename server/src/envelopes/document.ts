import type { EnvelopeId, OrgId } from "../shared/ids.ts";

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
  // A name of dots alone would mean another folder to whoever takes it for one.
  const safe = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]/gu, "_")
    .replace(/^\.+$/, (dots) => "_".repeat(dots.length));
  return `${org}/documents/${envelope_id}/${[...safe].slice(0, MAX_PATH_NAME).join("")}`;
}
