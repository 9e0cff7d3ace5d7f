// What time brings to an installation must not take away what its records show: each change is made, the record is evaluated again under
// it, and every bundle so far is verified against the first root.

import { createHash, X509Certificate } from "node:crypto";
import { readTrustKeys } from "@countersign/evidence";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAuthority } from "../../pdf/fixtures/time-stamp-authority.ts";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { type RevokedSeal, revokeSeal } from "../src/seals/revoke-seal.ts";
import { rotateKey } from "../src/seals/rotate-key.ts";
import { sealDocument } from "../src/seals/seal-document.ts";
import { systemCaller } from "../src/shared/caller.ts";
import type { EnvelopeId, SealId } from "../src/shared/ids.ts";
import { advanceLog } from "../src/transparency/advance-log.ts";
import { stampCheckpoint } from "../src/transparency/stamp-checkpoint.ts";
import { exportBundle } from "../src/vault/evidence-bundle.ts";
import { issueCertificate } from "../src/vault/issue-certificate.ts";
import { PIPELINE, type PipelineDeps } from "../src/vault/vault.ts";
import { type TestOrg, testService } from "./service.ts";
import { type AuthorityPeer, startAuthority } from "./time-stamp-authority.ts";
import { vaultedByPipeline } from "./vaulted.ts";

const service = testService();
const HOUR_MS = 3_600_000;

let org: TestOrg;
let envelope_id: EnvelopeId;
let root: string;
let deps: PipelineDeps;
const peers: AuthorityPeer[] = [];
const bundles: { readonly after: string; readonly bytes: Uint8Array }[] = [];

beforeAll(async () => {
  org = await service.newOrg();
  envelope_id = await vaultedByPipeline(service, org, { secured_party: { name: "First Example Bank, N.A." } });
  deps = service.features.vault;
  await keepBundle("nothing");
  const { root_certificate } = (await (await fetch(`${service.url}/.well-known/countersign-trust.json`)).json()) as Record<string, string>;
  root = createHash("sha256")
    .update(new X509Certificate(Buffer.from(root_certificate ?? "", "base64")).raw)
    .digest("hex");
});
afterAll(() => Promise.all(peers.map((peer) => peer.close())));

const keepBundle = async (after: string): Promise<void> => {
  bundles.push({ after, bytes: await exportBundle(deps, org.org_id, envelope_id) });
};

/** The service as it would start with another authority. Only the roots of that authority are in the setting. */
async function askAuthority(at: Date): Promise<void> {
  const authority = await makeAuthority({ at });
  const peer = await startAuthority((request) => authority.answer(request));
  peers.push(peer);
  const seals = { ...deps.seals, timeStamps: { url: peer.url, roots: [authority.root], timeout_ms: 10_000 } };
  useSeals(seals, [authority.root]);
}

function useSeals(seals: PipelineDeps["seals"], tsaRoots: readonly Uint8Array[]): void {
  deps = {
    ...deps,
    seals,
    log: { ...deps.log, seals, tsaRoots },
    seal: (id, bytes, reason) => sealDocument(seals, id, bytes, { reason }),
  };
}

const stampLatest = async (): Promise<void> => {
  const latest = await advanceLog(deps.log);
  if (latest !== null) await stampCheckpoint(deps.log, latest);
};

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

const changes: readonly [what: string, change: () => Promise<unknown>][] = [
  ["an authority is switched on, two days after the storing", () => askAuthority(new Date(Date.now() + 48 * HOUR_MS)).then(stampLatest)],
  ["another authority, whose root replaces the first one's", () => askAuthority(new Date(Date.now() + 72 * HOUR_MS)).then(stampLatest)],
  ["no authority any more", async () => useSeals({ ...deps.seals, timeStamps: { url: null, roots: [], timeout_ms: 10_000 } }, [])],
  [
    "a seal certificate that was about to end",
    () => service.database.owner("update seal_keys set not_after = now() + interval '10 days' where org_id = $1", [org.org_id]),
  ],
  ["the first seal certificate superseded", () => revoke(0, "superseded", null)],
  ["the second one revoked, because the organization changed", () => revoke(1, "affiliation_changed", null)],
  ["each key replaced", async () => Promise.all([rotate("records"), rotate("log"), rotate("vault")])],
  ["the root replaced", () => rotate("root")],
];

test.each(changes)("after %s, the record is evaluated again and every bundle so far verifies", async (what, change) => {
  await change();
  await keepBundle(`${what}, before another evaluation`);
  const certificate = await issueCertificate(deps, org.org_id, envelope_id, PIPELINE);
  expect([certificate.score, certificate.result.missing_requirements]).toEqual([100, []]);
  await keepBundle(what);
  const failed: unknown[] = [];
  for (const { after, bytes } of bundles) {
    const { outcome, steps } = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
    if (outcome !== "VERIFIED") failed.push([after, steps.at(-1)]);
  }
  expect(failed).toEqual([]);
});

test("the seals were made with several certificates, and the last bundle carries all of them", async () => {
  const files = unzipBundle(bundles.at(-1)?.bytes ?? new Uint8Array());
  const carried = files.filter(({ name }) => name.startsWith("trust/seals/"));
  expect(carried.length).toBe((await sealIds()).length);
  expect(carried.length).toBeGreaterThanOrEqual(4);
  const keys = readTrustKeys(files.find(({ name }) => name === "trust/keys.json")?.bytes ?? new Uint8Array());
  expect(keys?.tsa_roots).toHaveLength(2);
});
