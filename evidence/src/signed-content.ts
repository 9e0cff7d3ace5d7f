// Database rows contain what signers entered, how they signed and where it is drawn. Audit entries contain the hashes of the same values.
// Anyone who can write to the database can change a row, so rows are compared with the chain here before they are used.

import { createHash } from "node:crypto";
import { canonicalize, type Json } from "./canonical.ts";
import { type EnteredValue, hashOfValues } from "./document-state.ts";
import type { Head } from "./entry.ts";
import { firstFault, type Link } from "./verify-chain.ts";

/**
 * The version of the member lists that `fields_sha256` and `signers_sha256` cover. A changed list becomes a new version next to these.
 * Version 2 adds what a field has beyond its type, and what kind of recipient a signer is.
 */
export const CONTENT_VERSION = 2;
export type ContentVersion = 1 | 2;
const isContentVersion = (version: Json): version is ContentVersion => version === 1 || version === 2;

/**
 * A field as it was sent. `areas` is a list of a page and four fractions of the page; a row that was tampered with may contain anything.
 */
export type FieldRow = {
  readonly position: number;
  readonly name: string;
  readonly type: string;
  readonly role: string | null;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly options: readonly string[] | null;
  readonly prefilled: string | null;
  readonly default_value: string | null;
  readonly areas: unknown;
  // From here on: version 2.
  readonly document_no?: number;
  readonly field_key?: string | null;
  readonly settings?: unknown;
  readonly show_if?: unknown;
  readonly require_if?: unknown;
  readonly formula?: unknown;
};

export type SignerIdentity = {
  readonly turn: number;
  readonly email: string;
  readonly name: string;
  /** null for recipients without fields */
  readonly role: string | null;
  // From here on: version 2.
  readonly recipient_id?: string | null;
  readonly kind?: string;
  readonly step?: number | null;
  readonly delivery?: string;
};

export type SignerRow = SignerIdentity & {
  readonly slug: string;
  readonly status: string;
  /** ISO 8601 in UTC with milliseconds */
  readonly signed_at: string | null;
  /** of approvers and viewers: when they approved or confirmed; missing for signers */
  readonly acted_at?: string | null;
};

export type ValueRow = { readonly slug: string; readonly position: number; readonly value: string };

export type MarkRow = { readonly slug: string; readonly sha256: string; readonly method: string; readonly content: Uint8Array };

export type SignatureRow = {
  readonly slug: string;
  readonly position: number;
  readonly mark_sha256: string;
  readonly session: string;
  readonly intent_version: string;
  readonly intent_locale: string;
  readonly intent_sha256: string;
  readonly prepared_sha256: string;
  readonly state_sha256: string;
  readonly values_sha256: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly timezone: string | null;
  /** ISO 8601 in UTC with milliseconds */
  readonly signed_at: string;
};

/** One of several documents that were combined when the envelope was sent. */
export type DocumentRow = {
  /** from 1 */
  readonly document_no: number;
  readonly name: string;
  /** of its own PDF, without values */
  readonly sha256: string;
  /** where it begins in what was sent */
  readonly first_page: number;
  readonly pages: number;
  /** made for signers without a field of their own */
  readonly is_signature_page: boolean;
  /** its own sealed PDF; null if there is none */
  readonly part_sha256: string | null;
};

/** Everything that a signed document is made from, as stored in the database. */
export type SignedRows = {
  readonly org_id: string;
  readonly envelope_id: string;
  /** where the chain must end; null if the database has no chain */
  readonly head: Head | null;
  /** whether everyone who must act has */
  readonly is_completed: boolean;
  readonly prepared_sha256: string;
  /** null until the values are written into the document */
  readonly stamped_sha256: string | null;
  /** the sealed document that everyone gets; null until it is sealed, undefined if not to be compared */
  readonly signed_sha256?: string | null;
  /** whether signers must answer identity questions; undefined if not to be compared */
  readonly kba_required?: boolean;
  /** the documents that it was combined from; empty or missing for an envelope with one */
  readonly documents?: readonly DocumentRow[];
  readonly fields: readonly FieldRow[];
  readonly signers: readonly SignerRow[];
  readonly values: readonly ValueRow[];
  readonly signatures: readonly SignatureRow[];
  readonly marks: readonly MarkRow[];
};

export const differenceKinds = [
  "audit_trail", // the chain was changed, or lacks a required entry
  "document", // the PDF is not the one that was sent
  "documents", // which documents it was combined from, and on which pages they are
  "parts", // the sealed PDFs of single documents
  "fields",
  "signers",
  "status", // who has signed, approved or confirmed, and whether everyone has
  "signature", // when, where and in which session a signature was made
  "mark", // how a signature looks
  "values", // what a signer entered
  "stamped_document",
  "sealed_document",
  "identity_questions", // whether signers must answer them
  "appearances", // which signatures were drawn, by name, time and page
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** `signer` is the e-mail address of the signer concerned; null if the whole document is concerned. */
export type Difference = {
  readonly what: DifferenceKind;
  readonly signer: string | null;
  readonly expected: Json;
  readonly found: Json;
};

/**
 * The hash of the fields recorded in `envelope.sent`: SHA-256 of their canonical JSON in order of position. Fractions are decimal strings
 * with six places, because the canonical form allows only integers; a millionth of a page is smaller than a printer's dot.
 * @example hashOfFields([{ position: 0, name: "Signature", type: "signature", … }]) // "5c41…"
 */
export function hashOfFields(fields: readonly FieldRow[], version: ContentVersion = CONTENT_VERSION): string {
  const inOrder = [...fields].sort((a, b) => a.position - b.position);
  return hashOf(
    inOrder.map((field) => {
      const { position, name, type, role, required, readonly, options, prefilled, default_value, areas } = field;
      return {
        position,
        name,
        type,
        role,
        required,
        readonly,
        options,
        prefilled,
        default_value,
        areas: Array.isArray(areas) ? areas.map(areaOf) : null,
        ...(version === 2 && settingsOf(field)),
      };
    }),
  );
}

/** What version 2 adds to a field. */
export function settingsOf({ document_no, field_key, settings, show_if, require_if, formula }: FieldRow): Record<string, Json> {
  return {
    document_no: document_no ?? 1,
    field_key: field_key ?? null,
    settings: plainJson(settings ?? {}),
    show_if: plainJson(show_if ?? null),
    require_if: plainJson(require_if ?? null),
    formula: plainJson(formula ?? null),
  };
}

/** Numbers in settings are whole; a row that was tampered with may contain anything, and never equals what was sent. */
function plainJson(value: unknown): Json {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : String(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(plainJson);
  return Object.fromEntries(Object.entries(Object(value)).map(([key, member]) => [key, plainJson(member)]));
}

// A row that was tampered with may contain anything; an invalid area never equals a valid one.
function areaOf(area: unknown): Json {
  const { page, x, y, w, h } = Object(area) as Record<string, unknown>;
  return { page: Number.isSafeInteger(page) ? (page as number) : null, x: decimal(x), y: decimal(y), w: decimal(w), h: decimal(h) };
}

const decimal = (value: unknown): string | null => (typeof value === "number" && Number.isFinite(value) ? value.toFixed(6) : null);

/** The hash of the signers, in order of turn, recorded in `envelope.sent` and in every later entry that changes a signer. */
export function hashOfSigners(signers: readonly SignerIdentity[], version: ContentVersion = CONTENT_VERSION): string {
  const inOrder = [...signers].sort((a, b) => a.turn - b.turn);
  return hashOf(
    inOrder.map((signer) => {
      const { turn, email, name, role } = signer;
      return { turn, email, name, role, ...(version === 2 && recipientOf(signer)) };
    }),
  );
}

/** What version 2 adds to a signer. */
export function recipientOf({ recipient_id, kind, step, delivery }: SignerIdentity): Record<string, Json> {
  return { recipient_id: recipient_id ?? null, kind: kind ?? "signer", step: step ?? null, delivery: delivery ?? "email" };
}

/** The version of the lists that were hashed when the envelope was sent. Entries of the first release do not name it. */
export function contentVersionOf(links: readonly Link[]): ContentVersion {
  const version = entriesOf(links, "envelope.sent")[0]?.data.content_version ?? 1;
  return isContentVersion(version) ? version : CONTENT_VERSION;
}

const hashOf = (value: Json): string => sha256(canonicalize(value));
const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * The first difference between the signed content in the rows and in the chain; null if there is none. `links` is the whole chain.
 * Callers must use the rows that they passed in, and not read them again. Never throws, whatever a row contains. Values for which an
 * earlier release recorded no hash are not compared.
 * @example firstDifference(rows, links) // { what: "values", signer: "ann@example.com", expected: "9f2c…", found: "03aa…" }
 */
export function firstDifference(rows: SignedRows, links: readonly Link[]): Difference | null {
  for (const difference of differences(rows, links)) return difference;
  return null;
}

/** All differences. If the chain itself was changed, that is the only one, since nothing can be compared with it. */
export function* differences(rows: SignedRows, links: readonly Link[]): Generator<Difference> {
  const broken = chainDifference(rows, links) ?? trailDifference(links);
  if (broken !== null) return yield broken;
  const trail = trailOf(links);
  yield* sentDifferences(rows, trail);
  yield* documentDifferences(rows, links);
  yield* statusDifferences(rows, trail);
  yield* signatureDifferences(rows, trail);
  yield* valueDifferences(rows, trail);
  yield* stampDifferences(rows, trail);
}

function chainDifference({ org_id, envelope_id: subject, head }: SignedRows, links: readonly Link[]): Difference | null {
  if (head === null) return inTrail("the end of the audit trail", null);
  const fault = firstFault(links, { org_id, subject, head });
  return fault === null ? null : inTrail({ entry: fault.seq, value: fault.expected }, { fault: fault.kind, value: fault.found });
}

const inTrail = (expected: Json, found: Json): Difference => ({ what: "audit_trail", signer: null, expected, found });

type TrailEntry = { readonly seq: number; readonly at: string; readonly by: string; readonly data: Readonly<Record<string, Json>> };

interface Trail {
  readonly sent: TrailEntry;
  readonly corrections: readonly TrailEntry[];
  readonly signatures: readonly TrailEntry[];
  /** of approvers, with what they entered */
  readonly approvals: readonly TrailEntry[];
  /** of viewers */
  readonly confirmations: readonly TrailEntry[];
  readonly added: readonly TrailEntry[];
  readonly completed: TrailEntry | null;
  readonly stamped: TrailEntry | null;
  readonly sealed: TrailEntry | null;
}

// Entries with the new hash of all recipients.
const changes = ["signer.corrected", "recipient.added", "recipient.removed", "recipient.replaced"];
const acts = ["signature.applied", "recipient.approved", "recipient.confirmed"];
const compared = ["envelope.sent", ...changes, ...acts, "envelope.completed", "document.stamped", "document.sealed"];
const once = ["envelope.sent", "document.prepared", "envelope.completed", "document.stamped", "document.sealed"];

// Anyone who can write to the database can add an entry. An entry that may occur only once but occurs again, or that changes a recipient
// who has already acted, was not written by this service.
function trailDifference(links: readonly Link[]): Difference | null {
  const erased = links.find(({ entry, data }) => data === null && compared.includes(entry.type));
  if (erased !== undefined) return inTrail(`the data of entry ${erased.entry.seq}`, null);
  const [sent] = entriesOf(links, "envelope.sent");
  if (sent === undefined) return inTrail("an entry envelope.sent", null);
  for (const type of once) {
    const second = entriesOf(links, type)[1];
    if (second !== undefined) return inTrail(`one entry ${type}`, `a second one, entry ${second.seq}`);
  }
  const { content_version = 1 } = sent.data;
  if (!isContentVersion(content_version)) return inTrail(CONTENT_VERSION, content_version);
  const signed = entriesOf(links, "signature.applied");
  const late = entriesOf(links, "signer.corrected").find((one) =>
    signed.some((entry) => entry.seq < one.seq && entry.data.role === one.data.role),
  );
  if (late !== undefined) return inTrail("no correction of a signer who has signed", `entry ${late.seq}`);
  const acted = [...signed, ...entriesOf(links, "recipient.approved"), ...entriesOf(links, "recipient.confirmed")];
  const changed = [...entriesOf(links, "recipient.removed"), ...entriesOf(links, "recipient.replaced")].find((one) =>
    acted.some((entry) => entry.seq < one.seq && isSamePerson(entry, one)),
  );
  return changed === undefined ? null : inTrail("no change of a recipient who has acted", `entry ${changed.seq}`);
}

/** Signatures name a role, which signers alone have to themselves; approvals and confirmations name the recipient. */
function isSamePerson(act: TrailEntry, change: TrailEntry): boolean {
  const { role = null } = Object(change.data.from ?? change.data) as { role?: Json };
  const { recipient_id } = act.data;
  return recipient_id === undefined ? role !== null && role === act.data.role : recipient_id === change.data.recipient_id;
}

const entriesOf = (links: readonly Link[], type: string): TrailEntry[] =>
  links
    .filter(({ entry }) => entry.type === type)
    .map(({ entry, data }) => ({
      seq: entry.seq,
      at: entry.at,
      by: entry.actor.id,
      data: Object(data?.data) as Record<string, Json>,
    }));

function trailOf(links: readonly Link[]): Trail {
  return {
    sent: entriesOf(links, "envelope.sent")[0] as TrailEntry,
    corrections: changes.flatMap((type) => entriesOf(links, type)).sort((a, b) => a.seq - b.seq),
    signatures: entriesOf(links, "signature.applied"),
    approvals: entriesOf(links, "recipient.approved"),
    confirmations: entriesOf(links, "recipient.confirmed"),
    added: entriesOf(links, "recipient.added"),
    completed: entriesOf(links, "envelope.completed")[0] ?? null,
    stamped: entriesOf(links, "document.stamped")[0] ?? null,
    sealed: entriesOf(links, "document.sealed")[0] ?? null,
  };
}

function* sentDifferences(rows: SignedRows, { sent, corrections, added }: Trail): Generator<Difference> {
  yield* unequal("document", null, sent.data.prepared_sha256 ?? null, rows.prepared_sha256);
  const questions = sent.data.kba_required;
  if (questions !== undefined && rows.kba_required !== undefined) yield* unequal("identity_questions", null, questions, rows.kba_required);
  const fields = sent.data.fields_sha256;
  const version = sent.data.content_version === 2 ? 2 : 1;
  if (fields !== undefined) yield* unequal("fields", null, fields, hashOfFields(rows.fields, version));
  const signers = corrections.findLast(({ data }) => data.signers_sha256 !== undefined)?.data.signers_sha256 ?? sent.data.signers_sha256;
  if (signers !== undefined) yield* unequal("signers", null, signers, hashOfSigners(rows.signers, version));
  if (version === 1) yield* kindDifferences(rows, added);
}

/** A document as the entry `document.prepared` names it. */
export const preparedDocument = ({
  document_no,
  name,
  sha256,
  first_page,
  pages,
  is_signature_page,
}: Omit<DocumentRow, "part_sha256">) => ({
  document_no,
  name,
  sha256,
  first_page,
  pages,
  ...(is_signature_page === true && { is_signature_page }),
});

/** Every document, where it is in the whole, and its own sealed PDF are what the entries say. */
function* documentDifferences({ documents = [] }: SignedRows, links: readonly Link[]): Generator<Difference> {
  const told = entriesOf(links, "document.prepared")[0]?.data.documents ?? [];
  yield* unequal("documents", null, told, documents.map(preparedDocument));
  const parts = entriesOf(links, "document.part_sealed").map(({ data }) => [data.document_no ?? null, data.sha256 ?? null]);
  const found = documents.flatMap(({ document_no, part_sha256 }) => (part_sha256 === null ? [] : [[document_no, part_sha256]]));
  yield* unequal("parts", null, sorted(parts), sorted(found));
}

/** The hashes of version 1 do not cover what kind of recipient a person is. A person who is not a signer was added later, which an entry says. */
function* kindDifferences({ signers }: SignedRows, added: readonly TrailEntry[]): Generator<Difference> {
  for (const { email, kind = "signer", recipient_id = null } of signers) {
    const said = added.find(({ data }) => data.recipient_id === recipient_id)?.data.kind ?? "signer";
    yield* unequal("signers", email, said, kind);
  }
}

const FINISHED = { signer: "signed", approver: "approved", viewer: "confirmed" } as const;

const isActing = ({ kind = "signer" }: SignerRow): boolean => Object.hasOwn(FINISHED, kind);

/** The entry by which a recipient finished: of a signer, the first signature. A person who gets a copy has none. */
function actOf({ slug, kind = "signer" }: SignerRow, { signatures, approvals, confirmations }: Trail): TrailEntry | undefined {
  const entries: Readonly<Record<string, readonly TrailEntry[]>> = { signer: signatures, approver: approvals, viewer: confirmations };
  return entries[kind]?.find(({ by }) => by === slug);
}

function* statusDifferences(rows: SignedRows, trail: Trail): Generator<Difference> {
  const { completed } = trail;
  for (const signer of rows.signers.filter(isActing)) {
    const { email, status, kind = "signer", acted_at } = signer;
    const [act, finished] = [actOf(signer, trail), FINISHED[kind as keyof typeof FINISHED]];
    if ((act !== undefined) !== (status === finished))
      yield { what: "status", signer: email, expected: act === undefined ? `not ${finished}` : finished, found: status };
    if (act !== undefined && kind !== "signer") yield* unequal("status", email, act.data.acted_at ?? null, acted_at ?? null);
  }
  if (rows.is_completed !== (completed !== null)) {
    yield { what: "status", signer: null, expected: completed === null ? "not completed" : "completed", found: rows.is_completed };
  }
  const open = rows.is_completed ? rows.signers.filter(isActing).find((signer) => actOf(signer, trail) === undefined) : undefined;
  if (open !== undefined) yield { what: "status", signer: open.email, expected: EXPECTED[open.kind ?? "signer"] ?? null, found: null };
}

const EXPECTED: Readonly<Record<string, string>> = { signer: "a signature", approver: "an approval", viewer: "a confirmation" };

/** Every signature must have exactly one entry, and every entry exactly one signature. */
function* signatureDifferences(rows: SignedRows, { signatures }: Trail): Generator<Difference> {
  for (const entry of signatures) {
    const signer = nameOf(entry.data.user_email);
    const twice = signatures.find(({ seq, data }) => seq < entry.seq && data.position === entry.data.position);
    if (twice !== undefined) yield inTrail(`one signature at position ${entry.data.position}`, `entries ${twice.seq} and ${entry.seq}`);
    const row = rows.signatures.find(({ position }) => position === entry.data.position);
    if (row === undefined) yield { what: "signature", signer, expected: `a signature at position ${entry.data.position}`, found: null };
    else yield* oneSignature(rows, entry, row);
  }
  for (const { slug, position } of rows.signatures) {
    if (signatures.some(({ data }) => data.position === position)) continue;
    yield { what: "signature", signer: emailOf(rows, slug), expected: null, found: `a signature at position ${position}` };
  }
}

// A row contains the time of signing; an entry without `signed_at` only contains the time it was written, which can be later because of
// waiting.
const WRITTEN_WITHIN_MS = 60_000;

function* oneSignature(rows: SignedRows, { data, by, at }: TrailEntry, row: SignatureRow): Generator<Difference> {
  const signer = nameOf(data.user_email);
  const owner = rows.signers.find(({ slug }) => slug === row.slug);
  const field = rows.fields.find(({ position }) => position === row.position);
  const found: Record<string, Json> = {
    slug: row.slug,
    field: field?.name ?? null,
    kind: field?.type ?? null,
    role: owner?.role ?? null,
    user_email: owner?.email ?? null,
    signing_session: row.session,
    intent_version: row.intent_version,
    intent_locale: row.intent_locale,
    intent_sha256: row.intent_sha256,
    prepared_sha256: row.prepared_sha256,
    state_sha256: row.state_sha256,
    values_sha256: row.values_sha256,
    ip: row.ip,
    user_agent: row.user_agent,
    timezone: row.timezone,
  };
  const said: Record<string, Json> = { ...data, slug: by };
  const wrong = Object.keys(found).filter((member) => canonicalize(said[member] ?? null) !== canonicalize(found[member] ?? null));
  const pick = (from: Readonly<Record<string, Json>>) => Object.fromEntries(wrong.map((member) => [member, from[member] ?? null]));
  if (wrong.length > 0) yield { what: "signature", signer, expected: pick(said), found: pick(found) };
  yield* timeDifference(data.signed_at ?? null, at, row.signed_at, signer);
  yield* timeDifference(data.signed_at ?? null, at, owner?.signed_at ?? null, signer);
  yield* markDifference(rows, data, row, signer);
}

function* timeDifference(said: Json, written: string, found: string | null, signer: string | null): Generator<Difference> {
  if (said !== null) yield* unequal("signature", signer, said, found);
  else if (found === null || !(Math.abs(Date.parse(written) - Date.parse(found)) <= WRITTEN_WITHIN_MS)) {
    yield { what: "signature", signer, expected: written, found };
  }
}

function* markDifference(rows: SignedRows, { mark_sha256, method }: TrailEntry["data"], row: SignatureRow, signer: string | null) {
  yield* unequal("mark", signer, mark_sha256 ?? null, row.mark_sha256);
  const mark = rows.marks.find(({ slug, sha256 }) => slug === row.slug && sha256 === row.mark_sha256);
  yield* unequal("mark", signer, row.mark_sha256, mark === undefined ? null : sha256(mark.content));
  if (mark !== undefined) yield* unequal("mark", signer, method ?? null, mark.method);
}

/** All values of a person who has signed or approved must match; a person who has not must have none. */
function* valueDifferences(rows: SignedRows, { signatures, approvals }: Trail): Generator<Difference> {
  const all = [...signatures, ...approvals];
  const slugs = new Set([...all.map(({ by }) => by), ...rows.values.map(({ slug }) => slug)]);
  for (const slug of slugs) {
    const entries = all.filter(({ by }) => by === slug);
    const found = hashOfValues(enteredBy(rows, slug));
    const signer = entries[0] === undefined ? emailOf(rows, slug) : nameOf(entries[0].data.user_email);
    const expected = new Set(entries.map(({ data }) => data.values_sha256 ?? null));
    if (expected.size !== 1 || !expected.has(found)) yield { what: "values", signer, expected: [...expected][0] ?? null, found };
  }
}

function enteredBy({ values, signatures }: SignedRows, by: string): EnteredValue[] {
  return [
    ...values.filter(({ slug }) => slug === by).map(({ position, value }) => ({ position, value, mark_sha256: null })),
    ...signatures.filter(({ slug }) => slug === by).map(({ position, mark_sha256 }) => ({ position, value: null, mark_sha256 })),
  ];
}

function* stampDifferences(rows: SignedRows, { stamped, sealed }: Trail): Generator<Difference> {
  if (rows.signed_sha256 !== undefined) yield* unequal("sealed_document", null, sealed?.data.sha256 ?? null, rows.signed_sha256);
  yield* unequal("stamped_document", null, stamped?.data.sha256 ?? null, rows.stamped_sha256);
  if (stamped === null) return;
  const drawn = Array.isArray(stamped.data.appearances) ? stamped.data.appearances : [];
  yield* unequal("appearances", null, hashOf(sorted(drawn)), hashOf(sorted(appearancesOf(rows))));
}

/** What the PDF engine reports for each signature that it draws: one item per area. */
function appearancesOf({ signatures, fields, signers }: SignedRows): Json[] {
  return signatures.flatMap(({ position, slug, signed_at: time }): Json[] => {
    const field = fields.find((one) => one.position === position);
    const name = signers.find((one) => one.slug === slug)?.name ?? "";
    const areas = Array.isArray(field?.areas) ? (field.areas as unknown[]) : [];
    return areas.map((area): Json => {
      const { page } = Object(area) as { page?: unknown };
      const common = { field: `f${position}`, signer: field?.role ?? null, kind: field?.type ?? null, name, time };
      return { ...common, page: Number.isSafeInteger(page) ? (page as number) : null };
    });
  });
}

const sorted = (items: readonly Json[]): Json => [...items].sort((a, b) => (canonicalize(a) < canonicalize(b) ? -1 : 1));

function* unequal(what: DifferenceKind, signer: string | null, expected: Json, found: Json): Generator<Difference> {
  if (canonicalize(expected) !== canonicalize(found)) yield { what, signer, expected, found };
}

const nameOf = (email: Json | undefined): string | null => (typeof email === "string" ? email : null);
const emailOf = ({ signers }: SignedRows, slug: string): string | null => signers.find((one) => one.slug === slug)?.email ?? null;
