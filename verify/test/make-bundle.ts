// Test bundles with real keys, seals and log, made the way the service makes them; and forged ones, signed with all the real keys.

import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import {
  appendLeaves,
  type BundleParts,
  type Checkpoint,
  canonicalize,
  complianceOf,
  consistencyProof,
  EMPTY_LOG,
  type Facts,
  inclusionProof,
  keyIdOf,
  type Link,
  type NamedFile,
  type Place,
  registersOf,
  rootOf,
  type Signed,
  signRecord,
  signTrustKeys,
  type TrustKeys,
  type TrustKeys1,
  type TrustKeys2,
  writeBundle,
} from "@countersign/evidence";
import {
  createBudget,
  markCopy,
  openFonts,
  openPdf,
  placeSeal,
  readTimestampAnswer,
  roomFor,
  save,
  seal,
  timestampRequest,
} from "@countersign/pdf";
import {
  appended,
  envelope_id,
  hashed,
  makeRecord,
  minute,
  org_id,
  type RealDocument,
  type Told,
  type Wish,
} from "../../evidence/fixtures/record.ts";
import { sha256 } from "../../evidence/src/bundle/manifest.ts";
import { chainFacts } from "../../evidence/src/rules/1/chain-facts.ts";
import { makeOrg, spki, type TestOrg } from "../../pdf/fixtures/certificates.ts";
import { pages } from "../../pdf/fixtures/pages.ts";
import { makeAuthority } from "../../pdf/fixtures/time-stamp-authority.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";

const NOT_BEFORE = new Date("2026-03-04T06:00:00.000Z");

/** How a bundle differs from an honest one. Everything is signed after the change. */
export type Tampering = {
  readonly wish?: Partial<Wish>;
  readonly facts?: (facts: Facts) => Facts;
  /** entries appended after the facts and the certificate */
  readonly later?: readonly Told[];
  readonly parts?: (parts: BundleParts) => BundleParts;
  readonly keys?: (keys: TrustKeys1) => TrustKeys;
  readonly copy?: (content: Uint8Array) => Promise<Uint8Array>;
  /** recorded instead of the results of the checks */
  readonly compliance?: (compliance: object) => object;
  /** how many entries the checkpoint of the vaulting covers; by default all entries so far */
  readonly covered?: number;
  readonly stamped_at?: string;
};

export type Shape = { readonly kind?: BundleParts["kind"]; readonly source?: Wish["source"]; readonly timed?: boolean };

export type Made = { readonly zip: Uint8Array; readonly root: string; readonly tsa_root: Uint8Array | null; readonly parts: BundleParts };

type Keys = {
  readonly org: TestOrg;
  readonly records: { readonly privateKey: KeyObject };
  readonly key_id: string;
  readonly spki: Uint8Array;
  /** seals documents in another way than ours */
  readonly seal?: (bytes: Uint8Array, at: Date) => Promise<Uint8Array>;
};

async function makeKeys(): Promise<Keys> {
  const records = generateKeyPairSync("ed25519");
  const der = spki(records.privateKey);
  return { org: await makeOrg(NOT_BEFORE), records, key_id: keyIdOf(der), spki: der };
}

let shared: Promise<Keys> | null = null;

/** One set of keys for a whole test file. Pass other keys to `makeBundle` for a stranger's bundle. */
export function sharedKeys(): Promise<Keys> {
  shared ??= makeKeys();
  return shared;
}

export const strangersKeys = makeKeys;

const seals = new WeakMap<Keys, Map<string, Promise<Uint8Array>>>();

/** Seals a document once per set of keys, however many bundles contain it. */
function sealed(keys: Keys, bytes: Uint8Array, reason: string, at: string): Promise<Uint8Array> {
  const known = seals.get(keys) ?? new Map<string, Promise<Uint8Array>>();
  seals.set(keys, known);
  const key = `${reason} ${sha256(bytes)}`;
  const made = known.get(key) ?? makeSeal(keys, bytes, reason, at);
  known.set(key, made);
  return made;
}

async function makeSeal({ org, seal: sealOtherwise }: Keys, bytes: Uint8Array, reason: string, at: string): Promise<Uint8Array> {
  if (sealOtherwise !== undefined) return sealOtherwise(bytes, new Date(at));
  const certificates = [org.seal.certificate];
  const place = { name: "Example", reason, at: new Date(at), room: roomFor(certificates, false), marker: randomBytes(32) };
  return (await seal(await placeSeal(bytes, place), { certificates, sign: org.sign })).bytes;
}

let copied: Promise<Uint8Array> | null = null;

// All bundles contain the same document, so it is marked once.
function markedOnce(content: Uint8Array): Promise<Uint8Array> {
  copied ??= marked(content);
  return copied;
}

async function marked(content: Uint8Array): Promise<Uint8Array> {
  const doc = await openPdf(Uint8Array.from(content), createBudget());
  markCopy(doc, { band: `COPY, not the authoritative copy · ${envelope_id} · ci_a`, diagonal: "COPY" }, openFonts());
  return save(doc);
}

/** A log that other chains also write to: one foreign entry before each of ours. */
function logOf(links: readonly Link[]) {
  const hashes = links.flatMap(({ entry }) => [hashed(`foreign ${entry.seq}`), entry.hash]);
  const { nodes } = appendLeaves(EMPTY_LOG, hashes);
  const stored = new Map(nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
  const read = (places: readonly Place[]) => places.map(({ level, index }) => stored.get(`${level}/${index}`) ?? "");
  const indexOf = (seq: number) => 2 * seq - 1;
  const treeAt = (seq: number) => {
    const tree_size = indexOf(seq) + 1;
    return { tree_size, root: rootOf(appendLeaves(EMPTY_LOG, hashes.slice(0, tree_size)).frontier) };
  };
  return { read, indexOf, treeAt };
}

function checkpointAt(
  { records, key_id }: Keys,
  tree: { tree_size: number; root: string },
  at: string,
): Signed & { checkpoint: Checkpoint } {
  const checkpoint: Checkpoint = { type: "countersign/checkpoint/1", log_id: "log_a", ...tree, at, key_id };
  return { ...signRecord(checkpoint, records.privateKey), checkpoint };
}

/** The same keys as a test root lists them. */
export function asListOfTests({ root_sha256, issued_at, records, seals, tsa_roots }: TrustKeys1): TrustKeys2 {
  const open = { not_after: null, revoked_at: null, invalid_from: null, reason: null };
  const not_before = "2026-01-01T00:00:00.000Z";
  return {
    type: "countersign/keys/2",
    test: true,
    log_id: "ab".repeat(32),
    root_sha256,
    issued_at,
    roots: [{ generation: 1, certificate_sha256: root_sha256, algorithm: "ES256", not_before, ...open }],
    records: records.map((key, index) => ({ ...open, ...key, generation: index + 1, algorithm: "EdDSA" })),
    log: [],
    vault: [],
    seals: seals.map((seal) => ({ ...seal, invalid_from: null, reason: null })),
    tsa_roots,
  };
}

/** Makes an honest bundle, or one with the given differences. */
export async function makeBundle(shape: Shape = {}, odd: Tampering = {}, keys?: Keys): Promise<Made> {
  const { kind = "evidence", source = "signed_here", timed = false } = shape;
  const all = keys ?? (await sharedKeys());
  const content = writePdf(pages(2));
  const authoritative = await sealed(all, content, `Authoritative copy ac_a of ${envelope_id}`, minute(17));
  const document = realDocument(all, content, authoritative);
  const record = makeRecord({ source, document, ...odd.wish });
  const stored = odd.covered ?? record.links.length;
  const vaulted = checkpointAt(all, logOf(record.links).treeAt(stored), minute(stored));
  const time = timed ? await stampedTime(vaulted.bytes, odd.stamped_at ?? minute(stored)) : null;
  const facts = factsWith(record.facts, vaulted.checkpoint, stored, time?.at ?? null);
  const told = odd.facts?.(facts) ?? facts;
  const compliance = odd.compliance === undefined ? complianceOf(told) : odd.compliance(complianceOf(facts) ?? {});
  const certificate = await sealed(all, writePdf(pages(1)), `Certificate of ${envelope_id}`, minute(61));
  const files = {
    facts: Buffer.from(canonicalize(told)),
    compliance: Buffer.from(canonicalize(compliance)),
    certificate,
  };
  const copy = await sealed(all, await (odd.copy ?? markedOnce)(content), `Copy of ${envelope_id}, not the authoritative copy`, minute(62));
  const links = [...laterActs(files, copy, told), ...(odd.later ?? [])].reduce(
    (chain, act, n) => appended(chain, act, minute(61 + n)),
    record.links,
  );
  const parts: BundleParts = {
    kind,
    org_id,
    envelope_id,
    created_at: minute(90),
    document: kind === "export" ? authoritative : copy,
    ...files,
    links,
    ...(await logParts(all, links, vaulted, time?.token ?? null, stored)),
    registers: registersOf(chainFacts(links, { org_id, subject: envelope_id }).milestones) ?? {
      type: "countersign/registers/1",
      custody: [],
      assignments: [],
    },
    texts: ["disclosure", "terms", "intent"].map((name): NamedFile => ({ name: `texts/${name}-2026-01.en.md`, bytes: Buffer.from(name) })),
    supplied: facts.evidence_file === null ? null : { name: "evidence/supplied.json", bytes: Buffer.from("evidence") },
    trust: trustOf(all, time?.root ?? null, odd),
  };
  const final = odd.parts?.(parts) ?? parts;
  const zip = await writeBundle(final, { sign: (bytes) => sign(null, bytes, all.records.privateKey), key_id: all.key_id });
  return { zip, root: sha256(all.org.root.certificate), tsa_root: time?.root ?? null, parts: final };
}

function realDocument({ org }: Keys, content: Uint8Array, authoritative: Uint8Array): RealDocument {
  return {
    received_sha256: hashed("received"),
    stored_sha256: hashed("stored"),
    prepared_sha256: hashed("prepared"),
    content_sha256: sha256(content),
    sha256: sha256(authoritative),
    size: authoritative.length,
    pages: 2,
    subject: new X509Certificate(org.seal.certificate).subject.split("\n").join(", "),
    certificate_sha256: sha256(org.seal.certificate),
  };
}

async function stampedTime(bytes: Uint8Array, at: string): Promise<{ token: Uint8Array; root: Uint8Array; at: string }> {
  const authority = await makeAuthority({ at: new Date(at) });
  const asked = { imprint: Buffer.from(sha256(bytes), "hex"), nonce: randomBytes(8) };
  const { token, at: stated } = readTimestampAnswer(authority.answer(timestampRequest(asked)), { ...asked, roots: [authority.root] });
  return { token, root: authority.root, at: stated };
}

function factsWith(facts: Facts, { tree_size, root, at, key_id }: Checkpoint, covers_seq: number, gen_time: string | null): Facts {
  const token = gen_time === null ? null : { gen_time, valid: true, fault: null, tree_size };
  return {
    ...facts,
    checkpoint: { tree_size, root, at, key_id, covers_seq, signed: true },
    time: { configured: token !== null, token, failure: null },
  };
}

function laterActs(files: Pick<BundleParts, "facts" | "compliance" | "certificate">, copy: Uint8Array, facts: Facts): Told[] {
  const actor = { kind: "system", id: "system" };
  const issued = {
    revision: facts.certificate?.revision ?? 0,
    score: 100,
    pdf_sha256: sha256(files.certificate),
    json_sha256: sha256(files.compliance),
    facts_sha256: sha256(files.facts),
  };
  return [
    { type: "vault.certificate.issued", actor, data: issued },
    { type: "copy.issued", actor, data: { copy_id: "ci_a", kind: "copy", sha256: sha256(copy), pages: 2, marked_pages: 2 } },
    { type: "vault.document.accessed", actor, data: { what: "evidence", by: "usr_sam", ip: "127.0.0.1", user_agent: "a browser" } },
  ];
}

async function logParts(keys: Keys, links: readonly Link[], vaulted: Signed, token: Uint8Array | null, stored: number) {
  const log = logOf(links);
  const tree = log.treeAt(links.length);
  const { bytes, signature } = checkpointAt(keys, tree, minute(89));
  const inclusions = await Promise.all(
    links.map(async ({ entry: { seq } }) => ({
      seq,
      index: log.indexOf(seq),
      proof: await inclusionProof(log.indexOf(seq), tree.tree_size, log.read),
    })),
  );
  const consistency = await consistencyProof(log.treeAt(stored).tree_size, tree.tree_size, log.read);
  return {
    proofs: { type: "countersign/proofs/1", inclusions, consistency } as const,
    vaulted: { bytes: vaulted.bytes, signature: vaulted.signature, token },
    latest: { bytes, signature },
  };
}

function trustOf({ org, key_id, spki: public_key }: Keys, tsa: Uint8Array | null, odd: Tampering): BundleParts["trust"] {
  const not_before = NOT_BEFORE.toISOString();
  const honest: TrustKeys1 = {
    type: "countersign/keys/1",
    root_sha256: sha256(org.root.certificate),
    issued_at: minute(90),
    records: [{ key_id, public_key: Buffer.from(public_key).toString("hex"), not_before, not_after: null }],
    seals: [{ certificate_sha256: sha256(org.seal.certificate), not_before, not_after: "2029-03-04T06:00:00.000Z", revoked_at: null }],
    tsa_roots: tsa === null ? [] : [sha256(tsa)],
  };
  const keys = signTrustKeys(odd.keys?.(honest) ?? honest, org.root.key);
  return { root: org.root.certificate, seal: [org.seal.certificate], keys, tsa: tsa === null ? [] : [tsa] };
}
