import { createHash, X509Certificate } from "node:crypto";
import type { TrustKeys2 } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import type { KeyDeps } from "../src/seals/instance-keys.ts";
import { publishRevocationList } from "../src/seals/publish-revocation-list.ts";
import { type RevokedSeal, revokeSeal } from "../src/seals/revoke-seal.ts";
import { type RotatedKey, rotateKey } from "../src/seals/rotate-key.ts";
import { sealDocument } from "../src/seals/seal-document.ts";
import { verifyOwnSeal } from "../src/seals/verify-own-seal.ts";
import { systemCaller } from "../src/shared/caller.ts";
import type { EnvelopeId, OrgId, SealId } from "../src/shared/ids.ts";
import { advanceLog } from "../src/transparency/advance-log.ts";
import { verifyLog } from "../src/transparency/verify-log.ts";
import { plainPdf } from "./lease.ts";
import { record } from "./log.ts";
import { installed, testFolder } from "./openssl.ts";
import { type TestOrg, testService } from "./service.ts";
import { newMember, vaultedByPipeline } from "./vaulted.ts";

const service = testService();
const folder = testFolder();
const deps = (): KeyDeps => service.features.seals;
const rotate = (purpose: RotatedKey["purpose"], old_key_lost = false) =>
  rotateKey(deps(), { purpose, old_key_lost, record: async () => undefined });
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

interface Served {
  readonly root_certificate: string;
  readonly roots: { readonly certificates: readonly string[] } | null;
  readonly keys: TrustKeys2;
}

/** Without the cache of the served document. */
async function trust(): Promise<Served> {
  const { publishTrust } = await import("../src/transparency/trust.ts");
  return JSON.parse(await publishTrust(service.features.log, 60)());
}

const rootNow = async () => sha256(new X509Certificate(Buffer.from((await trust()).root_certificate, "base64")).raw);

let org: TestOrg;
let envelope_id: EnvelopeId;
let first: string;
const bundles: Uint8Array[] = [];

async function bundle(): Promise<Uint8Array> {
  const key = await org.newKey();
  const { status, bytes } = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  expect(status).toBe(200);
  bundles.push(bytes);
  return bytes;
}

const verdict = async (bytes: Uint8Array, root: string | null) => {
  const { outcome, steps, notes } = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
  return { outcome, trust: steps[2]?.says, last: steps.at(-1)?.says, notes };
};

beforeAll(async () => {
  org = await service.newOrg();
  envelope_id = await vaultedByPipeline(service, org);
  first = await rootNow();
  await bundle();
});

describe("a record", () => {
  test("verifies against the first root after each key was replaced twice, and so do bundles from before and in between", async () => {
    for (const purpose of ["records", "log", "vault", "root", "records", "log", "vault", "root"] as const) {
      await rotate(purpose);
      await record(service, org.org_id, `env_${purpose}`, 2);
      await advanceLog(service.features.log);
      await bundle();
    }
    const outcomes = await Promise.all(bundles.map((one) => verdict(one, first)));
    expect(outcomes.map(({ outcome, last }) => [outcome, outcome === "VERIFIED" ? "" : last])).toEqual(bundles.map(() => ["VERIFIED", ""]));
    expect(outcomes.at(-1)?.trust).toBe(`root ${await rootNow()}, 2 roots after the one pinned with --root`);
    expect(await verdict(bundles.at(-1) as Uint8Array, await rootNow())).toMatchObject({ outcome: "VERIFIED" });
    expect(await verdict(bundles.at(-1) as Uint8Array, "0".repeat(64))).toMatchObject({ outcome: "FAILED" });
    await verifyLog(service.features.log);
  });

  test("the trust document lists every generation with its interval; the log keeps its name", async () => {
    const { keys, roots } = await trust();
    const counts = [keys.roots, keys.records, keys.log, keys.vault].map((list) => list.map(({ generation }) => generation));
    expect(counts).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect([keys.log_id, roots?.certificates.length]).toEqual([first, 3]);
    for (const [n, { not_after }] of keys.records.entries()) expect(not_after).toBe(keys.records[n + 1]?.not_before ?? null);
    expect(overlapDays(keys)).toEqual([30, 30]);
    expect(keys.records.map(({ reason }) => reason)).toEqual(["rotated", "rotated", null]);
  });

  test("every member is shown the same keys as the trust document has, newest first, without private ones", async () => {
    const { send } = await newMember(service, org, "viewer");
    const { status, json, text } = await send("GET", "/org/transparency");
    expect([status, json.data.root_sha256]).toEqual([200, await rootNow()]);
    const { keys } = await trust();
    const shown = (purpose: string) => json.data.keys.filter((key: { purpose: string }) => key.purpose === purpose).reverse();
    const certificates = { certificate_sha256: null, certificate_expires_at: null };
    for (const purpose of ["records", "log", "vault"] as const)
      expect(shown(purpose)).toEqual(keys[purpose].map(({ public_key: _, ...key }) => ({ purpose, ...key, ...certificates })));
    const others = {
      purpose: "root",
      key_id: expect.stringMatching(/^[0-9a-f]{64}$/),
      certificate_expires_at: expect.stringMatching(/^20/),
    };
    expect(shown("root")).toEqual(keys.roots.map((root) => ({ ...others, ...root })));
    expect(text).not.toContain("private");
  });

  /** Days for which each replaced key of the log still signs. */
  function overlapDays({ log }: TrustKeys2): number[] {
    return log
      .slice(0, -1)
      .map(({ not_after }, n) => Math.round((Date.parse(not_after ?? "") - Date.parse(log[n + 1]?.not_before ?? "")) / 86_400_000));
  }

  test("seals made under an earlier root stay valid, and the next seal is issued by the new one", async () => {
    const own = await service.newOrg();
    const document = plainPdf;
    const seal = () => sealDocument(service.features.seals, own.org_id, document, { reason: "Copy" });
    const before = await seal();
    await rotate("root");
    const after = await seal();
    expect(after.seal.seal_id).not.toBe(before.seal.seal_id);
    for (const { bytes, seal: made } of [before, after]) {
      const own_seal = await verifyOwnSeal(service.features.seals, own.org_id, bytes, { seal_id: made.seal_id, at: made.sealed_at });
      expect(own_seal).toMatchObject({ valid: true });
    }
  });

  test("after the root's key was lost, readers of the old root are told so, and those of the new one are not", async () => {
    const before = await rootNow();
    const { certificate_sha256, not_before } = await rotate("root", true);
    const bytes = await bundle();
    expect(await verdict(bytes, certificate_sha256)).toMatchObject({ outcome: "VERIFIED" });
    for (const pinned of [first, before]) {
      const { outcome, notes } = await verdict(bytes, pinned);
      expect(outcome).toBe("CONSISTENT, SIGNER NOT PINNED");
      expect(notes.find((note) => note.startsWith("The old key was lost"))).toContain(`root ${certificate_sha256} replaced root ${before}`);
    }
    expect(not_before).toBeInstanceOf(Date);
  });

  test("after several rotations at once, one key is in use and the generations have no gap", async () => {
    const results = await Promise.allSettled([rotate("records"), rotate("records"), rotate("records")]);
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(1);
    const { keys } = await trust();
    expect(keys.records.filter(({ not_after }) => not_after === null)).toHaveLength(1);
    expect(keys.records.map(({ generation }) => generation)).toEqual(keys.records.map((_, n) => n + 1));
  });
});

describe("a revoked seal", () => {
  const by = { ...systemCaller("org_x" as OrgId), operator: "ann" };
  const told: [OrgId, RevokedSeal][] = [];
  const revoke = (seal_id: SealId, reason: RevokedSeal["reason"], invalid_from: Date | null = null) =>
    revokeSeal(service.db, seal_id, { reason, invalid_from, by, onSealRevoked: async (_tx, id, revoked) => void told.push([id, revoked]) });
  const sealed = async (id: OrgId) => sealDocument(service.features.seals, id, plainPdf, { reason: "Copy" });
  const judged = (id: OrgId, { bytes, seal }: Awaited<ReturnType<typeof sealed>>, proofs: readonly string[] = []) =>
    verifyOwnSeal(service.features.seals, id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at, proofs });

  test("keeps what it sealed before, is recorded with the operator, and is replaced by the next seal", async () => {
    const { org_id } = await service.newOrg();
    const before = await sealed(org_id);
    const [revoked] = await revoke(before.seal.seal_id, "superseded");
    expect(told.at(-1)).toEqual([org_id, expect.objectContaining({ seal_id: before.seal.seal_id, reason: "superseded" })]);
    expect(await judged(org_id, before)).toMatchObject({ valid: true });
    const after = await sealed(org_id);
    expect(after.seal.seal_id).not.toBe(before.seal.seal_id);
    const entries = await service.database.owner(
      "select d.data from audit_entries e join audit_entry_data d using (org_id, subject, seq) where e.type = 'seal.revoked' and e.org_id = $1",
      [org_id],
    );
    expect(entries).toMatchObject([
      { data: { seal_id: before.seal.seal_id, reason: "superseded", operator: "ann", invalid_from: revoked?.invalid_from.toISOString() } },
    ]);
    await expect(revoke(before.seal.seal_id, "superseded")).rejects.toThrow("This seal is already revoked.");
    await expect(revoke("seal_00000000000000000000000000" as SealId, "superseded")).rejects.toThrow("This seal does not exist.");
  });

  test("after a compromise counts only what others saw before, whatever our own clock says", async () => {
    const { org_id } = await service.newOrg();
    const made = await sealed(org_id);
    const proof = new Date(made.seal.sealed_at.getTime() + 1).toISOString();
    await revoke(made.seal.seal_id, "key_compromise", new Date(made.seal.sealed_at.getTime() + 2));
    expect(await judged(org_id, made)).toMatchObject({ valid: false, reason: expect.stringMatching(/^Nothing but our own clock shows/) });
    expect(await judged(org_id, made, [proof])).toMatchObject({ valid: true });
  });

  test("is invalid for what it sealed from the given time on", async () => {
    const { org_id } = await service.newOrg();
    const made = await sealed(org_id);
    await revoke(made.seal.seal_id, "key_compromise", made.seal.sealed_at);
    const late = made.seal.sealed_at.toISOString();
    expect(await judged(org_id, made, [late])).toMatchObject({
      valid: false,
      reason: expect.stringMatching(/^No one outside saw this seal before .*, when the certificate became invalid\.$/),
    });
  });

  test.skipIf(!installed.openssl)("is in the list of the root, which openssl accepts", async () => {
    const { org_id } = await service.newOrg();
    const made = await sealed(org_id);
    const other = await sealed((await service.newOrg()).org_id);
    await revoke(made.seal.seal_id, "affiliation_changed");
    const answer = await fetch(`${service.url}/.well-known/countersign/root.crl`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pkix-crl"]);
    const list = await publishRevocationList(deps())();
    const certificates = await service.database.owner<{ certificate: Buffer; issuers: Buffer[] }>(
      "select certificate, issuers from seal_keys where seal_id = any($1) order by seal_id = $2 desc",
      [[made.seal.seal_id, other.seal.seal_id], made.seal.seal_id],
    );
    const pem = (der: Uint8Array | undefined) => new X509Certificate(der ?? Buffer.alloc(0)).toString();
    folder.put("list.der", list);
    folder.put("root.pem", pem(certificates[0]?.issuers.at(-1)));
    folder.put("list.pem", folder.openssl("crl", "-inform", "DER", "-in", "list.der"));
    expect(folder.openssl("crl", "-in", "list.pem", "-CAfile", "root.pem", "-noout", "-text")).toMatch(
      /Affiliation Changed[\s\S]*Invalidity Date/,
    );
    for (const [n, says] of [
      [0, "certificate revoked"],
      [1, "OK"],
    ] as const) {
      folder.put("seal.pem", pem(certificates[n]?.certificate));
      const checked = (() => {
        try {
          return folder.openssl("verify", "-crl_check", "-CRLfile", "list.pem", "-CAfile", "root.pem", "seal.pem");
        } catch (error) {
          return String((error as { stderr?: unknown }).stderr ?? error);
        }
      })();
      expect(checked).toContain(says);
    }
  });

  test("remakes the list after a revocation and each day, and signs no other one in between", async () => {
    let now = 0;
    const list = publishRevocationList(deps(), () => now);
    const made = await list();
    expect(await list()).toEqual(made);
    now = 60_000;
    expect(await list()).toEqual(made);
    const { org_id } = await service.newOrg();
    const { seal } = await sealed(org_id);
    await revoke(seal.seal_id, "superseded");
    now = 120_000;
    const more = await list();
    expect(more.length).toBeGreaterThan(made.length);
    now = 120_000 + 86_400_000;
    expect(await list()).not.toEqual(more);
  });
});
