import { warningCodes } from "@countersign/evidence";
import { Type } from "typebox";
import { SecuredPartyShape, Status } from "../../envelopes/shapes.ts";
import { idOf, LocaleName, nullable, OptionalTimestamp, Timestamp } from "../../http/shapes.ts";
import { assignmentStates } from "../assignments/assignment.ts";
import { copyStates } from "../copy.ts";
import { transferStatuses } from "../custody/permission.ts";
import { CheckView } from "../shapes.ts";

/** The vault widget at the edge. */

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

export const VaultView = Type.Object({
  envelope: Type.Object({
    envelope_id: idOf("envelope"),
    name: Type.String(),
    status: Status,
    sender: Type.String({ description: "The organization" }),
  }),
  you: Type.Object({ email: Type.String(), may_have_evidence: Type.Boolean() }),
  copy: Type.Object({
    copy_id: idOf("authoritativeCopy"),
    state: Type.Enum([...copyStates]),
    state_since: OptionalTimestamp,
    source: Type.Enum(["signed_here", "electronic_signed", "paper_upload"]),
    sha256: Hash,
    size: Type.Integer(),
    stored_at: Timestamp,
    verified_at: OptionalTimestamp,
    retention_until: Timestamp,
    legal_hold: Type.Boolean(),
  }),
  document: Type.Object({
    page_count: Type.Integer(),
    pages: Type.Array(Type.Object({ n: Type.Integer(), w: Type.Number(), h: Type.Number() })),
  }),
  custodian: nullable(Type.Object({ name: Type.String(), since: Timestamp }, { description: "null once the copy left" })),
  custody: Type.Array(
    Type.Object({
      from: nullable(Type.String()),
      to: Type.String(),
      status: Type.Enum([...transferStatuses]),
      initiated_at: Timestamp,
      since: OptionalTimestamp,
      until: OptionalTimestamp,
    }),
    { description: "Newest first" },
  ),
  secured_party: nullable(SecuredPartyShape),
  assignments: Type.Array(
    Type.Object({
      seq: Type.Integer(),
      name: Type.String(),
      status: Type.Enum([...assignmentStates]),
      with_consent: Type.Boolean({ description: "Of the party before; the first has none" }),
      recorded_at: Timestamp,
    }),
    { description: "Newest first" },
  ),
  certificate: Type.Object({ revision: Type.Integer(), score: Type.Integer(), passed: Type.Boolean(), evaluated_at: Timestamp }),
  checks: Type.Array(CheckView),
  warnings: Type.Array(Type.Object({ code: Type.Enum([...warningCodes]), message: Type.String() })),
  time_source: Type.Enum(["external", "self_operated"]),
  default_locale: LocaleName,
  branding: Type.Object({}, { additionalProperties: true, description: "The organization's own, as PATCH /org/settings takes it" }),
  token_expires_at: Timestamp,
  server_time: Timestamp,
});

export const WidthQuery = Type.Object({
  w: Type.Optional(Type.Enum(["1224", "2448"], { description: "Width in pixels; 1224 without it" })),
});

export const AccessView = Type.Object({
  seq: Type.Integer(),
  at: Timestamp,
  kind: Type.Enum(["key", "user", "system", "signer", "viewer"]),
  who: nullable(Type.String({ description: "A member's name, or the address of a signer or a reader" })),
  what: nullable(Type.String({ description: "`copy`, `certificate`, `evidence`, `widget`, `package`; null once it was erased" })),
  ip: nullable(Type.String({ description: "For members and signers alone" })),
});

export const VerifyBody = Type.Object({
  sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$", description: "Of a file: is it one that this record knows?" })),
});

export const VerificationView = Type.Object({
  checked_at: Timestamp,
  recorded_sha256: Hash,
  found_sha256: nullable(Hash),
  match: Type.Boolean(),
  seal: Type.Enum(["sound", "broken", "unread"]),
  chain: Type.Enum(["sound", "broken"]),
  entries: Type.Integer(),
  registers: Type.Enum(["sound", "different", "unread"]),
  timestamp: Type.Enum(["external", "broken", "self_operated", "unread"]),
  sound: Type.Boolean({ description: "Everything that was looked at is as it was recorded" }),
  state: Type.Enum([...copyStates]),
  duration_ms: Type.Integer(),
  file: nullable(
    Type.Object(
      {
        kind: Type.Enum(["authoritative", "certificate", "copy", "signed"]),
        copy_id: nullable(Type.String()),
        revision: nullable(Type.Integer()),
        at: Timestamp,
      },
      { description: "null when no file was asked about, or when it is none of this record's" },
    ),
  ),
});
