import { type Static, type TObject, Type } from "typebox";

/** Every event type of the specification, with the schema of its `data`. Reserved types are defined but never dispatched. */

const text = Type.String();
/** Receivers route by these fields, so every event about an envelope has them. `form_id`, `batch_id`: only if a form or a bulk send made it. */
const aboutEnvelope = {
  customer_id: Type.Union([text, Type.Null()]),
  external_id: Type.Union([text, Type.Null()]),
  form_id: Type.Optional(text),
  batch_id: Type.Optional(text),
};
/** How much of a score a third party can recompute. */
const grading = {
  rules: Type.Integer(),
  proven_score: Type.Integer(),
  standing: Type.Enum(["proven", "attested", "not_passed", "left", "destroyed", "not_assessed"]),
};
const nothing = Type.Object({});

/** `about` says when the event is sent. */
function dispatched<S extends TObject>(about: string, data: S) {
  return { dispatched: true as const, about, data };
}
const reserved = { dispatched: false as const, about: "Reserved; not sent yet", data: nothing };

export const eventTypes = {
  "envelope.created": dispatched("An envelope was created", Type.Object({ envelope_id: text, ...aboutEnvelope })),
  "envelope.sent": dispatched(
    "An envelope was sent to its signers",
    Type.Object({ envelope_id: text, sent_at: text, submission_id: text, ...aboutEnvelope }),
  ),
  "envelope.voided": dispatched("An envelope was voided or discarded", Type.Object({ envelope_id: text, reason: text, ...aboutEnvelope })),
  "envelope.reminder_sent": dispatched(
    "Signers were reminded",
    Type.Object({ envelope_id: text, reminded: Type.Array(text), ...aboutEnvelope }),
  ),
  "vault.stored": dispatched(
    "A document was stored in the vault",
    Type.Object({ path: text, hash: text, source: Type.Optional(Type.Enum(["paper_upload", "electronic_signed"])), ...aboutEnvelope }),
  ),
  "vault.compliance.passed": dispatched(
    "A stored document passed the compliance checks",
    Type.Object({ score: Type.Integer(), certificate_path: text, ...grading, ...aboutEnvelope }),
  ),
  "vault.compliance.failed": dispatched(
    "A stored document failed a compliance check",
    Type.Object({ score: Type.Integer(), missing_requirements: Type.Array(text), certificate_path: text, ...grading, ...aboutEnvelope }),
  ),
  "custodian.transfer": dispatched(
    "Custody of a document was transferred",
    Type.Object({ envelope_id: text, from_user_id: text, to_user_id: text, permission_id: text, ...aboutEnvelope }),
  ),
  "webhook.test": dispatched("A test event that you requested", Type.Object({ message: text })),
  "envelope.viewed": reserved,
  "envelope.completed": reserved,
  "envelope.declined": reserved,
  "envelope.expired": reserved,
  "vault.document.accessed": reserved,
  "vault.document.tamper_detected": reserved,
  "custodian.accepted": reserved,
  "custodian.rejected": reserved,
} as const;

export type EventType = keyof typeof eventTypes;

/** The types that code can append. A reserved type does not compile. */
export type DispatchedType = { [T in EventType]: (typeof eventTypes)[T]["dispatched"] extends true ? T : never }[EventType];
export type EventData<T extends DispatchedType> = Static<(typeof eventTypes)[T]["data"]>;
