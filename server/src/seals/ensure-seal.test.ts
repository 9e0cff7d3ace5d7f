import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onePage } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { testService } from "../../test/service.ts";
import { connectDb, type Db } from "../db/connect.ts";
import type { OrgId } from "../shared/ids.ts";
import { ensureSeal } from "./ensure-seal.ts";
import type { SealDeps } from "./seal.ts";
import { sealDocument } from "./seal-document.ts";
import { sealRoots, verifyOwnSeal } from "./verify-own-seal.ts";

const service = testService();
let other: Db;
beforeAll(() => {
  other = connectDb({ url: service.database.appUrl });
});
afterAll(() => other.end());

const document = writePdf(onePage());
const seals = () => service.features.seals;
const sealed = (org: OrgId, deps: SealDeps = seals()) => sealDocument(deps, org, document, { reason: "Copy" });
const rowsOf = (org: OrgId) =>
  service.database.owner<{ seal_id: string; generation: number | null }>("select * from seal_keys where org_id = $1 order by generation", [
    org,
  ]);
/** Makes the newest certificate of the organization expire after this time. */
const age = (org: OrgId, left: string) =>
  service.database.owner(
    `update seal_keys k set not_after = now() + $2::interval where org_id = $1
     and generation = (select max(generation) from seal_keys where org_id = k.org_id)`,
    [org, left],
  );

const RACE = `
const [url, secret, org] = process.argv.slice(1);
const [{ connectDb }, { deriveKeys }, { ensureSeal }] = await Promise.all(
  ["db/connect", "shared/secrets", "seals/ensure-seal"].map((name) => import(new URL(name + ".js", "BUILT"))));
const db = connectDb({ url });
const deps = { db, sealKey: deriveKeys([{ version: 1, secret }]).seals, signer: null, bought: null };
const racers = await Promise.all(Array.from({ length: 10 }, () => ensureSeal(deps, org)));
process.stdout.write(JSON.stringify(racers.map(({ seal_id }) => seal_id)));
await db.end();
`.replace("BUILT", new URL("../../dist/", import.meta.url).href);

/** Runs the built program as a separate process. Returns the ids of the seals of its ten concurrent calls. */
async function racingProcess(org: OrgId): Promise<string[]> {
  const args = ["--input-type=module", "-e", RACE, service.database.appUrl, service.config.appSecrets[0].secret, org];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

describe("the first seals", () => {
  test("of an installation, twenty at once in two services, create one key of each purpose and one certificate", async () => {
    await service.database.owner("delete from seal_keys");
    await service.database.owner("delete from instance_keys");
    const { org_id } = await service.newOrg();
    const racers = Array.from({ length: 20 }, (_, n) => sealed(org_id, n % 2 === 0 ? seals() : { ...seals(), db: other }));
    const won = await Promise.all(racers);
    expect(new Set(won.map(({ seal }) => seal.certificate_sha256)).size).toBe(1);
    expect(await rowsOf(org_id)).toHaveLength(1);
    expect(await service.database.owner("select purpose from instance_keys order by 1")).toEqual([
      { purpose: "log" },
      { purpose: "records" },
      { purpose: "root" },
      { purpose: "vault" },
    ]);
    for (const { bytes, seal } of won) {
      expect(await verifyOwnSeal(seals(), org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at })).toMatchObject({ valid: true });
    }
  });

  test("in two processes at once, ten each, create one root and one certificate", async () => {
    await service.database.owner("delete from seal_keys");
    await service.database.owner("delete from instance_keys");
    const { org_id } = await service.newOrg();
    const answers = await Promise.all([racingProcess(org_id), racingProcess(org_id)]);
    expect(answers.flat()).toHaveLength(20);
    expect(new Set(answers.flat()).size).toBe(1);
    expect(await rowsOf(org_id)).toHaveLength(1);
    expect(await service.database.owner("select from instance_keys")).toHaveLength(4);
  });

  test("of several organizations at once create one certificate each, under the same root", async () => {
    await service.database.owner("delete from seal_keys");
    await service.database.owner("delete from instance_keys");
    const orgs = await Promise.all(Array.from({ length: 6 }, () => service.newOrg()));
    await Promise.all(orgs.flatMap(({ org_id }) => [ensureSeal(seals(), org_id), ensureSeal({ ...seals(), db: other }, org_id)]));
    const issued = await service.database.owner("select org_id, count(*)::int as n from seal_keys group by 1");
    expect(issued).toHaveLength(6);
    expect(issued.every(({ n }) => n === 1)).toBe(true);
    expect(await service.database.owner("select distinct issuers from seal_keys")).toHaveLength(1);
  });
});

describe("a certificate", () => {
  test("with more than 90 days left is used again; with fewer a new one is issued, once, and the old document still verifies", async () => {
    const { org_id } = await service.newOrg();
    const first = await sealed(org_id);
    await age(org_id, "90 days 1 hour");
    expect((await sealed(org_id)).seal.seal_id).toBe(first.seal.seal_id);
    await age(org_id, "90 days -1 hour");
    const renewed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sealed(org_id, n % 2 === 0 ? seals() : { ...seals(), db: other })),
    );
    expect(new Set(renewed.map(({ seal }) => seal.seal_id)).size).toBe(1);
    expect((await rowsOf(org_id)).map(({ generation }) => generation)).toEqual([1, 2]);
    for (const { bytes, seal } of [first, ...renewed.slice(0, 1)]) {
      expect(await verifyOwnSeal(seals(), org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at })).toMatchObject({ valid: true });
    }
  });

  test("that was revoked is replaced, and after a compromise documents that it sealed verify only by the time of others", async () => {
    const { org_id } = await service.newOrg();
    const before = await sealed(org_id);
    await service.database.owner(
      "update seal_keys set revoked_at = now(), invalid_from = now() - interval '1 day', revoked_reason = 'key_compromise' where org_id = $1",
      [org_id],
    );
    const after = await sealed(org_id);
    expect(after.seal.seal_id).not.toBe(before.seal.seal_id);
    const verdict = ({ bytes, seal }: typeof before) =>
      verifyOwnSeal(seals(), org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at });
    expect(await verdict(before)).toMatchObject({ valid: false, reason: expect.stringMatching(/^Nothing but our own clock shows/) });
    expect(await verdict(after)).toMatchObject({ valid: true });
  });

  test("is checked at the time of the seal, not at the present time", async () => {
    const { org_id } = await service.newOrg();
    const { bytes, seal } = await sealed(org_id);
    const verdict = (at: string) => verifyOwnSeal(seals(), org_id, bytes, { seal_id: seal.seal_id, at: new Date(at) });
    expect(await verdict("2020-01-01T00:00:00Z")).toMatchObject({ valid: false, reason: "certificate_not_valid_at_time" });
    expect(await verdict("2099-01-01T00:00:00Z")).toMatchObject({ valid: false, reason: "certificate_not_valid_at_time" });
  });
});

test("under another APP_SECRET nothing is sealed, the message tells the operator why, and sealed documents still verify", async () => {
  const { org_id } = await service.newOrg();
  const { bytes, seal } = await sealed(org_id);
  const wrong = { ...seals(), sealKey: [{ version: 1, key: randomBytes(32) }] as const };
  await expect(sealed(org_id, wrong)).rejects.toMatchObject({
    name: "SealUnavailable",
    message: expect.stringContaining("created with another APP_SECRET; start with that one"),
  });
  const fresh = await service.newOrg();
  await expect(sealed(fresh.org_id, wrong)).rejects.toMatchObject({ name: "SealUnavailable" });
  expect(await rowsOf(fresh.org_id)).toEqual([]);
  expect(await verifyOwnSeal(wrong, org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at })).toMatchObject({ valid: true });
  expect((await sealRoots(wrong, org_id)).roots).toHaveLength(1);
});
