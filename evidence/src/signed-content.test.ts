import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { nextEntry } from "./chain.ts";
import { hashOfState, hashOfValues } from "./document-state.ts";
import type { Head } from "./entry.ts";
import {
  type DifferenceKind,
  type DocumentRow,
  differenceKinds,
  type FieldRow,
  firstDifference,
  hashOfFields,
  hashOfSigners,
  type SignedRows,
  type SignerRow,
} from "./signed-content.ts";
import type { Link } from "./verify-chain.ts";

// One envelope in memory, as the service writes it: two signers, each with a text field and a signature.

const ORG = "org_1";
const ENVELOPE = "env_1";
const AT = ["2026-03-01T10:00:00.000Z", "2026-03-01T11:00:00.000Z"] as const;
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const PREPARED = hashOf("the PDF");
const SALT = new Uint8Array(32).fill(7);

const field = (position: number, type: string, role: string): FieldRow => ({
  position,
  name: `Field ${position}`,
  type,
  role,
  required: true,
  readonly: false,
  options: null,
  prefilled: null,
  default_value: null,
  areas: [{ page: 1, x: 0.1, y: 0.1 + position / 10, w: 0.3, h: 0.06 }],
});

/** With the members of version 2. */
const withSettings = (row: FieldRow): FieldRow => ({
  ...row,
  document_no: 1,
  field_key: `field_${row.position}`,
  settings: row.type === "text" ? { max_length: 40 } : {},
  show_if: null,
  require_if: null,
  formula: null,
});

const fields = [
  field(0, "text", "Tenant"),
  field(1, "signature", "Tenant"),
  field(2, "text", "Landlord"),
  field(3, "signature", "Landlord"),
].map(withSettings);
const recipient = { kind: "signer", delivery: "email" } as const;
const people = [
  { slug: "slug-a", turn: 1, email: "ann@example.com", name: "Ann", role: "Tenant", recipient_id: "rcp_a", step: 1, ...recipient },
  { slug: "slug-b", turn: 2, email: "sam@example.com", name: "Sam", role: "Landlord", recipient_id: "rcp_b", step: 2, ...recipient },
] as const;

interface Made {
  readonly rows: SignedRows;
  readonly links: readonly Link[];
}

interface Wanted {
  /** entries as earlier releases wrote them */
  readonly old?: boolean;
  readonly version?: 1 | 2;
  readonly signed?: 0 | 1 | 2;
  readonly stamped?: boolean;
  readonly more?: (append: (type: string, data: object, by?: string) => void, rows: SignedRows) => void;
}

function made({ old = false, version = 2, signed = 2, stamped = true, more }: Wanted = {}): Made {
  const links: Link[] = [];
  let head: Head | null = null;
  const append = (type: string, data: object, by = "system") => {
    const at = AT[1];
    const actor = { kind: by === "system" ? "system" : "signer", id: by };
    const next = nextEntry(head, { org_id: ORG, subject: ENVELOPE, type, at, actor, data: data as never, salt: SALT });
    links.push({ entry: next.entry, data: next.data });
    head = next.head;
  };
  const signers = people.map((one, index): SignerRow => {
    const hasSigned = index < signed;
    return { ...one, status: hasSigned ? "signed" : "pending", signed_at: hasSigned ? AT[1] : null };
  });
  const hashed = { fields_sha256: hashOfFields(fields, version), signers_sha256: hashOfSigners(signers, version) };
  const hashes = { kba_required: true, content_version: version, ...hashed };
  append("envelope.created", {});
  append("envelope.sent", { prepared_sha256: PREPARED, ...(!old && hashes) });
  const done = people.slice(0, signed).map(({ slug, email, role }, index) => {
    const content = Buffer.from(`{"text":"${slug}"}`);
    const [position, mark_sha256] = [index * 2 + 1, createHash("sha256").update(content).digest("hex")];
    const value = { slug, position: index * 2, value: `what ${slug} entered` };
    const common = {
      mark_sha256,
      intent_version: "1",
      intent_locale: "en",
      intent_sha256: hashOf("intent"),
      prepared_sha256: PREPARED,
      state_sha256: hashOfState(PREPARED, []),
      values_sha256: hashOfValues([
        { position: value.position, value: value.value, mark_sha256: null },
        { position, value: null, mark_sha256 },
      ]),
      ip: "203.0.113.1",
      user_agent: "a browser",
      timezone: "Europe/Berlin",
    };
    const told = { field: `Field ${position}`, position, kind: "signature", method: "typed", role, user_email: email };
    append("signature.applied", { ...common, ...told, signing_session: "s1", ...(!old && { signed_at: AT[1] }) }, slug);
    const signature = { ...common, slug, position, session: "s1", signed_at: AT[1] };
    return { value, signature, mark: { slug, sha256: mark_sha256, method: "typed", content } };
  });
  const isStamped = stamped && signed === 2;
  if (signed === 2) append("envelope.completed", {});
  const drawn = people.map(({ name, role: signer }, index) => {
    return { field: `f${index * 2 + 1}`, signer, kind: "signature", name, time: AT[1], page: 1 };
  });
  if (isStamped) append("document.stamped", { sha256: hashOf("stamped"), appearances: drawn });
  if (isStamped) append("document.sealed", { sha256: hashOf("sealed") });
  const rows = (): SignedRows => ({
    org_id: ORG,
    envelope_id: ENVELOPE,
    head,
    is_completed: signed === 2,
    prepared_sha256: PREPARED,
    stamped_sha256: isStamped ? hashOf("stamped") : null,
    signed_sha256: isStamped ? hashOf("sealed") : null,
    kba_required: true,
    fields,
    signers,
    values: done.map(({ value }) => value),
    signatures: done.map(({ signature }) => signature),
    marks: done.map(({ mark }) => mark),
  });
  more?.(append, rows());
  return { rows: rows(), links };
}

const what = ({ rows, links }: Made, change: (rows: SignedRows) => object = () => ({})) =>
  firstDifference({ ...rows, ...change(rows) }, links)?.what ?? null;

const first = <T>(list: readonly T[], change: Partial<T>): T[] => list.map((one, index) => (index === 0 ? { ...one, ...change } : one));

/** Every way to change one row, and the difference that must be found. */
const changes: readonly (readonly [DifferenceKind, string, (rows: SignedRows) => Partial<SignedRows>])[] = [
  ["document", "another PDF", () => ({ prepared_sha256: hashOf("another") })],
  ["fields", "an area", ({ fields }) => ({ fields: first(fields, { areas: [{ page: 1, x: 0.1, y: 0.100001, w: 0.3, h: 0.06 }] }) })],
  ["fields", "areas that are not a list", ({ fields }) => ({ fields: first(fields, { areas: { page: "1" } }) })],
  ["fields", "invalid areas", ({ fields }) => ({ fields: first(fields, { areas: [null, "x", { x: Number.NaN }] }) })],
  ["fields", "a type", ({ fields }) => ({ fields: first(fields, { type: "date" }) })],
  ["fields", "a role", ({ fields }) => ({ fields: first(fields, { role: "Landlord" }) })],
  ["fields", "whether it is required", ({ fields }) => ({ fields: first(fields, { required: false }) })],
  ["fields", "whether it is locked", ({ fields }) => ({ fields: first(fields, { readonly: true }) })],
  ["fields", "its choices", ({ fields }) => ({ fields: first(fields, { options: ["a"] }) })],
  ["fields", "what the sender filled in", ({ fields }) => ({ fields: first(fields, { prefilled: "x" }) })],
  ["fields", "its default value", ({ fields }) => ({ fields: first(fields, { default_value: "x" }) })],
  ["fields", "a missing field", ({ fields }) => ({ fields: fields.slice(1) })],
  ["fields", "an additional field", ({ fields }) => ({ fields: [...fields, field(9, "text", "Tenant")] })],
  ["signers", "a name", ({ signers }) => ({ signers: first(signers, { name: "Eve" }) })],
  ["signers", "an address", ({ signers }) => ({ signers: first(signers, { email: "eve@example.com" }) })],
  ["signers", "a role", ({ signers }) => ({ signers: first(signers, { role: "Witness" }) })],
  ["signers", "a missing signer", ({ signers }) => ({ signers: signers.slice(1) })],
  ["status", "a status", ({ signers }) => ({ signers: first(signers, { status: "viewed" }) })],
  ["status", "whether all have signed", () => ({ is_completed: false })],
  ["signature", "the IP address", ({ signatures }) => ({ signatures: first(signatures, { ip: "203.0.113.9" }) })],
  ["signature", "a browser", ({ signatures }) => ({ signatures: first(signatures, { user_agent: "x" }) })],
  ["signature", "a time zone", ({ signatures }) => ({ signatures: first(signatures, { timezone: null }) })],
  ["signature", "a session", ({ signatures }) => ({ signatures: first(signatures, { session: "s2" }) })],
  ["signature", "the text that was agreed to", ({ signatures }) => ({ signatures: first(signatures, { intent_sha256: hashOf("x") }) })],
  ["signature", "what the signer saw", ({ signatures }) => ({ signatures: first(signatures, { state_sha256: hashOf("x") }) })],
  ["signature", "the time of a signature", ({ signatures }) => ({ signatures: first(signatures, { signed_at: AT[0] }) })],
  ["signature", "when a signer signed", ({ signers }) => ({ signers: first(signers, { signed_at: AT[0] }) })],
  ["signature", "its signer", ({ signatures }) => ({ signatures: first(signatures, { slug: "slug-b" }) })],
  ["signature", "a missing signature", ({ signatures }) => ({ signatures: signatures.slice(1) })],
  [
    "signature",
    "an additional signature",
    ({ signatures }) => ({ signatures: [...signatures, { ...(signatures[0] as (typeof signatures)[number]), position: 9 }] }),
  ],
  ["mark", "a drawing", ({ marks }) => ({ marks: first(marks, { content: Buffer.from("x") }) })],
  ["mark", "how it was made", ({ marks }) => ({ marks: first(marks, { method: "drawn" }) })],
  ["mark", "a missing drawing", ({ marks }) => ({ marks: marks.slice(1) })],
  ["values", "a value", ({ values }) => ({ values: first(values, { value: "x" }) })],
  ["values", "a missing value", ({ values }) => ({ values: values.slice(1) })],
  ["values", "an additional value", ({ values }) => ({ values: [...values, { slug: "slug-a", position: 7, value: "x" }] })],
  ["values", "a value of an unknown signer", ({ values }) => ({ values: [...values, { slug: "slug-x", position: 7, value: "x" }] })],
  [
    "values",
    "the values of two signers, swapped",
    ({ values }) => ({ values: values.map((one) => ({ ...one, slug: one.slug === "slug-a" ? "slug-b" : "slug-a" })) }),
  ],
  ["stamped_document", "another stamped version", () => ({ stamped_sha256: hashOf("another") })],
  ["stamped_document", "none", () => ({ stamped_sha256: null })],
  ["sealed_document", "another sealed version", () => ({ signed_sha256: hashOf("another") })],
  ["sealed_document", "none", () => ({ signed_sha256: null })],
  ["identity_questions", "switched off", () => ({ kba_required: false })],
  ["audit_trail", "a missing head", () => ({ head: null })],
];

const LEASE: DocumentRow = {
  document_no: 1,
  name: "Lease",
  sha256: hashOf("lease"),
  first_page: 1,
  pages: 2,
  is_signature_page: false,
  part_sha256: hashOf("sealed lease"),
};
const LAST: DocumentRow = { ...LEASE, document_no: 2, name: "Signature page", first_page: 3, pages: 1, is_signature_page: true };

/** Combined from a lease and a signature page, each sealed on its own. */
function madeOfTwo(): Made {
  const { rows, links } = made({
    more: (append) => {
      const told = ({ is_signature_page, part_sha256: _, ...rest }: DocumentRow) => ({
        ...rest,
        ...(is_signature_page && { is_signature_page }),
      });
      append("document.prepared", { documents: [LEASE, LAST].map(told) });
      for (const { document_no, part_sha256: sha256 } of [LEASE, LAST]) append("document.part_sealed", { document_no, sha256 });
    },
  });
  return { rows: { ...rows, documents: [LEASE, LAST] }, links };
}

const ofDocuments: readonly (readonly [DifferenceKind, (documents: readonly DocumentRow[]) => readonly DocumentRow[]])[] = [
  ["documents", () => []],
  ["documents", ([one]) => (one === undefined ? [] : [one])],
  ["documents", (all) => all.toReversed()],
  ["documents", (all) => first(all, { name: "Sale" })],
  ["documents", (all) => first(all, { sha256: hashOf("another") })],
  ["documents", (all) => first(all, { first_page: 2 })],
  ["documents", (all) => first(all, { pages: 3 })],
  ["documents", (all) => first(all, { is_signature_page: true })],
  ["parts", (all) => first(all, { part_sha256: hashOf("another") })],
  ["parts", (all) => first(all, { part_sha256: null })],
];

describe("the rows of a signed document", () => {
  test("match their trail at every stage and in any order", () => {
    for (const old of [false, true]) {
      for (const signed of [0, 1, 2] as const) {
        const { rows, links } = made({ old, signed });
        const turned = { fields: rows.fields.toReversed(), signers: rows.signers.toReversed(), values: rows.values.toReversed() };
        expect(firstDifference({ ...rows, ...turned }, links), `${signed} signed, ${old ? "earlier" : "this"} release`).toBeNull();
      }
    }
    expect(firstDifference(made({ stamped: false }).rows, made({ stamped: false }).links)).toBeNull();
  });

  test.each(changes)("differ in %s: %s", (kind, _name, change) => {
    expect(what(made(), change)).toBe(kind);
  });

  test("of several documents match the entries that name them, and differ if a document, its pages or its sealed PDF do", () => {
    const several = madeOfTwo();
    expect(firstDifference(several.rows, several.links)).toBeNull();
    for (const [kind, change] of ofDocuments) expect(what(several, ({ documents = [] }) => ({ documents: change(documents) }))).toBe(kind);
    expect(
      what(made(), () => ({ documents: [LEASE] })),
      "a document that was not sent",
    ).toBe("documents");
    const sealed = ({ documents = [] }: SignedRows) => ({ documents: documents.map((one) => ({ ...one, part_sha256: null })) });
    expect(what(several, sealed), "an entry without its PDF").toBe("parts");
    const twice = made({
      more: (append) => {
        for (let n = 0; n < 2; n++) append("document.prepared", {});
      },
    });
    expect(firstDifference(twice.rows, twice.links)?.what, "sent twice").toBe("audit_trail");
  });

  test("every kind of difference is covered by a case", () => {
    const drawn = made({ old: true });
    const renamed = ({ signers }: SignedRows) => ({ signers: first(signers, { name: "Eve" }) });
    expect(what(drawn, renamed), "of an envelope without hashes, what was drawn").toBe("appearances");
    expect(new Set([...changes.map(([kind]) => kind), ...ofDocuments.map(([kind]) => kind), "appearances"])).toEqual(
      new Set(differenceKinds),
    );
  });

  test("of an earlier release are compared without the hashes of fields and signers", () => {
    const early = made({ old: true, signed: 1 });
    expect(what(early, ({ signers }) => ({ signers: first(signers, { name: "Eve" }) }))).toBeNull();
    expect(what(early, ({ fields }) => ({ fields: first(fields, { prefilled: "x" }) }))).toBeNull();
    expect(what(early, ({ values }) => ({ values: first(values, { value: "x" }) }))).toBe("values");
    expect(what(early, ({ signatures }) => ({ signatures: first(signatures, { signed_at: AT[0] }) }))).toBe("signature");
  });

  test("give the signer, the expected and the found value of a difference", () => {
    const { rows, links } = made();
    const difference = firstDifference({ ...rows, values: first(rows.values, { value: "x" }) }, links);
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(difference).toEqual({ what: "values", signer: "ann@example.com", expected: rows.signatures[0]?.values_sha256, found: hash });
  });
});

describe("entries added to the trail", () => {
  const corrected = (more: NonNullable<Wanted["more"]>, signed: 0 | 1 | 2 = 1) => made({ signed, more });

  test("a correction counts from then on, but not after its signer has signed", () => {
    const renamed = (rows: SignedRows, index: number) => rows.signers.map((one, at) => (at === index ? { ...one, name: "Eve" } : one));
    const add = (index: number, role: string) =>
      corrected((append, rows) => append("signer.corrected", { role, signers_sha256: hashOfSigners(renamed(rows, index)) }));
    expect(what(add(1, "Landlord"), (rows) => ({ signers: renamed(rows, 1) }))).toBeNull();
    expect(what(add(1, "Landlord"))).toBe("signers");
    expect(what(add(0, "Tenant"), (rows) => ({ signers: renamed(rows, 0) }))).toBe("audit_trail");
  });

  test("a second sending, stamping or signature in one place is a difference", () => {
    expect(what(corrected((append) => append("envelope.sent", { prepared_sha256: PREPARED })))).toBe("audit_trail");
    expect(what(corrected((append) => append("document.stamped", {}), 2))).toBe("audit_trail");
    const again = corrected((append, rows) => append("signature.applied", { ...rows.signatures[0], position: 1 }, "slug-a"));
    expect(what(again)).not.toBeNull();
  });

  test("erased data, an unknown version and a missing sending are differences", () => {
    const { rows, links } = made();
    const erased = links.map((link) => (link.entry.type === "signature.applied" ? { ...link, data: null } : link));
    expect(what({ rows, links: erased })).toBe("audit_trail");
    expect(what({ rows, links: [] })).toBe("audit_trail");
    expect(what(made({ signed: 0, more: (append) => append("x.y", {}) }))).toBeNull();
    const later = made();
    const unknown = later.links.map((link) => ({ ...link, data: link.data && { ...link.data, data: { content_version: 3 } } }));
    expect(what({ rows: later.rows, links: unknown })).toBe("audit_trail");
  });
});

test("any change to any row is found, and without a change there is no difference", () => {
  const whole = made();
  const lists = ["fields", "signers", "values", "signatures"] as const;
  // Any text except the current value.
  const anyChange = fc.record({ list: fc.constantFrom(...lists), row: fc.nat(), member: fc.nat(), text: fc.string({ unit: "grapheme" }) });
  fc.assert(
    fc.property(anyChange, ({ list, row, member, text }) => {
      const rows = whole.rows[list] as readonly Record<string, unknown>[];
      const at = row % rows.length;
      const names = Object.keys(rows[at] ?? {});
      const name = names[member % names.length] ?? "";
      const old = rows[at]?.[name];
      const now = typeof old === "number" ? old + 1 : typeof old === "boolean" ? !old : name === "areas" ? [] : `${old}${text}x`;
      const changed = { ...whole.rows, [list]: rows.map((one, index) => (index === at ? { ...one, [name]: now } : one)) };
      expect(firstDifference(changed, whole.links)).not.toBeNull();
    }),
  );
});

test("an envelope that was sent with version 1 matches, and what that version did not cover is not compared", () => {
  const sent = made({ version: 1 });
  expect(what(sent)).toBeNull();
  expect(what(sent, (rows) => ({ fields: rows.fields.map((row) => ({ ...row, settings: { max_length: 41 } })) }))).toBeNull();
  expect(what(sent, (rows) => ({ fields: rows.fields.map((row) => ({ ...row, name: "Other" })) }))).toBe("fields");
  expect(what(made(), (rows) => ({ fields: rows.fields.map((row) => ({ ...row, settings: { max_length: 41 } })) }))).toBe("fields");
});

describe("the hashes in entries", () => {
  test("cover canonical JSON with six places for each fraction, as printed in docs/vault.md", () => {
    const signers = [{ turn: 1, email: "ann@example.com", name: "Ann", role: "Tenant" }];
    expect(hashOfSigners(signers, 1)).toBe(hashOf('[{"email":"ann@example.com","name":"Ann","role":"Tenant","turn":1}]'));
    const sent = [{ ...field(0, "signature", "Tenant"), name: "Signature" }];
    const text =
      '[{"areas":[{"h":"0.060000","page":1,"w":"0.300000","x":"0.100000","y":"0.100000"}],"default_value":null,"name":"Signature","options":null,"position":0,"prefilled":null,"readonly":false,"required":true,"role":"Tenant","type":"signature"}]';
    expect(hashOfFields(sent, 1)).toBe(hashOf(text));
    const printed = readFileSync(new URL("../../docs/vault.md", import.meta.url), "utf8");
    expect(printed).toContain(`${text}\n${hashOfFields(sent, 1)}\n`);
    expect(printed).toContain(`"turn":1}]\n${hashOfSigners(signers, 1)}\n`);
    const recipients = signers.map((one) => ({ ...one, ...recipient, recipient_id: "rcp_01h2xcejqtf2nbrexx3vqjhp41", step: 1 }));
    const rent = { ...withSettings(field(0, "number", "Tenant")), name: "Rent", field_key: "rent", settings: { places: 2, max: "5000" } };
    expect(printed).toContain(`"step":1,"turn":1}]\n${hashOfSigners(recipients)}\n`);
    expect(printed).toContain(`"show_if":null,"type":"number"}]\n${hashOfFields([rent])}\n`);
  });
});
