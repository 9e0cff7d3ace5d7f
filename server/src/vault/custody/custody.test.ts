import { chainFacts, replayCustody } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { chainOf, sentEnvelope, statusOf } from "../../../test/envelopes.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { keyOfAnother, newMember, type Person, type Vaulted, vaultedCopies, vaultedCopy, vaultedEnvelope } from "../../../test/vaulted.ts";
import { readChain } from "../../audit/read-chain.ts";
import { jobHandlers } from "../../main.ts";
import { newId } from "../../shared/ids.ts";
import { expireTransfers } from "./expire-transfers.ts";

const service = testService();

let org: TestOrg;
let giver: TestKey;
let taker: TestKey;
let ben: Person;
beforeAll(async () => {
  org = await service.newOrg();
  [giver, taker] = [await org.newKey(), await keyOfAnother(service, org)];
  ben = await newMember(service, org);
});

const copy = () => vaultedCopy(service, org);

const begin = ({ envelope_id }: Vaulted, to_user_id: string, more: object = {}, send = giver.send) =>
  send("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body: { to_user_id, ...more } });
const answer = (permission_id: string, act: "accept" | "reject" | "cancel", send = taker.send, body: object = {}) =>
  send("POST", `/partner/custody-transfers/${permission_id}/${act}`, { body });

async function begun(of: Vaulted, to: string = ben.user_id, more: object = {}): Promise<string> {
  const { status, json } = await begin(of, to, more);
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data.permission_id;
}

const rowsOf = ({ copy_id }: Vaulted) =>
  service.database.owner<{ user_id: string; state: string; activated_at: Date; closed_at: Date; expected_version: number }>(
    "select user_id, state, activated_at, closed_at, expected_version from custodian_permissions where copy_id = $1 order by permission_id",
    [copy_id],
  );
const entriesOf = async ({ envelope_id }: Vaulted) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type.startsWith("custody."));
const eventsOf = async ({ envelope_id }: Vaulted) =>
  (await service.database.owner<{ body: Buffer }>("select body from events where envelope_id = $1", [envelope_id])).map(({ body }) =>
    JSON.parse(body.toString()),
  );
const age = (permission_id: string) =>
  service.database.owner("update custodian_permissions set expires_at = now() - interval '1 second' where permission_id = $1", [
    permission_id,
  ]);

describe("custodians", () => {
  test("are listed with their number of copies, including members without any, for keys with custody:write or vault:read", async () => {
    const own = await service.newOrg();
    const cleo = await newMember(service, own, "viewer");
    const [first] = (await vaultedCopies(service, own, 3)) as [Vaulted];
    for (const scope of ["custody:write", "vault:read"] as const) {
      const { json } = await (await own.newKey({ scopes: [scope] })).send("GET", "/partner/custodians");
      const rows = json.data.map(({ user_id, role, copies }: Record<string, unknown>) => [user_id, role, copies]);
      expect(rows.sort(), scope).toEqual(
        [
          [own.user_id, "admin", 3],
          [cleo.user_id, "viewer", 0],
        ].sort(),
      );
      expect([Object.keys(json.data[0]), json.meta.total]).toEqual([["user_id", "name", "email", "role", "copies"], 2]);
    }
    const mine = await own.admin("GET", `/partner/vault?custodian_user_id=${own.user_id}`);
    const theirs = await own.admin("GET", `/partner/vault?custodian_user_id=${cleo.user_id}`);
    expect([mine.json.meta.total, theirs.json.meta.total]).toEqual([3, 0]);
    await service.database.owner("update authoritative_copies set state = 'destroyed' where copy_id = $1", [first.copy_id]);
    const { json } = await own.admin("GET", "/partner/custodians");
    expect(json.data.find(({ user_id }: { user_id: string }) => user_id === own.user_id).copies, "a destroyed copy needs none").toBe(2);
  });

  test("cannot be removed while they have copies, unless the caller confirms that the copies stay with them", async () => {
    const own = await service.newOrg();
    const [keys, cleo] = [[await own.newKey(), await keyOfAnother(service, own)] as const, await newMember(service, own)];
    const one = await vaultedCopy(service, own);
    const permission = (await begin(one, cleo.user_id, {}, keys[0].send)).json.data.permission_id;
    expect((await answer(permission, "accept", keys[1].send)).status).toBe(200);
    const at = `/org/members/${cleo.user_id}`;
    const refused = await own.admin("DELETE", at);
    expect([refused.status, refused.json]).toEqual([
      409,
      {
        error: "This member is custodian of 1 authoritative copy. Transfer custody first, or remove the member with custody=leave",
        details: [{ location: "path", field: "user_id", code: "custodian_of_copies", message: "is custodian of 1 copy" }],
      },
    ]);
    expect((await own.admin("DELETE", `${at}?custody=drop`)).status).toBe(422);
    expect((await cleo.send("GET", "/auth/me")).status, "nothing was changed").toBe(200);
    expect((await own.admin("DELETE", `${at}?custody=leave`)).status).toBe(200);
    const { json } = await own.admin("GET", "/partner/custodians");
    const left = json.data.find(({ user_id }: { user_id: string }) => user_id === cleo.user_id);
    expect([left.role, left.copies]).toEqual([null, 1]);
  });

  test("are never removed while they have a copy, with 8 concurrent acceptances and removals", async () => {
    const own = await service.newOrg();
    const keys = [await own.newKey(), await keyOfAnother(service, own)] as const;
    const race = async () => {
      const cleo = await newMember(service, own);
      const permission = (await begin(await vaultedCopy(service, own), cleo.user_id, {}, keys[0].send)).json.data.permission_id;
      const [accepted, removed] = await Promise.all([
        answer(permission, "accept", keys[1].send),
        own.admin("DELETE", `/org/members/${cleo.user_id}`),
      ]);
      return [accepted.status, removed.status];
    };
    for (const outcome of await Promise.all(Array.from({ length: 8 }, race))) {
      expect([
        [200, 409],
        [409, 200],
      ]).toContainEqual(outcome);
    }
  });
});

describe("a custody transfer", () => {
  test("of a document signed here is initiated, reported by one event and accepted by another credential, without a gap in custody", async () => {
    const one = await vaultedEnvelope(service, org);
    const begin_ = await begin(one, ben.user_id, { reason: "Ann leaves" });
    expect(begin_.status).toBe(201);
    const { data } = begin_.json;
    expect(data).toEqual({
      permission_id: expect.stringMatching(/^cp_/),
      envelope_id: one.envelope_id,
      from_user_id: org.user_id,
      to_user_id: ben.user_id,
      status: "pending",
      initiated_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(Date.parse(data.expires_at) - Date.parse(data.initiated_at)).toBe(7 * 86_400_000);
    const [row] = await service.database.owner("select customer_id, external_id from envelopes where envelope_id = $1", [one.envelope_id]);
    const transfers = (await eventsOf(one)).filter(({ event_type }) => event_type === "custodian.transfer");
    expect(transfers.map((event) => event.data)).toEqual([
      { envelope_id: one.envelope_id, from_user_id: org.user_id, to_user_id: ben.user_id, permission_id: data.permission_id, ...row },
    ]);

    const accepted = await answer(data.permission_id, "accept");
    expect([accepted.status, accepted.json.data]).toEqual([
      200,
      {
        ...data,
        status: "accepted",
        reason: "Ann leaves",
        initiated_by: { kind: "key", id: giver.key_id },
        decided_at: expect.any(String),
      },
    ]);
    const [before, now] = await rowsOf(one);
    expect([before?.state, now?.state, now?.user_id]).toEqual(["released", "active", ben.user_id]);
    expect(now?.activated_at).toEqual(before?.closed_at);
    expect((await entriesOf(one)).map(({ type, data: said }) => ({ type, ...said }))).toEqual([
      { type: "custody.assigned", permission_id: one.permission_id, user_id: org.user_id },
      {
        type: "custody.initiated",
        permission_id: data.permission_id,
        user_id: ben.user_id,
        from_user_id: org.user_id,
        expires_at: data.expires_at,
        reason: "Ann leaves",
      },
      {
        type: "custody.accepted",
        permission_id: data.permission_id,
        user_id: ben.user_id,
        from_user_id: org.user_id,
        released_permission_id: one.permission_id,
      },
    ]);
    expect(await statusOf(service, one.envelope_id)).toBe("vaulted");
  });

  test("can be replayed from its entries to the same rows, however often custody changes", async () => {
    const one = await copy();
    await answer(await begun(one), "reject");
    await answer(await begun(one), "cancel");
    await answer(await begun(one), "accept");
    await answer(await begun(one, org.user_id), "accept");
    const links = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, one.envelope_id));
    const { permissions, fault } = replayCustody(chainFacts(links, { org_id: org.org_id, subject: one.envelope_id }).milestones);
    expect(fault).toBeNull();
    expect(permissions.map(({ user_id, state }) => [user_id, state])).toEqual(
      (await rowsOf(one)).map(({ user_id, state }) => [user_id, state]),
    );
    expect((await rowsOf(one)).map(({ expected_version }) => expected_version)).toEqual([1, 1, 1, 1, 2]);
  });

  test("cannot be accepted or rejected by the credential that initiated it, even after rotation", async () => {
    const one = await copy();
    const key = await org.newKey();
    const { json } = await begin(one, ben.user_id, {}, key.send);
    const rotated = await org.admin("POST", `/partners/keys/${key.key_id}/rotate`);
    const again = { headers: { "x-api-key": rotated.json.data.api_key } };
    for (const act of ["accept", "reject"]) {
      const path = `/partner/custody-transfers/${json.data.permission_id}/${act}`;
      for (const refused of [await key.send("POST", path), await service.send("POST", path, again)]) {
        expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining("cannot accept or reject it")]);
      }
    }
    expect((await answer(json.data.permission_id, "cancel", key.send)).status, "but can cancel it").toBe(200);
    // A person who requests custody for themselves needs another person's acceptance.
    const asked = await begin(one, ben.user_id, {}, ben.send);
    expect((await answer(asked.json.data.permission_id, "accept", ben.send)).status).toBe(403);
    expect((await answer(asked.json.data.permission_id, "accept")).status).toBe(200);
  });

  test("can be accepted or rejected only by the receiving person in the console, and cancelled by anyone who can initiate one", async () => {
    const one = await copy();
    const carol = await newMember(service, org);
    const first = await begun(one);
    for (const [stranger, says] of [
      [carol.send, "Only the proposed custodian can accept or reject this transfer in the console"],
      // The transfer was started with a key that this person created.
      [org.admin, "The person who started a custody transfer cannot accept or reject it"],
    ] as const) {
      for (const act of ["accept", "reject"] as const) {
        const { status, json } = await answer(first, act, stranger);
        expect([status, json]).toEqual([403, refusedWith(says)]);
      }
    }
    expect((await answer(first, "cancel", carol.send)).json.data.status).toBe("cancelled");
    const second = await begun(one);
    expect((await answer(second, "accept", ben.send)).json.data.status).toBe("accepted");
  });

  test("is answered once: a second answer returns 409 and leaves no trace", async () => {
    const one = await copy();
    for (const [act, status] of [
      ["reject", "rejected"],
      ["cancel", "cancelled"],
      ["accept", "accepted"],
    ] as const) {
      const permission_id = await begun(one, act === "accept" ? ben.user_id : undefined);
      expect((await answer(permission_id, act)).json.data.status).toBe(status);
      const entries = (await entriesOf(one)).length;
      for (const late of ["accept", "reject", "cancel"] as const) {
        const { status: code, json } = await answer(permission_id, late);
        expect([code, json.error]).toEqual([409, `The custody transfer is ${status}, which does not allow this`]);
      }
      expect(await entriesOf(one)).toHaveLength(entries);
    }
  });

  test("records the reason for its rejection in the chain", async () => {
    const one = await copy();
    const permission_id = await begun(one);
    await answer(permission_id, "reject", taker.send, { reason: "Not mine" });
    expect((await entriesOf(one)).at(-1)).toMatchObject({ type: "custody.rejected", data: { permission_id, reason: "Not mine" } });
  });

  test("goes to a member of the organization who is not already the custodian", async () => {
    const one = await copy();
    const stranger = await service.newOrg();
    for (const nobody of [stranger.user_id, newId("user"), "nonsense"]) {
      const { status, json } = await begin(one, nobody);
      expect([status, json]).toEqual([404, refusedWith("Member not found")]);
    }
    const { status, json } = await begin(one, org.user_id);
    expect([status, json.details]).toEqual([
      422,
      [{ location: "body", field: "to_user_id", code: "conflict", message: "is already the custodian" }],
    ]);
    expect(await entriesOf(one)).toHaveLength(1);
  });

  test.each([0, 91, 1.5])("lasts 1 to 90 days, not %s", async (expires_in_days) => {
    expect((await begin(await copy(), ben.user_id, { expires_in_days })).status).toBe(422);
  });

  test("needs a vaulted envelope with an undamaged copy in the vault and no other pending transfer", async () => {
    const { envelope_id } = await sentEnvelope(service, org, { status: "completed" });
    const early = await giver.send("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body: { to_user_id: ben.user_id } });
    expect([early.status, early.json.error]).toEqual([409, "The envelope is not vaulted"]);
    for (const state of ["escrowed", "exported", "destroyed"]) {
      const one = await copy();
      await service.database.owner("update authoritative_copies set state = $2 where copy_id = $1", [one.copy_id, state]);
      const { status, json } = await begin(one, ben.user_id);
      expect([status, json.error]).toEqual([409, `The authoritative copy is ${state}, which does not allow this`]);
    }
    const one = await copy();
    await begun(one);
    const { status, json } = await begin(one, ben.user_id);
    expect([status, json.error]).toEqual([409, "A custody transfer of this copy is pending. Cancel it or wait until it ends"]);
  });

  test("of a copy that was found damaged cannot be accepted, but can be rejected and cancelled", async () => {
    const one = await copy();
    const permission_id = await begun(one);
    await service.database.owner("update authoritative_copies set state = 'tampered', state_before_tamper = 'active' where copy_id = $1", [
      one.copy_id,
    ]);
    expect((await answer(permission_id, "accept")).json.error).toBe("The authoritative copy is tampered, which does not allow this");
    expect((await answer(permission_id, "cancel")).status).toBe(200);
  });

  test("cannot be accepted if the receiver has left or custody has changed since", async () => {
    const one = await copy();
    const leaver = await newMember(service, org);
    const permission_id = await begun(one, leaver.user_id);
    await org.admin("DELETE", `/org/members/${leaver.user_id}`);
    expect((await answer(permission_id, "accept")).json.error).toMatch(/no longer a member/);
    await answer(permission_id, "cancel");
    const stale = await begun(one);
    await service.database.owner("update authoritative_copies set custody_version = custody_version + 1 where copy_id = $1", [one.copy_id]);
    expect((await answer(stale, "accept")).json.error).toMatch(/Custody changed/);
    expect(
      (await rowsOf(one)).filter(({ state }) => state === "active"),
      "the release was rolled back",
    ).toHaveLength(1);
  });
});

describe("a transfer without an answer", () => {
  test("is expired for everyone when its time ends, and the job closes it once", async () => {
    const one = await copy();
    const permission_id = await begun(one, ben.user_id, { expires_in_days: 1 });
    expect(await expireTransfers(service.features.vault)).toBe(0);
    await age(permission_id);
    expect((await org.admin("GET", `/partner/custody-transfers/${permission_id}`)).json.data.status).toBe("expired");
    for (const act of ["accept", "reject", "cancel"] as const) {
      expect((await answer(permission_id, act)).json.error).toBe("The custody transfer is expired, which does not allow this");
    }
    expect(
      (await rowsOf(one)).map(({ state }) => state),
      "the job has not run",
    ).toEqual(["active", "pending"]);
    expect(await expireTransfers(service.features.vault)).toBe(1);
    expect(await expireTransfers(service.features.vault)).toBe(0);
    expect((await rowsOf(one)).map(({ state }) => state)).toEqual(["active", "expired"]);
    expect((await entriesOf(one)).at(-1)).toEqual({
      type: "custody.expired",
      actor: { kind: "system", id: "system" },
      data: { permission_id },
    });
  });

  test("is closed even if an earlier one cannot be", async () => {
    const [stuck, one] = [await copy(), await copy()];
    for (const of of [stuck, one]) await age(await begun(of));
    await service.database.owner("delete from audit_heads where subject = $1", [stuck.envelope_id]);
    await expect(jobHandlers(service.features)["vault.expire"]({})).rejects.toThrow("1 of 4 failed");
    expect((await rowsOf(one)).map(({ state }) => state)).toEqual(["active", "expired"]);
    await service.database.owner("update custodian_permissions set state = 'cancelled' where copy_id = $1 and state = 'pending'", [
      stuck.copy_id,
    ]);
  });

  test("does not block another transfer after its time, even before the job has run", async () => {
    const one = await copy();
    await age(await begun(one));
    await begun(one);
    expect((await entriesOf(one)).map(({ type }) => type)).toEqual([
      "custody.assigned",
      "custody.initiated",
      "custody.expired",
      "custody.initiated",
    ]);
  });
});

test("the list shows transfers newest first, filtered by receiver, giver, envelope and status; the first custodian is not a transfer", async () => {
  const own = await service.newOrg();
  const key = await own.newKey();
  const [carol, dan] = [await newMember(service, own), await newMember(service, own)];
  const copies = await vaultedCopies(service, own, 3);
  const ids: string[] = [];
  for (const [index, one] of copies.entries()) {
    const to_user_id = index === 0 ? carol.user_id : dan.user_id;
    ids.push((await begin(one, to_user_id, {}, key.send)).json.data.permission_id);
  }
  await answer(ids[1] ?? "", "accept", dan.send);
  await age(ids[2] ?? "");
  const listed = async (query: string) =>
    (await own.admin("GET", `/partner/custody-transfers${query}`)).json.data.map(
      ({ permission_id }: { permission_id: string }) => permission_id,
    );
  expect(await listed("")).toEqual([...ids].reverse());
  expect(await listed(`?to_user_id=${dan.user_id}`)).toEqual([ids[2], ids[1]]);
  expect(await listed(`?from_user_id=${own.user_id}&status=pending`)).toEqual([ids[0]]);
  expect(await listed("?status=accepted")).toEqual([ids[1]]);
  expect(await listed("?status=expired")).toEqual([ids[2]]);
  expect(await listed(`?envelope_id=${copies[0]?.envelope_id}`)).toEqual([ids[0]]);
  const { json } = await own.admin("GET", "/partner/custody-transfers?limit=1&page=2");
  expect([json.data[0].permission_id, json.meta]).toEqual([ids[1], { page: 2, limit: 1, total: 3 }]);
  expect((await own.admin("GET", `/partner/custody-transfers/${copies[0]?.permission_id}`)).status, "of the first custodian").toBe(404);
});
