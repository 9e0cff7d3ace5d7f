import { Type } from "typebox";
import { about, Email, idOf, Name, named, Sha256, Timestamp } from "../../http/shapes.ts";
import { exportStates } from "./export.ts";

/** Schemas of exports that others use too. */

export const Status = named("VaultExportStatus", Type.Enum([...exportStates]));
export const RecipientShape = named("VaultExportRecipient", Type.Object({ name: Name, email: Email }));

const ReceiptDocument = named(
  "VaultExportReceiptDocument",
  Type.Object({
    type: Type.Literal("countersign/export-receipt/1"),
    org_id: idOf("org"),
    envelope_id: idOf("envelope"),
    export_id: idOf("vaultExport"),
    copy_id: idOf("authoritativeCopy"),
    sha256: about(Sha256, "SHA-256 of the authoritative copy"),
    package_sha256: Sha256,
    recipient: RecipientShape,
    acknowledged_at: Timestamp,
    chain_head: about(
      named("VaultExportChainHead", Type.Object({ seq: Type.Integer(), hash: Sha256, at: Timestamp })),
      "The last entry of the envelope's audit trail at the time of the export",
    ),
    key_id: Type.String({ description: "The key of this installation that signed the receipt" }),
  }),
);
export const Receipt = named(
  "VaultExportReceipt",
  Type.Object({
    document: ReceiptDocument,
    signature: Type.String({
      pattern: "^[0-9a-f]{128}$",
      "x-message": "must be 128 lower-case hexadecimal characters",
      description: "Ed25519 over the canonical JSON (RFC 8785) of `document`",
    }),
  }),
);
