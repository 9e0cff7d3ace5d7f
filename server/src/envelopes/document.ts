import type { EnvelopeId, OrgId } from "../shared/ids.ts";

const MAX_NAME = 200;
const MAX_PATH_NAME = 120;

/** A file name from a request, on one line and cut to the maximum length. */
export function nameOfFile(fileName: string | null, extension: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a file name may hold any, and a name must be one line
  const plain = (fileName ?? "").replace(/[\u0000-\u001f\u007f]/g, " ").trim();
  return plain === "" ? `document.${extension}` : [...plain].slice(0, MAX_NAME).join("");
}

/**
 * The logical path of a document, with characters that are safe in any file system.
 * @example documentPath(org, envelope, "Lease (final).pdf") // org_…/documents/env_…/Lease__final_.pdf
 */
export function documentPath(org: OrgId, envelope_id: EnvelopeId, name: string): string {
  // A name that consists of dots would refer to another folder if it is used as a path.
  const safe = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]/gu, "_")
    .replace(/^\.+$/, (dots) => "_".repeat(dots.length));
  return `${org}/documents/${envelope_id}/${[...safe].slice(0, MAX_PATH_NAME).join("")}`;
}
