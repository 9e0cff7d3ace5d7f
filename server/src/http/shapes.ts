import { type Static, type TSchema, Type } from "typebox";
import { type IdKind, idPattern, idPrefixes, modes } from "../shared/ids.ts";
import { locales } from "../shared/locales.ts";
import { permissions, roles, scopes } from "../shared/scopes.ts";
import { SLUG_PATTERN } from "../shared/slugs.ts";

/**
 * Schemas that several features share. A pattern or format has an `x-message`, which the caller reads if a text does not match. It is not
 * part of the API description.
 */

/** Gives a schema its name in OpenAPI and in generated clients. Schemas with the same name must be equal. */
export function named<S extends TSchema>(title: string, schema: S): S {
  return withMember(schema, "title", title);
}

/** Describes a schema at one place. The description of a named schema applies wherever it is used. */
export function about<S extends TSchema>(schema: S, sentence: string): S {
  return withMember(schema, "x-about", sentence);
}

/** A spread would lose TypeBox's hidden `~kind`, and Type.Partial would then silently return an empty object. */
function withMember<S extends TSchema>(schema: S, name: string, value: string): S {
  const member = { value, enumerable: true, configurable: true, writable: true };
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), [name]: member }) as S;
}

export const Email = named(
  "Email",
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s\\u0000-\\u001f\\u007f@<>,;:"()\\[\\]\\\\]{1,64}@[^\\s\\u0000-\\u001f\\u007f@<>,;:"()\\[\\]\\\\]{1,189}$',
    "x-message": "must be an e-mail address, for example ann@example.com",
  }),
);
/**
 * One line that is not blank: white space, then a visible character, then anything except control characters. No character matches two
 * adjacent parts, so there is no backtracking and matching takes linear time.
 */
const LINE = "^[^\\S\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$";
const ONE_LINE = "must be one line of text and must not be blank";
export const ISO_TIME = "must be an ISO 8601 time with a time zone, for example 2026-01-31T12:00:00Z";
const ISO_DATE = "must be a date, for example 2026-01-31";
/** For a text that contains only white space. */
export const NOT_BLANK = "must not be blank";
const SHA_256 = "must be a SHA-256 hash of 64 lower-case hexadecimal characters";
export const BASE_64 = "must be Base64 (RFC 4648, section 4)";
const SLUG = "must be the slug of a signer: 32 lower-case hexadecimal characters";
/** The name of a person or a company. */
export const Name = named("Name", Type.String({ minLength: 1, maxLength: 200, pattern: LINE, "x-message": ONE_LINE }));
/** A short text on a document: the name of a field, a role. */
export const Label = named("Label", Type.String({ minLength: 1, maxLength: 100, pattern: LINE, "x-message": ONE_LINE }));
/** Bytes in Base64 (RFC 4648, 4). A format instead of a pattern, because it can be as long as a body and must be checked within a millisecond. */
export const Base64 = named("Base64", Type.String({ format: "base64", contentEncoding: "base64", "x-message": BASE_64 }));
/** The reason for an action, for the audit trail. Not blank. */
export const Reason = named("Reason", Type.String({ minLength: 1, maxLength: 500, pattern: "\\S", "x-message": NOT_BLANK }));
export const Sha256 = named("Sha256", Type.String({ pattern: "^[0-9a-f]{64}$", "x-message": SHA_256 }));
/** Identifies a signer. */
export const Slug = named("Slug", Type.String({ pattern: SLUG_PATTERN, "x-message": SLUG }));
export const LocaleName = named("Locale", Type.Enum([...locales]));
export const RoleName = named("Role", Type.Enum([...roles]));
export const PermissionName = named("Permission", Type.Enum([...permissions]));
export const ModeName = named("Mode", Type.Enum([...modes]));
export const ScopeName = named("Scope", Type.Enum([...scopes]));
export const Day = named("Day", Type.String({ format: "date", "x-message": ISO_DATE }));
export const Timestamp = named(
  "Timestamp",
  Type.String({ format: "date-time", description: "ISO 8601, UTC, milliseconds", "x-message": ISO_TIME }),
);
export const OptionalTimestamp = nullable(Timestamp);

/** For a page that waits for a code. It tells a person what became of a message to their own address, and no one else. */
export const CodeMailView = named(
  "CodeMail",
  Type.Object({
    state: about(
      nullable(named("CodeMailState", Type.Enum(["queued", "sent", "failed"]))),
      "`queued`: it has not left yet, and we keep trying. `sent`: a mail server has accepted it. `failed`: it will not be sent. Null: no mailed code can be entered",
    ),
  }),
);
export type CodeMail = Static<typeof CodeMailView>;

/** `EnvelopeId`, `LegalHoldId`, … */
export function idOf(kind: IdKind) {
  const message = `must be ${idNames[kind]} (${idPrefixes[kind]}_…)`;
  return named(`${pascalCase(kind)}Id`, Type.String({ pattern: idPattern(kind), "x-message": message }));
}

/** `create_envelope` and `envelope.sent` become `CreateEnvelope` and `EnvelopeSent`, the names in generated code. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[_.-])([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

const idNames: Readonly<Record<IdKind, string>> = {
  envelope: "an envelope ID",
  customer: "a customer ID",
  template: "a template ID",
  key: "a key ID",
  org: "an organization ID",
  event: "an event ID",
  submission: "a submission ID",
  recipient: "a recipient ID",
  user: "a user ID",
  custodianPermission: "a custody transfer ID",
  session: "a session ID",
  invitation: "an invitation ID",
  message: "a message ID",
  endpoint: "an endpoint ID",
  delivery: "a delivery ID",
  attempt: "an attempt ID",
  issuedCopy: "a copy ID",
  seal: "a seal ID",
  authoritativeCopy: "an authoritative copy ID",
  vaultExport: "a vault export ID",
  legalHold: "a legal hold ID",
  device: "a browser ID",
  person: "a person ID",
  passkey: "a passkey ID",
  party: "a party ID",
  act: "an act ID",
  controlBatch: "a control batch ID",
  remoteVault: "a remote vault ID",
  vaultTransfer: "a vault transfer ID",
  recordEnding: "an ID of a record's end",
  auditGrant: "an audit grant ID",
  remoteRequest: "a remote request ID",
  view: "a view ID",
  notification: "a notification ID",
  form: "a form ID",
  document: "a document ID",
  bulkBatch: "a batch ID",
  factor: "a second factor ID",
  problem: "a problem ID",
  orgDomain: "a domain ID",
  ssoConnection: "a connection ID",
  auditSink: "an audit sink ID",
};

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

export function iso(at: Date): string {
  return at.toISOString();
}

export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
