import { beforeAll, describe, expect, test } from "vitest";
import { chainOf, sentEnvelope } from "../../../test/envelopes.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { type Vaulted, vaultedCopy } from "../../../test/vaulted.ts";
import { sql } from "../../db/sql.ts";

const service = testService();

let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey();
});

const typesOf = async ({ envelope_id }: Vaulted) => (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
const setState = ({ copy_id }: Vaulted, state: string) =>
  service.database.owner("update authoritative_copies set state = $2 where copy_id = $1", [copy_id, state]);

describe("retention", () => {
  const extend = ({ envelope_id }: Pick<Vaulted, "envelope_id">, retention_until: string) =>
    key.send("PUT", `/partner/envelopes/${envelope_id}/vault/retention`, { body: { retention_until } });
  const endOf = async ({ copy_id }: Vaulted) => {
    const [row] = await service.database.owner<{ retention_until: Date; lock_until: Date }>(
      "select retention_until, lock_until from authoritative_copies where copy_id = $1",
      [copy_id],
    );
    return row ?? expect.fail("no row");
  };

  test("can be extended, and the store's lock with it; an entry has the old and the new date", async () => {
    const one = await vaultedCopy(service, org);
    const { retention_until: before } = await endOf(one);
    const { status, json } = await extend(one, "2050-01-01T01:00:00+01:00");
    const until = "2050-01-01T00:00:00.000Z";
    expect([status, json.data]).toEqual([
      200,
      { envelope_id: one.envelope_id, retention_until: until, lock: { kind: "application", until } },
    ]);
    expect((await chainOf(service, org.org_id, one.envelope_id)).at(-1)).toMatchObject({
      type: "vault.retention_extended",
      data: { copy_id: one.copy_id, retention_until: until, previous: before.toISOString() },
    });
    expect((await extend(one, until)).status, "repeated").toBe(200);
    expect((await typesOf(one)).filter((type) => type === "vault.retention_extended")).toHaveLength(1);
  });

  test("cannot be shortened, neither through the API nor in the database by the service's login", async () => {
    const one = await vaultedCopy(service, org);
    const before = await endOf(one);
    const { status, json } = await extend(one, new Date(before.retention_until.getTime() - 1).toISOString());
    expect([status, json.error]).toEqual([409, "Retention can only be extended"]);
    const byHand = service.db.tx(org.org_id, (tx) =>
      tx.query(sql`update authoritative_copies set retention_until = now() where copy_id = ${one.copy_id}`),
    );
    await expect(byHand).rejects.toThrow(/cannot end earlier/);
    expect(await endOf(one)).toEqual(before);
  });

  test("can be extended by at most 100 years, for a vaulted copy that is still in the vault", async () => {
    const one = await vaultedCopy(service, org);
    expect((await extend(one, "2400-01-01T00:00:00.000Z")).json.details[0]).toMatchObject({
      field: "retention_until",
      code: "out_of_range",
    });
    expect((await extend(one, "tomorrow")).status).toBe(422);
    expect((await extend(await sentEnvelope(service, org), "2050-01-01T00:00:00.000Z")).json.error).toBe("The envelope is not vaulted");
    await setState(one, "exported");
    expect((await extend(one, "2050-01-01T00:00:00.000Z")).status).toBe(409);
  });
});

describe("a legal hold", () => {
  const place = ({ envelope_id }: Vaulted, reason = "Lawsuit 7/2026") =>
    key.send("POST", `/partner/envelopes/${envelope_id}/vault/legal-hold`, { body: { reason } });
  const release = ({ envelope_id }: Vaulted, hold_id: string) =>
    key.send("DELETE", `/partner/envelopes/${envelope_id}/vault/legal-hold/${hold_id}`);
  const start = ({ envelope_id }: Vaulted) => {
    const body = { recipient: { name: "Bank", email: "vault@example.com" }, reason: "Sold" };
    return key.send("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body });
  };

  test("can be combined with others, keeps the copy in the vault until the last one is released, and is recorded", async () => {
    const one = await vaultedCopy(service, org);
    const first = await place(one);
    expect([first.status, first.json.data]).toEqual([
      201,
      {
        hold_id: expect.stringMatching(/^hold_/),
        envelope_id: one.envelope_id,
        reason: "Lawsuit 7/2026",
        placed_by: { kind: "key", id: key.key_id },
        placed_at: expect.any(String),
        released_by: null,
        released_at: null,
      },
    ]);
    const second = await place(one, "Audit");
    const held = [409, "The authoritative copy is under legal hold. Release the hold first"];
    const refusal = async () => {
      const { status, json } = await start(one);
      return [status, json.error];
    };
    expect(await refusal()).toEqual(held);
    const released = await release(one, first.json.data.hold_id);
    expect([released.status, released.json.data]).toMatchObject([
      200,
      { hold_id: first.json.data.hold_id, released_by: { kind: "key", id: key.key_id }, released_at: expect.any(String) },
    ]);
    expect(await refusal()).toEqual(held);
    expect((await release(one, first.json.data.hold_id)).text, "a second time changes nothing").toBe(released.text);
    await release(one, second.json.data.hold_id);
    expect((await typesOf(one)).slice(-4)).toEqual([
      "vault.hold_placed",
      "vault.hold_placed",
      "vault.hold_released",
      "vault.hold_released",
    ]);
    const listed = await key.send("GET", `/partner/envelopes/${one.envelope_id}/vault/legal-hold`);
    expect(listed.json.data.map(({ hold_id }: { hold_id: string }) => hold_id)).toEqual([
      second.json.data.hold_id,
      first.json.data.hold_id,
    ]);
  });

  test("is released under its own envelope only, and also keeps what stays of a copy that has left, until it is destroyed", async () => {
    const [one, two] = [await vaultedCopy(service, org), await vaultedCopy(service, org)];
    const { hold_id } = (await place(one)).json.data;
    const { status, json } = await release(two, hold_id);
    expect([status, json]).toEqual([404, refusedWith("Legal hold not found")]);
    await setState(two, "exported");
    expect((await place(two)).status).toBe(201);
    await setState(two, "destroyed");
    expect((await place(two)).json.error).toBe("The authoritative copy is destroyed, which does not allow this");
  });
});
