import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { startKmsPeer } from "../../test/kms-peer.ts";
import { testService } from "../../test/service.ts";
import { PrepareFirst } from "../db/errors.ts";
import type { OrgId } from "../shared/ids.ts";
import { CannotDecrypt, deriveKeys } from "../shared/secrets.ts";
import { buildKms } from "./build-kms.ts";
import { orgKeys } from "./org-keys.ts";
import { type OrgValues, orgValues } from "./org-values.ts";

const service = testService();
const peer = await startKmsPeer();
afterAll(() => peer.close());

const derived = deriveKeys([{ version: 1, secret: randomBytes(32).toString("hex") }]);

/** Another process, which remembers no key. */
const process = (kms = buildKms([{ kind: "aws", ...peer.settings }], derived), now = Date.now): OrgValues =>
  orgValues({ orgKeys: orgKeys({ db: service.db, kms, now }), isOn: true });
const seal = (values: OrgValues, org: OrgId, value: string | Uint8Array, context = "a row"): Promise<Buffer> =>
  service.db.tx(org, async () => values.seal(org, value, context) ?? expect.fail("not encrypted"));
const open = (values: OrgValues, org: OrgId, sealed: Uint8Array, context = "a row"): Promise<Buffer> =>
  service.db.tx(org, async () => values.open(org, sealed, context));

describe("values under the key of their organization", () => {
  test("are read by every process, text and bytes, and one request to the key service serves thousands of them", async () => {
    const { org_id } = await service.newOrg();
    const values = process();
    const before = peer.requests.length;
    const [text, bytes] = [await seal(values, org_id, "1 200 €"), await seal(values, org_id, Buffer.from([0, 255, 128]))];
    for (let n = 0; n < 1_000; n++) values.open(org_id, values.seal(org_id, String(n), "a row") ?? expect.fail("off"), "a row");
    // Wrapped once when it was made, and unwrapped once.
    expect(peer.requests.slice(before).map(({ operation }) => operation)).toEqual(["Encrypt", "Decrypt"]);
    const other = process();
    expect([(await open(other, org_id, text)).toString(), [...(await open(other, org_id, bytes))]]).toEqual(["1 200 €", [0, 255, 128]]);
    expect(peer.requests.length).toBe(before + 3);
    expect(text.includes("200")).toBe(false);
  });

  test("cannot be read with another context, in another organization, or with any bit changed", async () => {
    const [one, two] = [(await service.newOrg()).org_id, (await service.newOrg()).org_id];
    const values = process(buildKms([{ kind: "local" }], derived));
    const sealed = await seal(values, one, "1200");
    await seal(values, two, "1200");
    await expect(open(values, one, sealed, "another row")).rejects.toBeInstanceOf(CannotDecrypt);
    await expect(open(values, two, sealed)).rejects.toBeInstanceOf(CannotDecrypt);
    await expect(open(values, one, Buffer.alloc(0))).rejects.toBeInstanceOf(CannotDecrypt);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await expect(open(values, one, changed), `bit ${bit}`).rejects.toBeInstanceOf(CannotDecrypt);
    }
    expect((await open(values, one, sealed)).toString()).toBe("1200");
  });

  test("with numbers of keys that the organization never had cannot be read, however many there are in one transaction", async () => {
    const { org_id } = await service.newOrg();
    const values = process(buildKms([{ kind: "local" }], derived));
    const sealed = await seal(values, org_id, "1200");
    const numbered = (key_no: number) => {
      const changed = Buffer.from(sealed);
      changed.writeUInt16BE(key_no, 4);
      return changed;
    };
    const kinds = await service.db.tx(org_id, async () =>
      [1, 2, 3, 4, 5, 6, 7, 0, 65_535].map((key_no) => {
        try {
          return values.open(org_id, numbered(key_no), "a row").toString();
        } catch (error) {
          if (error instanceof CannotDecrypt) return "changed";
          throw error;
        }
      }),
    );
    expect(kinds).toEqual(["1200", ...Array.from({ length: 8 }, () => "changed")]);
  });

  test("a key service that is away is a problem to try again, never a changed value, and is not noticed for 15 minutes", async () => {
    const { org_id } = await service.newOrg();
    const sealed = await seal(process(), org_id, "1200");
    let now = Date.now();
    const values = process(buildKms([{ kind: "aws", ...peer.settings }], derived), () => now);
    peer.fail("denied", 1);
    await expect(open(values, org_id, sealed)).rejects.toMatchObject({ code: "key_service_away", retryAfterSeconds: 5 });
    expect((await open(values, org_id, sealed)).toString()).toBe("1200");
    peer.fail("denied", 1);
    now += 14 * 60_000;
    expect((await open(values, org_id, sealed)).toString()).toBe("1200");
    now += 2 * 60_000;
    await expect(open(values, org_id, sealed)).rejects.toMatchObject({ code: "key_service_away" });
    await expect(open(process(buildKms([{ kind: "local" }], derived)), org_id, sealed)).rejects.toMatchObject({ code: "key_service_away" });
  });

  test("the first one of an organization can be written in an enclosing transaction, whose rollback does not lose the key", async () => {
    const { org_id } = await service.newOrg();
    const values = process(buildKms([{ kind: "local" }], derived));
    const kept: Buffer[] = [];
    const failing = service.db.enclosing(org_id, () =>
      service.db.tx(org_id, async () => {
        kept.push(values.seal(org_id, "1200", "a row") ?? expect.fail("off"));
        throw new Error("stop");
      }),
    );
    await expect(failing).rejects.toThrow("stop");
    const [sealed = Buffer.alloc(0)] = kept;
    expect((await open(process(buildKms([{ kind: "local" }], derived)), org_id, sealed)).toString()).toBe("1200");
  });

  test("outside a transaction the caller learns that the key has to be prepared", async () => {
    const { org_id } = await service.newOrg();
    expect(() => process().seal(org_id, "1200", "a row")).toThrow(PrepareFirst);
  });

  test("stay plain with ENCRYPT_BLOBS=false, and those that are encrypted stay readable", async () => {
    const { org_id } = await service.newOrg();
    const kms = buildKms([{ kind: "local" }], derived);
    const sealed = await seal(process(kms), org_id, "1200");
    const off = orgValues({ orgKeys: orgKeys({ db: service.db, kms }), isOn: false });
    expect(off.seal(org_id, "1200", "a row")).toBeNull();
    expect((await open(off, org_id, sealed)).toString()).toBe("1200");
  });
});
