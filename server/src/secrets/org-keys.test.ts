import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { startKmsPeer } from "../../test/kms-peer.ts";
import { testService } from "../../test/service.ts";
import { deriveKeys } from "../shared/secrets.ts";
import { buildKms } from "./build-kms.ts";
import { KmsUnavailable } from "./kms.ts";
import { orgKeys } from "./org-keys.ts";
import { reWrapOrgKeys } from "./re-wrap-org-keys.ts";
import { requireKms } from "./require-kms.ts";

const service = testService();
const peer = await startKmsPeer();
afterAll(() => peer.close());

const derived = deriveKeys([{ version: 1, secret: randomBytes(32).toString("hex") }]);
const aws = { kind: "aws", ...peer.settings } as const;
const file = { kind: "file", secret: randomBytes(32).toString("hex") } as const;
const local = buildKms([{ kind: "local" }], derived);
const rowsOf = (org_id: string) => service.database.owner("select key_no, kek_id from org_keys where org_id = $1 order by 1", [org_id]);

test("an org gets one key when it first needs one, also if two processes ask at the same time", async () => {
  const { org_id } = await service.newOrg();
  expect(await rowsOf(org_id)).toEqual([]);
  const processes = [1, 2, 3].map(() => orgKeys({ db: service.db, kms: local }));
  const found = await Promise.all(processes.map((keys) => keys.current(org_id)));
  expect(new Set(found.map(({ key }) => key.toString("hex"))).size).toBe(1);
  expect(await rowsOf(org_id)).toEqual([{ key_no: 1, kek_id: "local" }]);
  expect((await orgKeys({ db: service.db, kms: local }).find(org_id, 1)).key).toEqual(found[0]?.key);
});

test("a key is remembered for 15 minutes, so that an outage of the key service is not noticed before", async () => {
  const { org_id } = await service.newOrg();
  let now = Date.now();
  const keys = orgKeys({ db: service.db, kms: buildKms([aws], derived), now: () => now });
  const { key } = await keys.current(org_id);
  peer.fail("denied", 1);
  now += 14 * 60_000;
  expect((await keys.current(org_id)).key.equals(key)).toBe(true);
  now += 2 * 60_000;
  await expect(keys.current(org_id)).rejects.toBeInstanceOf(KmsUnavailable);
  expect((await keys.current(org_id)).key.equals(key)).toBe(true);
});

test("with another service first, the keys are wrapped again and stay the same, and the earlier service is not needed any more", async () => {
  await service.database.owner("delete from org_keys");
  const { org_id } = await service.newOrg();
  const { key } = await orgKeys({ db: service.db, kms: local }).current(org_id);
  for (const kms of [buildKms([file], derived), buildKms([aws, file], derived)]) {
    expect(await reWrapOrgKeys({ db: service.db, kms })).toEqual({ renewed: 1, unreadable: [] });
    expect(await reWrapOrgKeys({ db: service.db, kms })).toEqual({ renewed: 0, unreadable: [] });
    expect(await rowsOf(org_id)).toEqual([{ key_no: 1, kek_id: kms.current.id }]);
    expect((await orgKeys({ db: service.db, kms }).current(org_id)).key.equals(key)).toBe(true);
  }
  await expect(requireKms(service.db, buildKms([aws], derived))).resolves.toBeUndefined();
});

test("a start is refused if KMS does not list a service that keys are wrapped under, and such keys are unavailable, not damaged", async () => {
  await service.database.owner("delete from org_keys");
  const { org_id } = await service.newOrg();
  const kms = buildKms([file], derived);
  await orgKeys({ db: service.db, kms }).current(org_id);
  await expect(requireKms(service.db, local)).rejects.toThrow(/KMS does not list file:[0-9a-f]{16}/);
  await expect(orgKeys({ db: service.db, kms: local }).current(org_id)).rejects.toBeInstanceOf(KmsUnavailable);
  expect(await reWrapOrgKeys({ db: service.db, kms: local })).toEqual({ renewed: 0, unreadable: [{ org_id, key_no: 1 }] });
});
