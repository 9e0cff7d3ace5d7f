import { beforeAll, describe, expect, test } from "vitest";
import { softwarePasskey } from "../../../../testing/software-authenticator.ts";
import { unzipBundle, verifyBundle } from "../../../../verify/src/index.ts";
import type { Send } from "../../../test/client.ts";
import { jobsDone } from "../../../test/jobs.ts";
import { addPasskey, logInWithCode, peopleService, told } from "../../../test/people.ts";
import type { TestKey, TestOrg } from "../../../test/service.ts";
import { vaultedByPipeline } from "../../../test/vaulted.ts";
import { newId } from "../../shared/ids.ts";
import { scopes } from "../../shared/scopes.ts";
import { finishWaiting } from "./finish-waiting.ts";

const { service, peer } = await peopleService();

let org: TestOrg;
let key: TestKey;
let second: { readonly send: Send; readonly email: string };
beforeAll(async () => {
  org = await service.newOrg("Acme Leasing");
  key = await org.newKey();
  second = await secondAdmin();
});

/** A key that another admin created. */
async function secondAdmin() {
  const { user_id, email } = await service.newOrg();
  await service.database.owner("insert into members (org_id, user_id, role) values ($1, $2, 'admin')", [org.org_id, user_id]);
  const { api_key, key_id } = await org.newKey({ scopes });
  await service.database.owner("update api_keys set created_by = $1 where key_id = $2", [user_id, key_id]);
  const send: Send = (method, path, request = {}) =>
    service.send(method, path, { ...request, headers: { ...request.headers, "x-api-key": api_key } });
  return { send, email };
}

const newAddress = () => `${newId("person")}@bank.example`;

interface LostParty {
  readonly party_id: string;
  /** of the approver who logged in once */
  readonly email: string;
  readonly lost: Send;
  /** removed from the party before */
  readonly removed: string;
  readonly viewer: string;
}

async function lostParty(): Promise<LostParty> {
  const [email, removed, viewer] = [newAddress(), newAddress(), newAddress()];
  const people = [
    { email, name: "Ann", rights: "approve" },
    { email: removed, name: "Ben", rights: "approve" },
    { email: viewer, name: "Cleo", rights: "view" },
  ];
  const { json } = await key.send("POST", "/partner/parties", { body: { kind: "people", name: "First Example Bank", people } });
  const { party_id } = json.data;
  const { person_id } = json.data.people.find((one: { email: string }) => one.email === removed);
  await key.send("DELETE", `/partner/parties/${party_id}/people/${person_id}`);
  return { party_id, email, lost: await logInWithCode(service, peer, email), removed, viewer };
}

const replace = ({ party_id }: LostParty, email: string, more: object = {}, send: Send = key.send) => {
  const body = { email, name: "Dan", rights: "approve", approvers_lost: true, reason: "Both approvers left the bank", ...more };
  return send("POST", `/partner/parties/${party_id}/people`, { body });
};
const read = async (act_id: string) => (await key.send("GET", `/partner/acts/${act_id}`)).json.data;
const decide = async (act_id: string, send: Send, decision = "confirm") => {
  const { sha256 } = await read(act_id);
  return send("POST", `/partner/acts/${act_id}/decision`, { body: { decision, sha256 } });
};
/** Moves the end of the time for objections into the past. */
const pass = (act_id: string) =>
  service.database.owner("update control_acts set waits_until = now() - interval '1 second' where act_id = $1", [act_id]);

async function waiting(party: LostParty, email = newAddress()): Promise<string> {
  const { status, json } = await replace(party, email);
  expect([status, json.data?.status]).toEqual([202, "proposed"]);
  const { act_id } = json.data;
  expect((await decide(act_id, second.send)).json.data.state).toBe("confirmed");
  return act_id;
}

describe("a party whose approvers cannot be reached", () => {
  test("gets another after two admins agreed and fourteen days passed; every known address and the admins are told", async () => {
    const party = await lostParty();
    const dan = newAddress();
    const { act_id } = (await replace(party, dan)).json.data;
    const alone = await decide(act_id, key.send);
    expect([alone.status, alone.headers["x-error-code"]]).toEqual([403, "same_principal"]);
    const before = Date.now();
    const { json } = await decide(act_id, second.send);
    expect(json.data.state).toBe("confirmed");
    expect(Math.round((Date.parse(json.data.waits_until) - before) / 86_400_000)).toBe(14);
    await jobsDone(service);
    const told = peer.messages.filter(({ text }) => text?.includes(act_id)).flatMap(({ to }) => to);
    expect(new Set(told)).toEqual(new Set([party.email, party.removed, party.viewer, org.email, second.email]));
    const early = (await key.send("GET", `/partner/parties/${party.party_id}`)).json.data;
    expect([early.people.length, early.approvers_replaced_at]).toEqual([2, null]);
    await finishWaiting(service.features.vault);
    expect((await read(act_id)).state, "not before its time").toBe("confirmed");
    await pass(act_id);
    await finishWaiting(service.features.vault);
    expect((await read(act_id)).state).toBe("effective");
    const late = (await key.send("GET", `/partner/parties/${party.party_id}`)).json.data;
    expect(late.people.map(({ email }: { email: string }) => email)).toContain(dan);
    expect(late.approvers_replaced_at).not.toBeNull();
  });

  test.each(["email", "removed", "viewer"] as const)("is left as it is when one of its people (%s) stops it", async (who) => {
    const party = await lostParty();
    const act_id = await waiting(party);
    const send = who === "email" ? party.lost : await logInWithCode(service, peer, party[who]);
    const [request] = (await send("GET", "requests")).json.data;
    expect(request.act.act_id).toBe(act_id);
    const { sha256 } = request.act;
    const agreed = await send("POST", `acts/${act_id}/decision`, { body: { decision: "confirm", sha256, code: "12345678" } });
    expect(agreed.status, "only an objection is possible").toBeGreaterThanOrEqual(400);
    const body = { decision: "refuse", sha256, reason: "I can still be reached" };
    expect((await send("POST", `acts/${act_id}/decision`, { body })).json.data.act.state).toBe("refused");
    await pass(act_id);
    await finishWaiting(service.features.vault);
    const { people, approvers_replaced_at } = (await key.send("GET", `/partner/parties/${party.party_id}`)).json.data;
    expect([people.length, approvers_replaced_at]).toEqual([2, null]);
  });

  test("is left as it is when an admin cancels it, and a stranger learns nothing of it", async () => {
    const party = await lostParty();
    const act_id = await waiting(party);
    const stranger = await lostParty();
    expect((await stranger.lost("GET", `acts/${act_id}`)).status).toBe(404);
    expect((await second.send("POST", `/partner/acts/${act_id}/cancel`)).json.data.state).toBe("cancelled");
    await pass(act_id);
    await finishWaiting(service.features.vault);
    expect((await read(act_id)).state).toBe("cancelled");
  });

  test("is attested at most from then on, and the verifier recomputes it", async () => {
    const party = await lostParty();
    const dan = newAddress();
    const act_id = await waiting(party, dan);
    await pass(act_id);
    await finishWaiting(service.features.vault);
    const send = await logInWithCode(service, peer, dan);
    const passkey = await addPasskey(service, send, softwarePasskey());
    const envelope_id = await vaultedByPipeline(service, org);
    const proposal = { kind: "designate", reason: "x", present_version: 1, party_id: party.party_id };
    const { json } = await key.send("POST", `/partner/envelopes/${envelope_id}/acts`, { body: proposal });
    const { sha256 } = json.data;
    const assertion = passkey.approve(told(service, Buffer.from(sha256, "hex").toString("base64url")));
    const body = { decision: "confirm", sha256, assertion };
    expect((await send("POST", `acts/${json.data.act_id}/decision`, { body })).json.data.act.state).toBe("effective");
    await jobsDone(service);
    const { checks } = (await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data;
    expect([checks[7].grade, checks[7].grade_reason]).toEqual([
      "attested",
      `Confirmed by ${dan} for First Example Bank, whose approvers the depositing organization had replaced because none could be reached.`,
    ]);
    const files = unzipBundle((await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`)).bytes);
    const { steps } = await verifyBundle(() => files, { root: null, tsa_roots: null });
    expect(steps.filter(({ passed }) => !passed)).toEqual([]);
  });

  const wrong: [string, object, number, string][] = [
    ["without a reason", { reason: undefined }, 422, "reason"],
    ["for a person who only sees records", { rights: "view" }, 422, "rights"],
  ];
  test.each(wrong)("is not given another %s", async (_how, more, status, field) => {
    const { status: got, json } = await replace(await lostParty(), newAddress(), more);
    expect([got, json.details[0].field]).toEqual([status, field]);
  });

  test("is not given another as long as its people can simply be named, nor by a person who is no admin", async () => {
    const people = [{ email: newAddress(), name: "Ann", rights: "approve" }];
    const { json } = await key.send("POST", "/partner/parties", { body: { kind: "people", name: "New Bank", people } });
    const early = await replace({ ...(json.data as LostParty) }, newAddress());
    expect([early.status, early.json.details[0].field]).toEqual([422, "approvers_lost"]);
    const party = await lostParty();
    const admin = await secondAdmin();
    await service.database.owner(
      "update members set role = 'member' where org_id = $1 and user_id = (select user_id from users where email = $2)",
      [org.org_id, admin.email],
    );
    expect((await replace(party, newAddress(), {}, admin.send)).status).toBe(403);
  });
});
