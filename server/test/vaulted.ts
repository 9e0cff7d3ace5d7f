import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalize } from "@countersign/evidence";
import { expect } from "vitest";
import { onePage, text } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { appendAudit } from "../src/audit/append-audit.ts";
import { sql } from "../src/db/sql.ts";
import { lookUpVersion } from "../src/envelopes/document-store.ts";
import type { Sealed, SecuredParty } from "../src/envelopes/envelope.ts";
import { finishDocument } from "../src/envelopes/finish-document.ts";
import { type AuthoritativeCopyId, type EnvelopeId, newId, type OrgId, type PermissionId, type UserId } from "../src/shared/ids.ts";
import { scopes } from "../src/shared/scopes.ts";
import { type BlobName, blobKey } from "../src/storage/blob-store.ts";
import { keepBlob } from "../src/storage/store.ts";
import { storeBlob } from "../src/storage/store-blob.ts";
import { advanceLog } from "../src/transparency/advance-log.ts";
import { recordAssignee } from "../src/vault/assignments/record-assignee.ts";
import { vaultJobCaller } from "../src/vault/copy.ts";
import { SWEEP_SLICES } from "../src/vault/keeping/store.ts";
import { type SliceLimits, type VerifiedSlice, verifySlice } from "../src/vault/keeping/verify-slice.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import { signAll } from "./ceremony.ts";
import { client, type Send } from "./client.ts";
import { accept, invite, newEmail } from "./invitations.ts";
import { newTemplate, plainPdf } from "./lease.ts";
import type { TestKey, TestOrg, TestService } from "./service.ts";

/** Vaulted envelopes and their custodians. */

export interface Vaulted {
  readonly envelope_id: EnvelopeId;
  readonly copy_id: AuthoritativeCopyId;
  /** of the first custodian; by default, the admin of the org */
  readonly permission_id: PermissionId;
  readonly custodian: UserId;
  readonly sha256: string;
}

export interface VaultedValues {
  readonly custodian?: UserId;
  readonly secured_party?: SecuredParty;
}

const buyer = { email: "ann@example.com", name: "Ann", role: "Buyer" };
const contract = writePdf(onePage({ content: text("{{Signature;role=Buyer;type=signature}}", 72, 600) }));

const templates = new WeakMap<TestOrg, Map<Uint8Array, string>>();

/** Envelopes of an org with the same document share its template. */
async function templateOf(org: TestOrg, pdf: Uint8Array): Promise<string> {
  const known = templates.get(org) ?? new Map<Uint8Array, string>();
  templates.set(org, known);
  const template_id = known.get(pdf) ?? (await newTemplate(await org.newKey(), pdf));
  known.set(pdf, template_id);
  return template_id;
}

/** An envelope that was signed over HTTP, with its document stamped and sealed. */
export async function completedEnvelope(service: TestService, org: TestOrg): Promise<EnvelopeId> {
  const template_id = await templateOf(org, contract);
  const body = { envelope_name: "Contract", customer_email: buyer.email, customer_name: buyer.name, template_id, signers: [buyer] };
  const envelope_id = (await org.admin("POST", "/partner/envelopes", { body })).json.data.envelope_id as EnvelopeId;
  const sent = await org.admin("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  await signAll(service, org, envelope_id, [[buyer.email]]);
  await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
  return envelope_id;
}

export async function vaultedEnvelope(service: TestService, org: TestOrg, values: VaultedValues = {}): Promise<Vaulted> {
  return vaultCompleted(service, org, await completedEnvelope(service, org), values);
}

export interface Deposited {
  readonly envelope_name?: string;
  /** tagged for the role Buyer, with only a signature to fill in */
  readonly pdf?: Uint8Array;
  readonly secured_party?: SecuredParty;
  readonly record_type?: "chattel_paper" | "transferable_record";
  readonly maker_roles?: readonly string[];
}

/** Signed over HTTP and vaulted by the pipeline itself, with a real evaluation and a readable certificate. */
export async function vaultedByPipeline(service: TestService, org: TestOrg, deposited: Deposited = {}): Promise<EnvelopeId> {
  const envelope_id = await completedForVault(service, org, deposited);
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
  return envelope_id;
}

/** Signed over HTTP, with its document stamped, and to be vaulted next. */
export async function completedForVault(service: TestService, org: TestOrg, deposited: Deposited = {}): Promise<EnvelopeId> {
  const envelope_id = await signedForVault(service, org, deposited);
  await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
  return envelope_id;
}

/** Signed over HTTP; the job that finishes its document waits. */
export async function signedForVault(service: TestService, org: TestOrg, deposited: Deposited = {}): Promise<EnvelopeId> {
  const { pdf = contract, ...more } = deposited;
  const template_id = await templateOf(org, pdf);
  const values = { envelope_name: "Contract", customer_email: buyer.email, customer_name: buyer.name, template_id, signers: [buyer] };
  const body = { ...values, auto_vault_enabled: true, ...more };
  const made = await org.admin("POST", "/partner/envelopes", { body });
  expect([made.status, made.json.error]).toEqual([201, undefined]);
  const { envelope_id } = made.json.data as { envelope_id: EnvelopeId };
  const certification = { accepted: true, terms_version: "2026-01" };
  const sent = await org.admin("POST", `/partner/envelopes/${envelope_id}/send`, { body: { certification } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  await signAll(service, org, envelope_id, [[buyer.email]]);
  return envelope_id;
}

export async function vaultedCopy(service: TestService, org: TestOrg): Promise<Vaulted> {
  const [one] = await vaultedCopies(service, org, 1);
  return one ?? expect.fail("no copy was made");
}

/** Runs the whole pipeline on a completed envelope. */
async function vaultCompleted(service: TestService, org: TestOrg, envelope_id: EnvelopeId, values: VaultedValues = {}): Promise<Vaulted> {
  const copy_id = newId("authoritativeCopy");
  const content = await service.db.tx(org.org_id, (tx) => lookUpVersion(tx, org.org_id, envelope_id, "stamped"));
  const stored = await storedFor(service, org.org_id, copy_id, envelope_id, content ?? expect.fail("nothing was stamped"));
  return recordCopy(service, org, { copy_id, envelope_id, stored, ...values });
}

/** Sealing is slow, so copies that are created in large numbers share the stored bytes of their org. */
const sharedBytes = new WeakMap<TestOrg, Promise<Stored>>();

function sharedStored(service: TestService, org: TestOrg): Promise<Stored> {
  const known = sharedBytes.get(org);
  if (known !== undefined) return known;
  const made = storeBlob(service.features.storage, org.org_id, plainPdf).then((content) =>
    storedFor(service, org.org_id, newId("authoritativeCopy"), newId("envelope"), content),
  );
  sharedBytes.set(org, made);
  return made;
}

/** For tests of races and rules: each copy has its own rows and entries, but they share the bytes. */
export async function vaultedCopies(service: TestService, org: TestOrg, count: number, values: VaultedValues = {}): Promise<Vaulted[]> {
  const stored = await sharedStored(service, org);
  const copies: Vaulted[] = [];
  for (let i = 0; i < count; i++) {
    const envelope_id = newId("envelope");
    await service.database.owner(
      "insert into envelopes (org_id, envelope_id, envelope_name, status, completed_at) values ($1, $2, 'Contract', 'completed', now())",
      [org.org_id, envelope_id],
    );
    copies.push(await recordCopy(service, org, { copy_id: newId("authoritativeCopy"), envelope_id, stored, ...values }));
  }
  return copies;
}

interface Stored {
  readonly content: BlobName;
  readonly sealed: BlobName;
  readonly seal: Sealed["seal"];
  readonly certificate: { readonly facts: BlobName; readonly json: BlobName; readonly pdf: BlobName };
}

async function storedFor(
  service: TestService,
  org: OrgId,
  copy_id: AuthoritativeCopyId,
  envelope_id: EnvelopeId,
  content: BlobName,
): Promise<Stored> {
  const { envelopes, storage } = service.features;
  const bytes = await storage.blobs.read(org, content.sha256);
  const { bytes: sealed, seal } = await envelopes.seal(org, bytes, `Authoritative copy ${copy_id} of ${envelope_id}`);
  const { bytes: certificate } = await envelopes.seal(org, plainPdf, `Certificate ${envelope_id}-r1`);
  const json = (value: object) => storeBlob(storage, org, Buffer.from(canonicalize(value)));
  // As far as a bundle reads them.
  const facts = {
    type: "countersign/facts/1",
    source: "signed_here",
    provider: null,
    certificate: { revision: 1 },
    checkpoint: { tree_size: (await advanceLog(service.features.log))?.tree_size ?? 0 },
    time: { token: null },
    envelope: { envelope_id, secured_party: null },
    seal: null,
    signers: [],
  };
  return {
    content,
    sealed: await storeBlob(storage, org, sealed),
    seal,
    certificate: {
      facts: await json(facts),
      json: await json({ envelope_id, type: "compliance" }),
      pdf: await storeBlob(storage, org, certificate),
    },
  };
}

const RETENTION_MS = 2557 * 86_400_000;

type Recorded = VaultedValues & {
  readonly copy_id: AuthoritativeCopyId;
  readonly envelope_id: EnvelopeId;
  readonly stored: Stored;
};

async function recordCopy(service: TestService, org: TestOrg, { copy_id, envelope_id, stored, ...values }: Recorded): Promise<Vaulted> {
  const { org_id } = org;
  const { content, sealed, seal, certificate } = stored;
  const { custodian = org.user_id, secured_party } = values;
  const permission_id = newId("custodianPermission");
  const by = vaultJobCaller(org_id);
  await service.db.tx(org_id, async (tx) => {
    for (const blob of [sealed, content, certificate.facts, certificate.json, certificate.pdf]) await keepBlob(tx, org_id, blob.sha256);
    const stored_at = tx.now;
    const retention_until = new Date(stored_at.getTime() + RETENTION_MS);
    await tx.query(sql`
      insert into authoritative_copies (org_id, copy_id, envelope_id, sha256, size, content_sha256, parent_sha256, source, seal_id, seal_level,
        sealed_at, stored_at, retention_until, lock_until)
      values (${org_id}, ${copy_id}, ${envelope_id}, ${sealed.sha256}, ${sealed.size}, ${content.sha256}, ${content.sha256}, 'signed_here',
        ${seal.seal_id}, ${seal.level}, ${seal.sealed_at}, ${stored_at}, ${retention_until}, ${retention_until})`);
    await tx.query(sql`
      insert into document_versions (org_id, envelope_id, kind, sha256, parent_sha256, size)
      values (${org_id}, ${envelope_id}, 'authoritative', ${sealed.sha256}, ${content.sha256}, ${sealed.size})`);
    const data = {
      copy_id,
      hash: sealed.sha256,
      size: sealed.size,
      content_sha256: content.sha256,
      parent_sha256: content.sha256,
      source: "signed_here",
      seal_id: seal.seal_id,
      retention_until: retention_until.toISOString(),
    };
    await appendAudit(tx, org_id, { type: "vault.stored", by, envelope_id, data });
    await tx.query(sql`
      insert into custodian_permissions (org_id, permission_id, copy_id, envelope_id, user_id, state, expected_version, initiated_by,
        initiated_at, activated_at)
      values (${org_id}, ${permission_id}, ${copy_id}, ${envelope_id}, ${custodian}, 'active', 1, ${JSON.stringify(by.actor)}, ${stored_at},
        ${stored_at})`);
    await appendAudit(tx, org_id, { type: "custody.assigned", by, envelope_id, data: { permission_id, user_id: custodian } });
    if (secured_party !== undefined) await recordAssignee(tx, by, envelope_id, { party: secured_party, consent: null });
    const path = `${org_id}/vault/${envelope_id}/certificate-r1.pdf`;
    const hashes = { facts_sha256: certificate.facts.sha256, json_sha256: certificate.json.sha256, pdf_sha256: certificate.pdf.sha256 };
    await tx.query(sql`
      insert into certificates (org_id, envelope_id, revision, path, facts_sha256, json_sha256, pdf_sha256, score, passed, rules, standing,
        result, evaluated_at)
      values (${org_id}, ${envelope_id}, 1, ${path}, ${hashes.facts_sha256}, ${hashes.json_sha256}, ${hashes.pdf_sha256}, 87, false, 1, 'not_assessed',
        '{}', now())`);
    await appendAudit(tx, org_id, { type: "vault.certificate.issued", by, envelope_id, data: { revision: 1, score: 87, ...hashes } });
    await tx.query(sql`
      update envelopes set status = 'vaulted', certificate_path = ${path}, vault_file_path = ${`${org_id}/vault/${envelope_id}/contract.pdf`}
      where org_id = ${org_id} and envelope_id = ${envelope_id}`);
  });
  return { envelope_id, copy_id, permission_id, custodian, sha256: sealed.sha256 };
}

export interface Swept extends Omit<VerifiedSlice, "isUnfinished"> {}

/** What the jobs of one sweep do for each slice that has a live copy, until it is finished. */
export async function sweepVault(
  service: TestService,
  limits: SliceLimits & { readonly of?: TestService["features"]["vault"] } = {},
): Promise<Swept> {
  const { of = service.features.vault, ...slice_limits } = limits;
  const sweep = { seed: newId("envelope"), began_at: new Date().toISOString() };
  const total = { sound: 0, tampered: 0, mismatched: 0, broken: 0, away: null as Swept["away"], failures: [] as unknown[] };
  const slices = await service.database.owner<{ slice: number }>(
    `select distinct (abs(hashtext(envelope_id)::bigint) % ${SWEEP_SLICES})::int as slice from authoritative_copies where state in ('active', 'escrowed', 'papering')`,
  );
  for (const { slice } of slices) {
    for (let more = true; more; ) {
      const swept = await verifySlice(of, { slice, ...sweep }, slice_limits);
      for (const key of ["sound", "tampered", "mismatched", "broken"] as const) total[key] += swept[key];
      total.away ??= swept.away;
      total.failures.push(...swept.failures);
      more = swept.isUnfinished;
    }
  }
  return total;
}

export interface Person {
  readonly user_id: UserId;
  readonly send: Send;
}

/** A new member of the org, with their session. */
export async function newMember(service: TestService, org: TestOrg, role = "member"): Promise<Person> {
  const { token } = await invite(org, newEmail(), role);
  const { json } = await accept(service, token);
  return { user_id: json.data.user.user_id, send: client(service.url, { authorization: `Bearer ${json.data.token}` }) };
}

/** A key that another admin of the org created. All keys of one person count as that person. */
export async function keyOfAnother(service: TestService, org: TestOrg): Promise<TestKey> {
  const { send } = await newMember(service, org, "admin");
  const { json } = await send("POST", "/partners/keys", { body: { partner_name: "Partner", scopes, rate_limit_rpm: 1000 } });
  const { key_id, api_key } = json.data;
  return { key_id, api_key, send: client(service.url, { "x-api-key": api_key }) };
}

const EMPTY_ZIP = Buffer.from(`504b0506${"00".repeat(18)}`, "hex");

/** Replaces the export bundle with the authoritative bytes, read and hashed, followed by the end of a ZIP file. */
export function standInBundles(service: TestService): void {
  const { vault, storage } = service.features;
  const exportBundle = async (org: OrgId, envelope_id: EnvelopeId) => {
    const rows = await service.database.owner<{ sha256: string }>("select sha256 from authoritative_copies where envelope_id = $1", [
      envelope_id,
    ]);
    return Buffer.concat([await storage.blobs.read(org, rows[0]?.sha256 ?? ""), EMPTY_ZIP]);
  };
  Object.assign(vault, { exportBundle });
}

/** The path of the stored bytes, for tests that access them without the service. */
export const blobFile = (service: TestService, { org_id }: TestOrg, sha256: string): string =>
  join(service.config.dataDir, "blobs", blobKey(org_id, sha256));

/** Flips one bit in the middle of a stored file, as a failing disk or an intruder would. */
export async function flipBit(service: TestService, org: TestOrg, sha256: string): Promise<void> {
  const path = blobFile(service, org, sha256);
  const bytes = await readFile(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await chmod(path, 0o644);
  await writeFile(path, bytes);
}
