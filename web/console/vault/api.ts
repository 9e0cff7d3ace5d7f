import type { VaultInUploadRequest, VaultRecord } from "@countersign/client/types";

/** sources that need an attestation; documents signed here do not */
export type AttestedSource = VaultInUploadRequest["source"];

/** The three origins shown to users. */
export const origins = ["signed_here", "electronic_signed", "paper_upload"] as const satisfies readonly (AttestedSource | "signed_here")[];
export type Origin = (typeof origins)[number];

/** `source` is null when the copy was stored automatically after signing. */
export const originOf = ({ source, signed_here }: Pick<VaultRecord, "source" | "signed_here">): Origin =>
  signed_here || source === null ? "signed_here" : source;
