import { hashOfJson } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { softwarePasskey } from "../../../../testing/software-authenticator.ts";
import { unzipBundle, verifyBundle } from "../../../../verify/src/index.ts";
import type { Send } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { jobsDone } from "../../../test/jobs.ts";
import { addPasskey, logInWithCode, mailedCode, peopleService, told } from "../../../test/people.ts";
import { PASSWORD, type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { keyOfAnother, newMember, type Vaulted, vaultedByPipeline, vaultedCopies, vaultedCopy } from "../../../test/vaulted.ts";
import { newId } from "../../shared/ids.ts";
import { expireActs } from "./end-act.ts";

const { service, peer } = await peopleService();
// Without a mail server, invitations of members are read from the response.
const quiet = testService();

let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg("Acme Leasing");
  key = await org.newKey();
});

interface TestParty {
  readonly party_id: string;
  readonly email: string;
}

const newAddress = () => `${newId("person")}@bank.example`;

async function newParty(name: string, email: string = newAddress()): Promise<TestParty> {
  const people = [{ email, name: "Ann", rights: "approve" }];
  const { status, json } = await key.send("POST", "/partner/parties", { body: { kind: "people", name, people } });
  expect([status, json.error]).toEqual([201, undefined]);
  return { party_id: json.data.party_id, email };
}

const versionOf = async (envelope_id: string): Promise<number> =>
  (await key.send("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data.control_version;

async function propose(envelope_id: string, kind: string, more: object = {}, send: Send = key.send) {
  const body = { kind, reason: "Sale of the loan", present_version: await versionOf(envelope_id), ...more };
  return send("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
}

async function proposed(envelope_id: string, kind: string, more: object = {}) {
  const { status, json } = await propose(envelope_id, kind, more);
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data as { act_id: string; sha256: string; state: string; needs: { role: string; asked: boolean }[] };
}

const read = async (act_id: string) => (await key.send("GET", `/partner/acts/${act_id}`)).json.data;
const recordOf = async (envelope_id: string) => (await key.send("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;

/** Decides with a code that is mailed for this act. */
async function decide(send: Send, email: string, act: { act_id: string; sha256: string }) {
  const code = await mailedCode(service, peer, email, act.act_id);
  return send("POST", `acts/${act.act_id}/decision`, { body: { decision: "confirm", sha256: act.sha256, code } });
}

const sessions = new Map<string, Promise<Send>>();

/** A session lasts longer than the tests, so each person logs in once. */
function logIn(email: string): Promise<Send> {
  const session = sessions.get(email) ?? logInWithCode(service, peer, email);
  sessions.set(email, session);
  return session;
}

async function confirmed(party: TestParty, act: { act_id: string; sha256: string }) {
  const send = await logIn(party.email);
  const { status, json } = await decide(send, party.email, act);
  expect([status, json.error]).toEqual([200, undefined]);
  return json.data.act;
}

/** A record that the party has confirmed to be its own. */
async function heldBy(party: TestParty, of?: Vaulted): Promise<Vaulted> {
  const one = of ?? (await vaultedCopy(service, org));
  await confirmed(party, await proposed(one.envelope_id, "designate", { party_id: party.party_id }));
  return one;
}

const typesOf = async ({ envelope_id }: Vaulted) => (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);

describe("an act", () => {
  test("asks those concerned by mail, takes effect with the last confirmation, and its hash is in every entry", async () => {
    const [seller, buyer] = [await newParty("First Example Bank"), await newParty("Second Example Bank")];
    const one = await heldBy(seller);
    const act = await proposed(one.envelope_id, "assign", { party_id: buyer.party_id });
    expect(act.state).toBe("proposed");
    expect(act.needs.map(({ role }) => role)).toEqual(["controller", "assignee"]);
    await jobsDone(service);
    const mail = peer.messages.findLast(({ to }) => to.includes(buyer.email));
    expect(mail?.text).toContain("Acme Leasing asks Second Example Bank to decide on this request");
    expect(mail?.text).toContain(`/p/#/acts/${act.act_id}`);
    expect((await confirmed(seller, act)).state).toBe("proposed");
    expect((await confirmed(buyer, act)).state).toBe("effective");
    const { secured_party, control, control_version } = await recordOf(one.envelope_id);
    expect(secured_party).toEqual({ name: "Second Example Bank" });
    expect(control.controller).toEqual({ party_id: buyer.party_id, name: "Second Example Bank", confirmation: "confirmed" });
    expect(control_version).toBe(3);
    const about = (await chainOf(service, org.org_id, one.envelope_id)).filter(({ data }) => data.act_id === act.act_id);
    expect(about.map(({ type }) => type)).toEqual(["act.proposed", "act.confirmed", "act.confirmed", "act.effective"]);
    expect(new Set(about.map(({ data }) => data.sha256))).toEqual(new Set([act.sha256]));
    expect(hashOfJson((await read(act.act_id)).document)).toBe(act.sha256);
  });

  test("is proven by a passkey that signed its hash, and the certificate says whose word it is that this person acts for the party", async () => {
    const bank = await newParty("First Example Bank");
    const envelope_id = await vaultedByPipeline(service, org, { secured_party: { name: "First Example Bank", email: bank.email } });
    const [act] = (await key.send("GET", `/partner/acts?envelope_id=${envelope_id}`)).json.data;
    expect([act.kind, act.state]).toEqual(["designate", "proposed"]);
    const send = await logIn(bank.email);
    const passkey = await addPasskey(service, send, softwarePasskey());
    const challenge = Buffer.from(act.sha256, "hex").toString("base64url");
    const assertion = passkey.approve(told(service, challenge));
    const { status, json } = await send("POST", `acts/${act.act_id}/decision`, {
      body: { decision: "confirm", sha256: act.sha256, assertion },
    });
    expect([status, json.data.act.state]).toEqual([200, "effective"]);
    await jobsDone(service);
    const { checks } = (await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data;
    expect(checks[7]).toMatchObject({
      id: "secured_party",
      satisfied: true,
      grade: "proven",
      grade_reason: `Confirmed by ${bank.email} (passkey). That this person acts for the party was not verified.`,
    });
    const zip = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
    const files = unzipBundle(zip.bytes);
    const { outcome, steps } = await verifyBundle(() => files, { root: null, tsa_roots: null });
    expect([outcome, steps.filter(({ passed }) => !passed)]).toEqual(["CONSISTENT, SIGNER NOT PINNED", []]);
    const replayed = await send("POST", `acts/${act.act_id}/decision`, { body: { decision: "confirm", sha256: act.sha256, assertion } });
    expect([replayed.status, replayed.json.error]).toEqual([409, "The act is effective, so nothing can be decided about it any more"]);
  });

  test("confirmed by a code is attested, and so is a member of the depositing organization who confirms for the party", async () => {
    const { user_id, email } = await service.newOrg();
    await service.database.owner("insert into members (org_id, user_id, role) values ($1, $2, 'member')", [org.org_id, user_id]);
    const [bank, own] = [await newParty("First Example Bank"), await newParty("Own Example Bank", email)];
    for (const [party, says] of [
      [bank, `Confirmed by ${bank.email} with a code sent to that address. That this person acts for the party was not verified.`],
      [own, `${email}, who confirmed for Own Example Bank, is also a member of the depositing organization.`],
    ] as const) {
      const envelope_id = await vaultedByPipeline(service, org);
      await confirmed(party, await proposed(envelope_id, "designate", { party_id: party.party_id }));
      await jobsDone(service);
      const { checks, warnings } = (await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data;
      expect([checks[7].grade, checks[7].grade_reason]).toEqual(["attested", says]);
      expect(warnings.some(({ code }: { code: string }) => code === "controller_is_depositor")).toBe(party === own);
    }
  });

  test("that is refused changes nothing and cannot be confirmed afterwards", async () => {
    const [seller, buyer] = [await newParty("First Example Bank"), await newParty("Second Example Bank")];
    const one = await heldBy(seller);
    const act = await proposed(one.envelope_id, "assign", { party_id: buyer.party_id });
    const send = await logIn(seller.email);
    const refusal = { decision: "refuse", sha256: act.sha256, reason: "The price is wrong" };
    expect((await send("POST", `acts/${act.act_id}/decision`, { body: refusal })).json.data.act.state).toBe("refused");
    const other = await logIn(buyer.email);
    const late = await other("POST", `acts/${act.act_id}/decision`, {
      body: { decision: "confirm", sha256: act.sha256, code: "12345678" },
    });
    expect([late.status, late.json.error]).toEqual([409, "The act is refused, so nothing can be decided about it any more"]);
    expect((await recordOf(one.envelope_id)).control.controller.party_id).toBe(seller.party_id);
  });

  test("of twenty on one version, one takes effect and the others are superseded", async () => {
    const bank = await newParty("First Example Bank");
    const one = await vaultedCopy(service, org);
    const version = await versionOf(one.envelope_id);
    const body = { kind: "designate", reason: "x", present_version: version, party_id: bank.party_id };
    const all = await Promise.all(
      Array.from({ length: 20 }, () => key.send("POST", `/partner/envelopes/${one.envelope_id}/acts`, { body })),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
    await confirmed(bank, all[7]?.json.data);
    const states = (await key.send("GET", `/partner/acts?envelope_id=${one.envelope_id}&limit=100`)).json.data.map(
      ({ state }: { state: string }) => state,
    );
    expect(states.filter((state: string) => state === "effective")).toHaveLength(1);
    expect(states.filter((state: string) => state === "superseded")).toHaveLength(19);
    const stale = await key.send("POST", `/partner/envelopes/${one.envelope_id}/acts`, { body });
    expect([stale.status, stale.json.error]).toEqual([409, "Who controls or keeps the record has changed in the meantime. Read it again"]);
  });

  test("expires after 14 days, for everyone at once, and the job closes it once", async () => {
    const bank = await newParty("First Example Bank");
    const one = await vaultedCopy(service, org);
    const act = await proposed(one.envelope_id, "designate", { party_id: bank.party_id });
    await service.database.owner("update control_acts set expires_at = now() - interval '1 second' where act_id = $1", [act.act_id]);
    expect((await read(act.act_id)).state).toBe("expired");
    const late = await key.send("POST", `/partner/acts/${act.act_id}/cancel`);
    expect(late.status).toBe(409);
    expect(await expireActs(service.features.vault)).toBe(1);
    expect(await expireActs(service.features.vault)).toBe(0);
    expect((await typesOf(one)).filter((type) => type === "act.expired")).toHaveLength(1);
  });

  test("with another hash, of another organization, by a person who is not asked or without a proof is refused", async () => {
    const [bank, stranger] = [await newParty("First Example Bank"), await newParty("Strange Example Bank")];
    const one = await vaultedCopy(service, org);
    const act = await proposed(one.envelope_id, "designate", { party_id: bank.party_id });
    const send = await logIn(bank.email);
    const wrong = { decision: "confirm", sha256: "0".repeat(64), code: "12345678" };
    expect((await send("POST", `acts/${act.act_id}/decision`, { body: wrong })).json.details[0].field).toBe("sha256");
    const none = { decision: "confirm", sha256: act.sha256 };
    expect((await send("POST", `acts/${act.act_id}/decision`, { body: none })).json.details[0].field).toBe("assertion");
    const outside = await logIn(stranger.email);
    expect((await outside("POST", `acts/${act.act_id}/decision`, { body: { ...none, code: "12345678" } })).status).toBe(404);
    const foreign = await (await service.newOrg()).newKey();
    expect((await foreign.send("GET", `/partner/acts/${act.act_id}`)).status).toBe(404);
    expect((await foreign.send("POST", `/partner/acts/${act.act_id}/decision`, { body: none })).status).toBe(404);
    const own = await key.send("POST", `/partner/acts/${act.act_id}/decision`, { body: none });
    expect([own.status, own.json.error]).toEqual([403, "This act does not ask you, or you have already decided"]);
    expect((await read(act.act_id)).state).toBe("proposed");
  });

  test.each([
    ["assign", {}, "party_id", "is needed for an act of kind assign"],
    ["pledge", { party_id: "own", share_bp: 5 }, "share_bp", "does not belong to an act of kind pledge"],
    ["participate", { party_id: "own", share_bp: 10_001 }, "share_bp", "must be at most 10000"],
  ])("of kind %s with %j is refused", async (kind, more, field, message) => {
    const bank = await newParty("First Example Bank");
    const one = await vaultedCopy(service, org);
    const given = { ...more, ...("party_id" in more && { party_id: bank.party_id }) };
    const { status, json } = await propose(one.envelope_id, kind, given);
    expect([status, json.details[0].field, json.details[0].message]).toEqual([422, field, message]);
  });
});

test("to offer an original to another vault needs the scope of exports", async () => {
  const one = await vaultedCopy(service, org);
  const { send } = await org.newKey({ scopes: ["vault:read", "control:write"] });
  const { status, json } = await propose(one.envelope_id, "transfer_out", { vault_id: newId("remoteVault") }, send);
  expect([status, json.error]).toEqual([403, "Missing required scope: vault:release"]);
});

describe("a session that was confirmed more than ten minutes ago", () => {
  test("proposes and decides nothing, so that no record leaves or ends by it, until its user confirms who they are; keys go on", async () => {
    const acme = await quiet.newOrg("Acme Leasing");
    const { envelope_id } = await vaultedCopy(quiet, acme);
    const kept = `/partner/envelopes/${envelope_id}`;
    const { control_version: present_version } = (await acme.admin("GET", `${kept}/vault`)).json.data;
    const to = { recipient: { name: "Example Bank", email: "loans@bank.example" } };
    const exportOut = { kind: "export_out", reason: "Sold", present_version, ...to };
    await quiet.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where org_id = $1", [acme.org_id]);
    const unconfirmed = async (send: Send) => {
      const all = [
        send("POST", `${kept}/acts`, { body: exportOut }),
        send("POST", `${kept}/acts`, { body: { ...exportOut, kind: "paper_out" } }),
        send("POST", `${kept}/acts`, { body: { kind: "destroy", reason: "Over", present_version } }),
        send("POST", `${kept}/vault-out`, { body: { ...to, reason: "Sold" } }),
        send("POST", "/partner/control-batches", { body: { kind: "re_evaluate", reason: "Audit", envelope_ids: [envelope_id] } }),
        send("POST", `/partner/acts/${newId("act")}/decision`, { body: { decision: "confirm", sha256: "0".repeat(64) } }),
        send("POST", `/partner/remote-requests/${newId("remoteRequest")}/decision`, {
          body: { decision: "confirm", sha256: "0".repeat(64) },
        }),
        send("PUT", "/org/registry", { body: { url: "https://registry.example/", mode: "gate", kinds: ["assign"], new_secret: true } }),
        send("DELETE", "/org/registry"),
      ];
      return (await Promise.all(all)).map(({ headers }) => headers["x-error-code"]);
    };
    expect(new Set(await unconfirmed(acme.admin))).toEqual(new Set(["reauthentication_required"]));
    expect((await acme.admin("GET", `/partner/acts?envelope_id=${envelope_id}`)).json.data).toEqual([]);
    expect((await acme.admin("GET", `${kept}/vault`)).json.data.state).toBe("active");

    expect((await acme.admin("POST", "/auth/confirm", { body: { password: PASSWORD } })).status).toBe(200);
    const again = await acme.admin("POST", `${kept}/acts`, { body: exportOut });
    expect([again.status, again.json.data.state, again.json.data.needs], "no one else is asked").toEqual([201, "confirmed", []]);

    const [other, acmeKey] = [await vaultedCopy(quiet, acme), await acme.newKey()];
    await quiet.database.owner("update sessions set confirmed_at = now() - interval '11 minutes' where org_id = $1", [acme.org_id]);
    const byKey = await acmeKey.send("POST", `/partner/envelopes/${other.envelope_id}/acts`, { body: exportOut });
    expect(byKey.status).toBe(201);
  });
});

describe("one person", () => {
  test("with many keys confirms nothing alone", async () => {
    const own = await quiet.newOrg();
    const keys = [await own.newKey(), await own.newKey(), await own.newKey()];
    const ben = await newMember(quiet, own);
    const one = (await vaultedCopies(quiet, own, 1))[0] as Vaulted;
    const begun = await keys[0]?.send("POST", `/partner/envelopes/${one.envelope_id}/custody-transfers`, {
      body: { to_user_id: ben.user_id },
    });
    const { permission_id } = begun?.json.data ?? {};
    for (const { send } of keys) {
      const { status, json } = await send("POST", `/partner/custody-transfers/${permission_id}/accept`);
      expect([status, json.error]).toEqual([403, "The person who started a custody transfer cannot accept or reject it"]);
    }
    const another = await keyOfAnother(quiet, own);
    expect((await another.send("POST", `/partner/custody-transfers/${permission_id}/accept`)).status).toBe(200);
  });

  test("who proposed an act does not confirm it for the party either", async () => {
    const bank = await newParty("Own Example Bank", org.email);
    const one = await vaultedCopy(service, org);
    const act = await proposed(one.envelope_id, "designate", { party_id: bank.party_id });
    const send = await logIn(bank.email);
    const { status, json } = await decide(send, bank.email, act);
    expect([status, json.error]).toEqual([403, "Another person must do this: you proposed it, or you have already decided"]);
  });

  test("behind a key whose creator left the organization decides nothing", async () => {
    const own = await quiet.newOrg();
    const admin = await newMember(quiet, own, "admin");
    const body = { partner_name: "P", scopes: ["vault:read", "control:write", "control:approve"], rate_limit_rpm: 100 };
    const { api_key } = (await admin.send("POST", "/partners/keys", { body })).json.data;
    expect((await own.admin("DELETE", `/org/members/${admin.user_id}`)).status).toBe(200);
    const one = (await vaultedCopies(quiet, own, 1))[0] as Vaulted;
    const { status, json } = await quiet.send("POST", `/partner/envelopes/${one.envelope_id}/acts`, {
      headers: { "x-api-key": api_key },
      body: { kind: "designate", reason: "x", present_version: 1, party_id: newId("party") },
    });
    expect([status, json.error]).toEqual([
      403,
      "The creator of this key is not a member of the organization, so the key cannot propose or confirm anything",
    ]);
  });
});

describe("another organization of the installation", () => {
  test("confirms as a party with a key of its own, and sees nothing else of the depositor", async () => {
    const lender = await service.newOrg("Example Lender");
    const theirs = await lender.newKey();
    const made = await key.send("POST", "/partner/parties", { body: { kind: "org", name: "Example Lender", org_id: lender.org_id } });
    const one = await vaultedCopy(service, org);
    const act = await proposed(one.envelope_id, "designate", { party_id: made.json.data.party_id });
    const [request] = (await theirs.send("GET", "/partner/act-requests")).json.data;
    expect([request.act_id, request.document.record_name]).toEqual([act.act_id, "Contract"]);
    expect((await theirs.send("GET", `/partner/envelopes/${one.envelope_id}/vault`)).status).toBe(404);
    const decision = { decision: "confirm", sha256: act.sha256 };
    const { send: without } = await lender.newKey({ scopes: ["vault:read", "custody:write"] });
    const refused = await without("POST", `/partner/acts/${act.act_id}/decision`, { body: decision });
    expect([refused.status, refused.json.error]).toEqual([403, "This act does not ask you, or you have already decided"]);
    const { status, json } = await theirs.send("POST", `/partner/acts/${act.act_id}/decision`, { body: decision });
    expect([status, json.data.state]).toEqual([200, "effective"]);
    expect((await theirs.send("GET", "/partner/act-requests")).json.data).toEqual([]);
  });
});

describe("a pledge", () => {
  test("stands in the way of an assignment until the pledgee agrees or releases it", async () => {
    const [bank, pledgee, buyer] = [
      await newParty("First Example Bank"),
      await newParty("Pledge Example Bank"),
      await newParty("Second Example Bank"),
    ];
    const one = await heldBy(bank);
    const pledge = await proposed(one.envelope_id, "pledge", { party_id: pledgee.party_id });
    await confirmed(bank, pledge);
    await confirmed(pledgee, pledge);
    expect((await recordOf(one.envelope_id)).control.pledges.map(({ name }: { name: string }) => name)).toEqual(["Pledge Example Bank"]);
    const act = await proposed(one.envelope_id, "assign", { party_id: buyer.party_id });
    expect(act.needs.map(({ role }) => role)).toEqual(["controller", "assignee", "pledgee"]);
    const written = { method: "written", given_by: { name: "Ann", email: bank.email }, given_at: new Date().toISOString() };
    const past = await key.send("POST", `/partner/envelopes/${one.envelope_id}/assignments`, {
      body: { secured_party: { name: "Second Example Bank" }, consent: written, present_seq: 1 },
    });
    expect([past.status, past.json.error]).toEqual([409, "A party must confirm this first. Propose an act, which it confirms itself"]);
    await confirmed(pledgee, await proposed(one.envelope_id, "release_pledge", { party_id: pledgee.party_id }));
    expect((await recordOf(one.envelope_id)).control.pledges).toEqual([]);
  });
});

describe("shares", () => {
  test("add up to the whole at most, and the controller stays", async () => {
    const [bank, other] = [await newParty("First Example Bank"), await newParty("Second Example Bank")];
    const one = await heldBy(bank);
    await confirmed(bank, await proposed(one.envelope_id, "participate", { party_id: other.party_id, share_bp: 6_000 }));
    const more = await propose(one.envelope_id, "participate", { party_id: other.party_id, share_bp: 4_001 });
    expect([more.status, more.json.details[0].message]).toEqual([422, "leaves more than 10000 basis points in all; 4000 are left"]);
    expect((await recordOf(one.envelope_id)).control).toMatchObject({
      controller: { party_id: bank.party_id },
      participations: [{ party_id: other.party_id, share_bp: 6_000 }],
    });
  });
});

describe("under the policy confirmed", () => {
  let strict: TestOrg;
  let strictKey: TestKey;
  beforeAll(async () => {
    strict = await quiet.newOrg();
    strictKey = await strict.newKey();
    await strict.admin("PATCH", "/org/settings", { body: { control_policy: "confirmed" } });
  });
  const copy = async () => (await vaultedCopies(quiet, strict, 1))[0] as Vaulted;

  test("a party without an approver blocks assignments and custody, with a sentence that says what to do", async () => {
    const one = await copy();
    await strictKey.send("PUT", `/partner/envelopes/${one.envelope_id}/secured-party`, { body: { name: "Paper Example Bank" } });
    const consent = { method: "written", given_by: { name: "Ann" }, given_at: new Date().toISOString() };
    const assigning = { secured_party: { name: "Second Example Bank" }, consent, present_seq: 1 };
    const ben = await newMember(quiet, strict);
    for (const [path, body] of [
      ["assignments", assigning],
      ["custody-transfers", { to_user_id: ben.user_id }],
    ] as const) {
      const { status, json } = await strictKey.send("POST", `/partner/envelopes/${one.envelope_id}/${path}`, { body });
      expect([status, json.error]).toEqual([
        409,
        "Paper Example Bank has no approver yet, so it cannot confirm. Add an approver to the party; if only its name is on record, create the party and propose correct_party",
      ]);
    }
  });

  test("are transferable records and chattel paper, whatever the organization chose", async () => {
    const own = await quiet.newOrg();
    const one = (await vaultedCopies(quiet, own, 1))[0] as Vaulted;
    await own.admin("PUT", `/partner/envelopes/${one.envelope_id}/secured-party`, { body: { name: "Paper Example Bank" } });
    for (const [record_type, policy] of [
      ["other", "attested"],
      ["chattel_paper", "confirmed"],
      ["transferable_record", "confirmed"],
    ]) {
      await quiet.database.owner("update envelopes set record_type = $1 where envelope_id = $2", [record_type, one.envelope_id]);
      expect((await own.admin("GET", `/partner/envelopes/${one.envelope_id}/vault`)).json.data.control.policy).toBe(policy);
    }
  });

  test("a hold is not released by the person who placed it", async () => {
    const one = await copy();
    const path = `/partner/envelopes/${one.envelope_id}/vault/legal-hold`;
    const { hold_id } = (await strictKey.send("POST", path, { body: { reason: "Lawsuit" } })).json.data;
    const again = await (await strict.newKey()).send("DELETE", `${path}/${hold_id}`);
    expect([again.status, again.json.error]).toEqual([403, "Another person must do this: you proposed it, or you have already decided"]);
    expect((await (await keyOfAnother(quiet, strict)).send("DELETE", `${path}/${hold_id}`)).json.data.released_at).not.toBeNull();
  });

  test("custody moves only when the receiver accepts with an own session or key", async () => {
    const one = await copy();
    const ben = await newMember(quiet, strict);
    const begun = await strictKey.send("POST", `/partner/envelopes/${one.envelope_id}/custody-transfers`, {
      body: { to_user_id: ben.user_id },
    });
    const { permission_id } = begun.json.data;
    const another = await keyOfAnother(quiet, strict);
    expect((await another.send("POST", `/partner/custody-transfers/${permission_id}/accept`)).status).toBe(403);
    expect((await ben.send("POST", `/partner/custody-transfers/${permission_id}/accept`)).json.data.status).toBe("accepted");
  });
});

describe("the people of a party", () => {
  test("are named by the organization until an approver has logged in; then the party decides", async () => {
    const bank = await newParty("First Example Bank");
    const more = { email: newAddress(), name: "Ben", rights: "approve" };
    const added = await key.send("POST", `/partner/parties/${bank.party_id}/people`, { body: more });
    expect([added.status, added.json.data.people.length]).toEqual([201, 2]);
    const send = await logIn(bank.email);
    const asked = await key.send("POST", `/partner/parties/${bank.party_id}/people`, { body: { ...more, email: newAddress() } });
    expect([asked.status, asked.json.data.status]).toEqual([202, "proposed"]);
    const [request] = (await send("GET", "requests")).json.data;
    expect(request.summary).toMatch(/^Let .*@bank.example confirm requests for First Example Bank$/);
    expect((await decide(send, bank.email, request.act)).json.data.act.state).toBe("effective");
    expect((await key.send("GET", `/partner/parties/${bank.party_id}`)).json.data.people).toHaveLength(3);
  });

  test("keep an approver: the last one cannot be removed", async () => {
    const bank = await newParty("First Example Bank");
    const { people } = (await key.send("GET", `/partner/parties/${bank.party_id}`)).json.data;
    const { status, json } = await key.send("DELETE", `/partner/parties/${bank.party_id}/people/${people[0].person_id}`);
    expect([status, json.error]).toEqual([409, "This is the only approver of the party. Add another approver first"]);
  });

  test("see the records of their parties, in every organization", async () => {
    const bank = await newParty("First Example Bank");
    const one = await heldBy(bank);
    const send = await logIn(bank.email);
    const records = (await send("GET", "records")).json.data;
    expect(records).toMatchObject([{ envelope_id: one.envelope_id, org_name: "Acme Leasing", held_as: "controller", state: "active" }]);
  });
});

test("a placeholder is corrected without asking, and a confirmed party is not", async () => {
  const one = await vaultedCopy(service, org);
  await service.database.owner("update envelopes set secured_party = $1 where envelope_id = $2", [{ name: "The Lender" }, one.envelope_id]);
  await key.send("PUT", `/partner/envelopes/${one.envelope_id}/secured-party`, { body: { name: "The Lender" } });
  const [bank, other] = [await newParty("First Example Bank"), await newParty("Second Example Bank")];
  const corrected = await proposed(one.envelope_id, "correct_party", { party_id: bank.party_id });
  expect([corrected.state, corrected.needs]).toEqual(["effective", []]);
  await heldBy(bank, one);
  const again = await proposed(one.envelope_id, "correct_party", { party_id: other.party_id });
  expect([again.state, again.needs.map(({ role }) => role)]).toEqual(["proposed", ["controller"]]);
});
