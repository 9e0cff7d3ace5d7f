import type { VaultRecord } from "@countersign/client/types";

/** The answer of the service. Declared a second time here, because pages see nothing of the service's code; a test keeps the two the same. */
export interface Status {
  readonly type: "countersign/status/1";
  readonly status_url: string;
  readonly state: VaultRecord["state"];
  readonly stored_at: string;
  /** null while the copy is in the vault */
  readonly state_since: string | null;
  readonly as_of: { readonly at: string; readonly tree_size: number };
  readonly document_sha256: string;
  readonly certificate: { readonly revision: number; readonly pdf_sha256: string; readonly evaluated_at: string };
  /** null unless the organization shows them */
  readonly parties: { readonly organization: string; readonly secured_party: string | null } | null;
  /** null unless a file was asked about */
  readonly file: CheckedFile | null;
}

export interface CheckedFile {
  readonly sha256: string;
  /** null: the vault knows no such file of this record */
  readonly known_as: "authoritative" | "certificate" | "copy" | "signed" | null;
  readonly revision: number | null;
}
