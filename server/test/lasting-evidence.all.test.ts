// What time brings to an installation must not take away what its records show: each change is made, every record is evaluated again under
// it, and the bundles of before and after verify against the first root. The columns are the changes, the rows are the records.
//
// LASTING_RECORDS=20 makes this many records. LASTING_OUT=<folder> keeps every bundle and the table, to verify them with other means.

import { createHash, randomBytes, X509Certificate } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTrustKeys, readVkey } from "@countersign/evidence";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeOrg } from "../../pdf/fixtures/certificates.ts";
import { onePage, text } from "../../pdf/fixtures/pages.ts";
import { makeAuthority } from "../../pdf/fixtures/time-stamp-authority.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { buildFeatures } from "../src/features.ts";
import { makeLogger } from "../src/logger.ts";
import { buildHttp } from "../src/main.ts";
import { type RevokedSeal, revokeSeal } from "../src/seals/revoke-seal.ts";
import { rotateKey } from "../src/seals/rotate-key.ts";
import { describeCertificate, signBy } from "../src/seals/seal.ts";
import { sealDocument } from "../src/seals/seal-document.ts";
import { admitSecrets } from "../src/secrets/admit-secrets.ts";
import { reWrap } from "../src/secrets/re-wrap.ts";
import { retireVersion } from "../src/secrets/retire-version.ts";
import { systemCaller } from "../src/shared/caller.ts";
import type { EnvelopeId, SealId } from "../src/shared/ids.ts";
import { scopes } from "../src/shared/scopes.ts";
import { type AppSecrets, deriveKeys } from "../src/shared/secrets.ts";
import { advanceLog } from "../src/transparency/advance-log.ts";
import { askWitnesses } from "../src/transparency/ask-witnesses.ts";
import { stampCheckpoint } from "../src/transparency/stamp-checkpoint.ts";
import { exportBundle } from "../src/vault/evidence-bundle.ts";
import { issueCertificate } from "../src/vault/issue-certificate.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import { PIPELINE, type PipelineDeps } from "../src/vault/vault.ts";
import { client } from "./client.ts";
import { type FormFile, form } from "./form.ts";
import { laterFeatures, laterTexts } from "./later-texts.ts";
import { logIn, type TestOrg, testService } from "./service.ts";
import { type AuthorityPeer, startAuthority } from "./time-stamp-authority.ts";
import { until } from "./until.ts";
import { vaultedByPipeline } from "./vaulted.ts";
import { testWitnesses } from "./witness.ts";

const service = testService();
const witnesses = testWitnesses();
const HOUR_MS = 3_600_000;
const out = process.env.LASTING_OUT;

let org: TestOrg;
let root: string;
let deps: PipelineDeps;
const authorities: AuthorityPeer[] = [];
afterAll(() => Promise.all(authorities.map((peer) => peer.close())));

const secured_party = { name: "First Example Bank, N.A." };
const signedHere = () => vaultedByPipeline(service, org, { secured_party });

const today = new Date().toISOString().slice(0, 10);
const elsewhere = (document_sha256: string) => ({
  attested_by: { name: "Ann", title: "Records manager" },
  signers: [{ name: "Sam", role: "Tenant", signed_on: today, auth_methods: ["email_link"] }],
  external: {
    provider: "another service",
    transaction_id: "7",
    consent_confirmed: true,
    prior_copy_status: "marked_as_copy",
    document_sha256,
  },
});
const onPaper = () => ({
  attested_by: { name: "Ann", title: "Records manager" },
  signers: [{ name: "Sam", role: "Tenant", signed_on: today, identified_by: "government_id" }],
  paper: {
    ink_signed: true,
    all_signatures_present: true,
    page_count: 1,
    original_disposition: "destroyed",
    disposition_on: today,
    disposition_by: "Ann",
  },
});

let uploads = 0;
async function uploaded(source: string, attestationOf: (document_sha256: string) => object, evidence?: FormFile): Promise<EnvelopeId> {
  const bytes = writePdf(onePage({ content: text(`Contract ${++uploads}`, 72, 600) }));
  const key = await org.newKey();
  const { json } = await key.send("POST", "/partner/customers", { body: { name: "Ann", email: `ann${uploads}@example.com` } });
  const path = `/partner/customers/${json.data.customer_id}/documents`;
  const made = await key.send("POST", path, form({}, { bytes, name: "Contract.pdf" }));
  const { envelope_id } = made.json.data;
  const certification = { accepted: true, terms_version: "2026-01" };
  const attestation = attestationOf(createHash("sha256").update(bytes).digest("hex"));
  const body = { source, certification, secured_party, attestation };
  const sent = evidence === undefined ? { body } : form({ payload: JSON.stringify(body) }, evidence);
  const depositing = key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-upload`, sent);
  const status = async () => (await key.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status;
  await until("the deposit", async () => (await status()) === "completed", 60_000);
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
  const { json: vaulted } = await depositing;
  expect([vaulted.error, vaulted.data?.missing_requirements]).toEqual([undefined, []]);
  return envelope_id;
}

const trail = { bytes: Buffer.from('{"events":["opened by Sam","signed by Sam"]}'), name: "trail.json", part: "evidence" };

const kinds: readonly (readonly [what: string, make: () => Promise<EnvelopeId>])[] = [
  ["signed here", signedHere],
  ["signed elsewhere", () => uploaded("electronic_signed", elsewhere, trail)],
  ["on paper", () => uploaded("paper_upload", onPaper)],
];
const count = Number(process.env.LASTING_RECORDS ?? kinds.length);

interface LastingRecord {
  readonly what: string;
  readonly envelope_id: EnvelopeId;
}
const records: LastingRecord[] = [];
/** the column, the record and what the verifier said */
const table: { readonly after: string; readonly what: string; readonly says: string }[] = [];
/** of the latest record that was there from the first column on */
let last: Uint8Array = new Uint8Array();

beforeAll(async () => {
  org = await service.newOrg();
  deps = service.features.vault;
  for (let n = 0; n < count; n++) {
    const [what, make] = kinds[n % kinds.length] ?? ["signed here", signedHere];
    records.push({ what: `${n + 1} ${what}`, envelope_id: await make() });
    // Each third has its own seal certificate, for the three reasons of revocation.
    if ((n + 1) % Math.ceil(count / 3) === 0) await endSealsSoon();
  }
  const { root_certificate } = (await (await fetch(`${service.url}/.well-known/countersign-trust.json`)).json()) as Record<string, string>;
  root = createHash("sha256")
    .update(new X509Certificate(Buffer.from(root_certificate ?? "", "base64")).raw)
    .digest("hex");
}, 600_000);

afterAll(() => {
  if (out === undefined) return;
  writeFileSync(join(out, "table.json"), JSON.stringify({ root, table }, null, 1));
});

/** The service as it would start with another authority. Only the roots of that authority are in the setting. */
async function askAuthority(at: Date): Promise<void> {
  const authority = await makeAuthority({ at });
  const peer = await startAuthority((request) => authority.answer(request));
  authorities.push(peer);
  useSeals({ ...deps.seals, timeStamps: { url: peer.url, roots: [authority.root], timeout_ms: 10_000 } });
  const latest = await advanceLog(deps.log);
  if (latest !== null) await stampCheckpoint(deps.log, latest);
}

function useSeals(seals: PipelineDeps["seals"]): void {
  deps = {
    ...deps,
    seals,
    log: { ...deps.log, seals, tsaRoots: seals.timeStamps.roots },
    seal: (id, bytes, reason) => sealDocument(seals, id, bytes, { reason }),
  };
}

async function publishNewer(): Promise<void> {
  deps = (await laterFeatures(service, laterTexts({ withEarlier: false }))).vault;
}

async function askOneWitness(): Promise<void> {
  const { json } = await org.admin("GET", "/org/transparency");
  const { witness } = await witnesses.start(readVkey(json.data.vkeys[0]) ?? expect.fail("the log has no key"));
  deps = { ...deps, log: { ...deps.log, notes: { ...deps.log.notes, witnesses: [witness] } } };
  expect(await askWitnesses(deps.log)).toEqual([]);
}

async function buySeal(): Promise<void> {
  const { seal, root: issuer } = await makeOrg(new Date(Date.now() - HOUR_MS));
  const { certificate_sha256, not_before, not_after } = describeCertificate(seal.certificate);
  const certificates = [seal.certificate, issuer.certificate] as const;
  useSeals({ ...deps.seals, bought: { certificates, sign: signBy(seal.key), certificate_sha256, not_before, not_after } });
}

/** The next document gets a new certificate. */
function endSealsSoon() {
  return service.database.owner("update seal_keys set not_after = now() + interval '10 days' where org_id = $1", [org.org_id]);
}

const sealIds = async (): Promise<SealId[]> =>
  (await service.database.owner<{ seal_id: SealId }>("select seal_id from seal_keys where org_id = $1 order by seal_id", [org.org_id])).map(
    ({ seal_id }) => seal_id,
  );

const revoke = async (which: number, reason: RevokedSeal["reason"], invalid_from: Date | null): Promise<void> => {
  const seal_id = (await sealIds()).at(which) as SealId;
  await revokeSeal(service.db, seal_id, { reason, invalid_from, by: systemCaller(org.org_id), onSealRevoked: async () => undefined });
};

const rotate = (purpose: Parameters<typeof rotateKey>[1]["purpose"]) =>
  rotateKey(deps.seals, { purpose, old_key_lost: false, record: async () => undefined });

/** The service as its latest start made it. */
let running = service;
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Another process with these versions of the secret, which is all that it has in common with those before it besides database and store. */
async function startWith(versions: AppSecrets): Promise<void> {
  const { db, features: first } = service;
  const config = { ...service.config, appSecrets: await admitSecrets(db, versions, async () => undefined) };
  const features = buildFeatures(config, db, undefined, first.pdf, first.proofs);
  const app = await buildHttp({ config, db, features, logger: makeLogger("silent"), checkAnswers: true });
  ends.push(() => app.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  running = { ...service, config, features, app, url, send: client(url) };
  const token = await logIn(running, org.email);
  const admin = client(url, { authorization: `Bearer ${token}` });
  const newKey = async () => {
    const { json } = await admin("POST", "/partners/keys", { body: { partner_name: "Partner", scopes, rate_limit_rpm: 1000 } });
    const { key_id, api_key } = json.data;
    return { key_id, api_key, send: client(url, { "x-api-key": api_key }) };
  };
  org = { ...org, token, admin, newKey };
  const { storage, values } = features.vault;
  deps = { ...deps, storage, values };
  useSeals({ ...deps.seals, sealKey: deriveKeys(config.appSecrets).seals });
}

const versions = (): AppSecrets => running.config.appSecrets;

/** The present version stays accepted, and everything stays encrypted under it. */
const useAnotherSecret = async (): Promise<void> => {
  const [present] = versions();
  await startWith([{ version: present.version + 1, secret: randomBytes(32).toString("hex") }, present]);
};

const encryptAgain = async (): Promise<void> => {
  const { unreadable, renewed } = await reWrap({ db: service.db, keys: deriveKeys(versions()) });
  expect(unreadable).toEqual([]);
  expect(renewed).toBeGreaterThan(0);
};

/** From now on no process has the version before. */
const retireEarlier = async (): Promise<void> => {
  const [present, earlier] = versions();
  const retired = { version: earlier?.version ?? expect.fail("there is no earlier version"), now: true, lost: false };
  await retireVersion(service.db, versions(), { ...retired, record: async () => undefined });
  await startWith([present]);
  expect(versions()).toEqual([present]);
};

/** What was begun before a change is not all: people go on signing. The record is one of those that the next columns verify. */
const signOneMore = async (): Promise<void> => {
  const what = `${records.length + 1} signed under version ${versions()[0].version} of the secret`;
  records.push({ what, envelope_id: await vaultedByPipeline(running, org, { secured_party }) });
};

const rotateAll = async (): Promise<void> => {
  for (const purpose of ["records", "log", "vault"] as const) await rotate(purpose);
};

const changes: readonly [what: string, change: () => Promise<unknown>][] = [
  ["nothing", async () => undefined],
  ["newer disclosure, intent and terms, without the earlier files", publishNewer],
  ["an authority switched on, two days late", () => askAuthority(new Date(Date.now() + 48 * HOUR_MS))],
  ["another authority in its place", () => askAuthority(new Date(Date.now() + 72 * HOUR_MS))],
  ["no authority any more", async () => useSeals({ ...deps.seals, timeStamps: { url: null, roots: [], timeout_ms: 10_000 } })],
  ["a witness", askOneWitness],
  ["a seal certificate renewed before its end", endSealsSoon],
  ["one seal certificate superseded", () => revoke(0, "superseded", null)],
  ["another one revoked, because the organization changed", () => revoke(1, "affiliation_changed", null)],
  ["a third one compromised after the witness saw the records", () => revoke(2, "key_compromise", new Date())],
  ["a bought seal", buySeal],
  ["each key replaced", rotateAll],
  ["each key replaced again", rotateAll],
  ["the root replaced", () => rotate("root")],
  ["the root replaced again", () => rotate("root")],
  ["another secret in use, with everything still encrypted under the one before", useAnotherSecret],
  ["a record signed while both secrets are accepted", signOneMore],
  ["everything encrypted again under the new secret", encryptAgain],
  ["the earlier secret retired, and known to no process", retireEarlier],
  ["a record signed without the earlier secret", signOneMore],
  ["each key replaced under the new secret", rotateAll],
  [
    "the secret replaced again, encrypted again and the one before retired",
    async () => {
      await useAnotherSecret();
      await encryptAgain();
      await retireEarlier();
      await signOneMore();
    },
  ],
];

async function verified(after: string, { what, envelope_id }: LastingRecord): Promise<string> {
  const bytes = await exportBundle(deps, org.org_id, envelope_id);
  return verdictOn(after, what, bytes);
}

/** The same bundle as a process with the present secrets alone hands it out, which decrypts every file of it. */
async function handedOut(after: string, { what, envelope_id }: LastingRecord): Promise<string> {
  const { status, bytes } = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  return status === 200 ? verdictOn(`${after}, handed out`, what, bytes) : `status ${status}`;
}

async function verdictOn(after: string, what: string, bytes: Uint8Array): Promise<string> {
  const { outcome, steps } = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
  const failed = steps.find(({ passed }) => !passed);
  const says = failed === undefined ? outcome : `${outcome}: ${failed.file ?? ""} ${failed.says}`;
  table.push({ after, what, says });
  if (what === records[count - 1]?.what) last = bytes;
  if (out !== undefined) {
    mkdirSync(join(out, after), { recursive: true });
    writeFileSync(join(out, after, `${what}.zip`), bytes);
  }
  return says;
}

test.each(changes)(
  "after %s, records are evaluated again, and their bundles of before and after verify",
  async (what, change) => {
    await change();
    for (const record of records) {
      expect(await verified(`${what}, not evaluated again`, record)).toBe("VERIFIED");
      const certificate = await issueCertificate(deps, org.org_id, record.envelope_id, PIPELINE);
      expect([record.what, certificate.score, certificate.result.missing_requirements]).toEqual([record.what, 100, []]);
      expect(await verified(what, record)).toBe("VERIFIED");
      if (running !== service) expect(await handedOut(what, record)).toBe("VERIFIED");
    }
  },
  600_000,
);

test("the last bundle of a record of the first column carries every seal certificate, both authorities and the witness", async () => {
  const files = unzipBundle(last);
  expect(files.filter(({ name }) => name.startsWith("trust/seals/"))).toHaveLength((await sealIds()).length);
  const keys = readTrustKeys(files.find(({ name }) => name === "trust/keys.json")?.bytes ?? new Uint8Array());
  expect(keys?.tsa_roots).toHaveLength(2);
  expect(files.map(({ name }) => name)).toContain("trust/witnesses.json");
});
