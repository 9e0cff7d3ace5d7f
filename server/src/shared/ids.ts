import { randomBytes } from "node:crypto";

/** Every id prefix: those of the specification, and our own for records that it does not name. */
export const idPrefixes = {
  envelope: "env",
  customer: "cust",
  template: "tmpl",
  key: "lk",
  org: "org",
  event: "evt",
  submission: "sub",
  recipient: "rcp",
  user: "usr",
  custodianPermission: "cp",
  session: "ses",
  invitation: "inv",
  message: "msg",
  endpoint: "we",
  delivery: "whd",
  attempt: "wha",
  issuedCopy: "ci",
  seal: "seal",
  authoritativeCopy: "ac",
  vaultExport: "exp",
  legalHold: "hold",
  device: "dev",
  person: "ppl",
  passkey: "pk",
  party: "pty",
  act: "act",
  controlBatch: "cbt",
  remoteVault: "rv",
  vaultTransfer: "vt",
  recordEnding: "end",
  auditGrant: "agr",
  remoteRequest: "rrq",
  view: "view",
  notification: "ntf",
  form: "form",
  document: "doc",
  bulkBatch: "bat",
  factor: "fac",
  problem: "prb",
  orgDomain: "dom",
  ssoConnection: "sso",
  auditSink: "snk",
} as const;

export type IdKind = keyof typeof idPrefixes;

declare const brand: unique symbol;
export type Id<K extends IdKind> = string & { readonly [brand]: K };

export type OrgId = Id<"org">;
export type UserId = Id<"user">;
export type KeyId = Id<"key">;
export type SessionId = Id<"session">;
export type InvitationId = Id<"invitation">;
export type EnvelopeId = Id<"envelope">;
export type CustomerId = Id<"customer">;
export type EventId = Id<"event">;
export type TemplateId = Id<"template">;
export type DocumentId = Id<"document">;
export type SubmissionId = Id<"submission">;
export type RecipientId = Id<"recipient">;
export type MessageId = Id<"message">;
export type EndpointId = Id<"endpoint">;
export type DeliveryId = Id<"delivery">;
export type AttemptId = Id<"attempt">;
export type IssuedCopyId = Id<"issuedCopy">;
export type SealId = Id<"seal">;
export type PermissionId = Id<"custodianPermission">;
export type AuthoritativeCopyId = Id<"authoritativeCopy">;
export type ExportId = Id<"vaultExport">;
export type HoldId = Id<"legalHold">;
export type DeviceId = Id<"device">;
export type PersonId = Id<"person">;
export type AuditGrantId = Id<"auditGrant">;
export type AuditSinkId = Id<"auditSink">;
export type PasskeyId = Id<"passkey">;
export type PartyId = Id<"party">;
export type ActId = Id<"act">;
export type ControlBatchId = Id<"controlBatch">;
export type RemoteVaultId = Id<"remoteVault">;
export type VaultTransferId = Id<"vaultTransfer">;
export type EndingId = Id<"recordEnding">;
export type RemoteRequestId = Id<"remoteRequest">;
export type ViewId = Id<"view">;
export type ProblemId = Id<"problem">;
export type NotificationId = Id<"notification">;
export type FormId = Id<"form">;
export type BatchId = Id<"bulkBatch">;
export type FactorId = Id<"factor">;
export type DomainId = Id<"orgDomain">;
export type ConnectionId = Id<"ssoConnection">;

/** Crockford's alphabet in lower case, without i, l, o, u. Its order is its byte order, so ids sort by time under `collate "C"`. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** `<prefix>_` and a UUIDv7 (RFC 9562, 5.7) as 26 characters: 48 bits of time, then random bits. Not a secret. */
export const newId = <K extends IdKind>(kind: K, at: number = Date.now()): Id<K> => makeId(kind, at, UUID_VERSION);

/** The id of an organization that is a sandbox: the same with a UUIDv8, so that the id alone says what it is, to everyone who has it. */
export const newSandboxId = (at: number = Date.now()): OrgId => makeId("org", at, SANDBOX_UUID_VERSION);

/** Whether what the organization makes is test data. */
export const isSandbox = (org: OrgId): boolean => SANDBOX_VERSION_DIGITS.includes(org.charAt(idPrefixes.org.length + 1 + TIME_DIGITS));

export const modes = ["live", "test"] as const;
export type Mode = (typeof modes)[number];
export const modeOf = (org: OrgId): Mode => (isSandbox(org) ? "test" : "live");

const UUID_VERSION = 7;
const SANDBOX_UUID_VERSION = 8;

function makeId<K extends IdKind>(kind: K, at: number, version: number): Id<K> {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes[6] = (version << 4) | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return `${idPrefixes[kind]}_${crockford(bytes)}` as Id<K>;
}

function crockford(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

// 48 bits of time as ten digits of five bits.
const TIME_DIGITS = 10;
// The digit after them contains the four bits of the version and one random bit.
const SANDBOX_VERSION_DIGITS = ALPHABET.slice(2 * SANDBOX_UUID_VERSION, 2 * SANDBOX_UUID_VERSION + 2);

/** Not an id, but smaller than every one of this kind from this time on, and larger than every one before. */
export const firstId = (kind: IdKind, at: number): string => newId(kind, at).slice(0, idPrefixes[kind].length + 1 + TIME_DIGITS);

/** The time in an id, or in what `firstId` returned, in milliseconds. */
export function timeOf(id: string): number {
  const start = id.indexOf("_") + 1;
  let time = 0;
  for (const digit of id.slice(start, start + TIME_DIGITS)) time = time * ALPHABET.length + ALPHABET.indexOf(digit);
  return time;
}

/** The JSON-schema pattern of one kind of id. Path parameters must match it before the database is queried. */
export function idPattern(kind: IdKind): string {
  return `^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`;
}

const patterns = Object.fromEntries(Object.keys(idPrefixes).map((kind) => [kind, new RegExp(idPattern(kind as IdKind))])) as Record<
  IdKind,
  RegExp
>;

export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  return patterns[kind].test(text);
}
