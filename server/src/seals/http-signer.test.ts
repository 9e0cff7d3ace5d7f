import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import { plainPdf } from "../../test/lease.ts";
import { record } from "../../test/log.ts";
import { testService } from "../../test/service.ts";
import { startSigner } from "../../test/signer.ts";
import { vaultedByPipeline } from "../../test/vaulted.ts";
import { ConfigError, readConfig } from "../config.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";
import { advanceLog } from "../transparency/advance-log.ts";
import { httpSigner } from "./http-signer.ts";
import { ensureInstanceKeys } from "./instance-keys.ts";
import { sealReadiness } from "./readiness.ts";
import { rotateKey } from "./rotate-key.ts";
import { sealDocument } from "./seal-document.ts";

const peer = await startSigner();
const service = testService({ SIGNER_URL: peer.url, SIGNER_TOKEN: peer.token });
afterAll(() => peer.close());
afterEach(() => peer.treat({ after_ms: 0 }));
const seals = () => service.features.seals;
/** The same, with a shorter limit than ten seconds. */
const impatient = () => ({ ...seals(), signer: httpSigner({ url: peer.url, token: peer.token, ca: null }, 200) });

const keysInTable = () =>
  service.database.owner(
    "select purpose, generation, signer, signer_ref, private_key_enc is null as kept_elsewhere from instance_keys order by purpose, generation",
  );

test("the signer keeps the root and the keys that sign records and the log; only the vault's, which signs nothing, is local", async () => {
  await ensureInstanceKeys(seals());
  expect(await keysInTable()).toEqual([
    { purpose: "log", generation: 1, signer: "http", signer_ref: "log-1", kept_elsewhere: true },
    { purpose: "records", generation: 1, signer: "http", signer_ref: "records-1", kept_elsewhere: true },
    { purpose: "root", generation: 1, signer: "http", signer_ref: "root-1", kept_elsewhere: true },
    { purpose: "vault", generation: 1, signer: "local", signer_ref: null, kept_elsewhere: false },
  ]);
});

describe("with a signer that takes two seconds", () => {
  let envelope_id: EnvelopeId;
  let key: { send: (method: string, path: string) => Promise<{ status: number; bytes: Uint8Array }> };
  beforeAll(async () => {
    const org = await service.newOrg();
    // The first seal of an organization and the test of readiness are not part of vaulting.
    await sealDocument(seals(), org.org_id, plainPdf, { reason: "Copy" });
    peer.treat({ after_ms: 2_000 });
    envelope_id = await vaultedByPipeline(service, org);
    key = (await org.newKey()) as never;
  }, 60_000);

  test("a record is vaulted and its evidence verifies", async () => {
    peer.treat({ after_ms: 2_000 });
    const { status, bytes } = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
    expect(status).toBe(200);
    const { root } = await ensureInstanceKeys(seals());
    const report = await verifyBundle(() => unzipBundle(bytes), { root: sha256(root.certificate).toString("hex"), tsa_roots: null });
    expect(report.outcome, JSON.stringify(report.steps.at(-1))).toBe("VERIFIED");
  }, 60_000);

  test("entries of others are appended while it signs", async () => {
    peer.treat({ after_ms: 2_000 });
    const { org_id } = await service.newOrg();
    await record(service, org_id, "env_first", 1);
    const before = peer.signed.length;
    const signing = advanceLog(service.features.log);
    await record(service, org_id, "env_second", 1);
    await advanceLog(service.features.log);
    await signing;
    // Two checkpoints at most, each signed as JSON and as a note.
    expect(peer.signed.length - before).toBeLessThanOrEqual(4);
    const [{ n } = { n: -1 }] = await service.database.owner<{ n: number }>("select count(*)::int as n from log_queue");
    expect(n).toBe(0);
  }, 60_000);
});

describe("a signer that", () => {
  const reason = () => sealReadiness(impatient(), () => undefined)();

  test.each([
    ["never answers", "hang", /^the signer did not answer within 200 ms$/],
    ["refuses", 503, /^the signer answered with status 503$/],
    ["does not know the key", 404, /^the signer does not know this: POST \/sign$/],
    ["signs with another key", "wrong key", /^the signer's signature is not one of the key (records|log)-1$/],
  ] as const)("%s is named by readiness, and no other key signs instead", async (_, treatment, says) => {
    peer.treat(treatment);
    expect(await reason()).toMatch(says);
    const { org_id } = await service.newOrg();
    await record(service, org_id, "env_unsigned", 1);
    const size = () => service.database.owner("select max(tree_size)::int as n from checkpoints");
    const before = await size();
    await expect(advanceLog({ ...service.features.log, db: { ...service.db }, seals: impatient() })).rejects.toThrow(says);
    expect(await size()).toEqual(before);
    peer.treat({ after_ms: 0 });
    await advanceLog(service.features.log);
  });

  test("cannot be reached is named, without its address", async () => {
    const signer = httpSigner({ url: "http://127.0.0.1:1", token: null, ca: null });
    const says = await sealReadiness({ ...seals(), signer }, () => undefined)();
    expect(says).toBe("the signer cannot be reached (ECONNREFUSED)");
  });

  test("gets another token than its own is refused", async () => {
    const signer = httpSigner({ url: peer.url, token: "another", ca: null });
    await expect(signer.publicKey("records-1")).rejects.toThrow("the signer answered with status 401");
  });

  test("was removed from the settings: its keys are not replaced by local ones", async () => {
    expect(await sealReadiness({ ...seals(), signer: null }, () => undefined)()).toBe(
      "the key records-1 is kept by a signer; set SIGNER_URL",
    );
  });

  test("fails after it worked is noticed within a minute", async () => {
    let now = 0;
    const ready = sealReadiness(
      impatient(),
      () => undefined,
      () => now,
    );
    expect(await ready()).toBeNull();
    peer.treat(503);
    now = 59_999;
    expect(await ready()).toBeNull();
    now = 60_000;
    expect(await ready()).toBe("the signer answered with status 503");
  });
});

test("a rotation takes the next key of the signer, and a local installation moves to a signer by rotating", async () => {
  await rotateKey(seals(), { purpose: "records", record: async () => undefined });
  expect(await keysInTable()).toContainEqual({
    purpose: "records",
    generation: 2,
    signer: "http",
    signer_ref: "records-2",
    kept_elsewhere: true,
  });
  const { records } = await ensureInstanceKeys(seals());
  await records.sign(Buffer.from("{}"));
  expect(peer.signed.at(-1)).toBe("records-2");
});

test("SIGNER_URL needs TLS, except on this machine", () => {
  const read = (SIGNER_URL: string, more: Record<string, string> = {}) =>
    readConfig({ APP_SECRET: "x".repeat(40), SIGNER_URL, ...more }).seals.signer;
  expect(read("https://signer.example.com")).toEqual({ url: "https://signer.example.com/", token: null, ca: null });
  expect(read("http://127.0.0.1:8430")?.url).toBe("http://127.0.0.1:8430/");
  for (const wrong of ["http://signer.example.com", "https://a:b@signer.example.com", "ftp://localhost", "x"]) {
    expect(() => read(wrong)).toThrow(ConfigError);
  }
  expect(() => readConfig({ APP_SECRET: "x".repeat(40), SIGNER_TOKEN: "t" })).toThrow("SIGNER_URL is not");
});
