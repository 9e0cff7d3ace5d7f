import { createDecipheriv, createHash } from "node:crypto";
import { canonicalize } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../../../verify/src/index.ts";
import type { Send } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { jobsDone } from "../../../test/jobs.ts";
import { logInWithCode, mailedCode, peopleService } from "../../../test/people.ts";
import type { TestKey, TestOrg } from "../../../test/service.ts";
import { type Vaulted, vaultedByPipeline, vaultedCopy } from "../../../test/vaulted.ts";
import { newId } from "../../shared/ids.ts";

const { service, peer } = await peopleService();

let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg("Acme Leasing");
  key = await org.newKey();
});

type Kept = Pick<Vaulted, "envelope_id">;
const newAddress = () => `${newId("person")}@bank.example`;

async function newParty(name: string): Promise<{ party_id: string; email: string }> {
  const email = newAddress();
  const people = [{ email, name: "Ann", rights: "approve" }];
  const { json } = await key.send("POST", "/partner/parties", { body: { kind: "people", name, people } });
  return { party_id: json.data.party_id, email };
}

const recordOf = async ({ envelope_id }: Kept) => (await key.send("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;

async function proposed({ envelope_id }: Kept, kind: string, more: object) {
  const present_version = (await recordOf({ envelope_id })).control_version;
  const body = { kind, reason: "Sale of the loan", present_version, ...more };
  const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data as { act_id: string; sha256: string; needs: { role: string }[] };
}

async function confirm(send: Send, email: string, act_id: string) {
  const { sha256 } = (await send("GET", `acts/${act_id}`)).json.data.act;
  const code = await mailedCode(service, peer, email, act_id);
  const { status, json } = await send("POST", `acts/${act_id}/decision`, { body: { decision: "confirm", sha256, code } });
  expect([status, json.error]).toEqual([200, undefined]);
}

/** A record that the party has confirmed to be its own, and the party's session. */
async function heldBy(party: { party_id: string; email: string }, of?: Kept): Promise<[Kept, Send]> {
  const one = of ?? (await vaultedCopy(service, org));
  const send = await logInWithCode(service, peer, party.email);
  await confirm(send, party.email, (await proposed(one, "designate", { party_id: party.party_id })).act_id);
  return [one, send];
}

const vaultOut = ({ envelope_id }: Kept, email: string) =>
  key.send("POST", `/partner/envelopes/${envelope_id}/vault-out`, {
    body: { recipient: { name: "Second Example Bank", email }, reason: "Sold" },
  });

const read = async (act_id: string) => (await key.send("GET", `/partner/acts/${act_id}`)).json.data;
const typesOf = async ({ envelope_id }: Kept) => (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);

describe("an export of a record with a secured party", () => {
  test("is proposed, packed when the party has confirmed, and leaves when the recipient has downloaded and acknowledged it", async () => {
    const [bank, email] = [await newParty("First Example Bank"), newAddress()];
    const [one, send] = await heldBy(bank, { envelope_id: await vaultedByPipeline(service, org) });
    const { status, json } = await vaultOut(one, email);
    expect([status, json.data]).toEqual([202, { act_id: expect.stringMatching(/^act_/), status: "proposed" }]);
    expect((await recordOf(one)).state).toBe("active");

    await confirm(send, bank.email, json.data.act_id);
    await jobsDone(service);
    expect([(await read(json.data.act_id)).state, (await recordOf(one)).state]).toEqual(["effective", "escrowed"]);

    const mail = peer.messages.findLast(({ to }) => to.includes(email));
    expect(mail?.text).toContain("Acme Leasing hands the signed original of");
    const recipient = await logInWithCode(service, peer, email);
    const [listed] = (await recipient("GET", "exports")).json.data;
    expect(mail?.text).toContain(`/p/#/originals/${listed.export_id}`);
    expect(listed).toMatchObject({ org_name: "Acme Leasing", status: "escrowed", reason: "Sold", downloaded_at: null });

    const { export_id, package_sha256, copy_id, sha256 } = listed;
    const acknowledge = () => recipient("POST", `exports/${export_id}/acknowledge`, { body: { package_sha256 } });
    const early = await acknowledge();
    expect([early.status, early.headers["x-error-code"]]).toEqual([409, "not_downloaded"]);
    const packed = Buffer.from((await recipient("GET", `exports/${export_id}/package`)).bytes);
    expect(createHash("sha256").update(packed).digest("hex")).toBe(package_sha256);
    const taken = await acknowledge();
    expect([taken.status, (await recordOf(one)).state]).toEqual([200, "exported"]);

    const decipher = createDecipheriv("aes-256-gcm", Buffer.from(taken.json.data.key, "hex"), packed.subarray(6, 18));
    decipher.setAAD(Buffer.from(canonicalize({ export_id, copy_id, sha256 }))).setAuthTag(packed.subarray(-16));
    const zip = Buffer.concat([decipher.update(packed.subarray(18, -16)), decipher.final()]);
    const { outcome } = await verifyBundle(() => unzipBundle(zip), { root: null, tsa_roots: null });
    expect(outcome).toBe("CONSISTENT, SIGNER NOT PINNED");

    const later = await acknowledge();
    expect(later.json.data.key, "the recipient gets the key again").toBe(taken.json.data.key);
    const types = await typesOf(one);
    expect(types.filter((type) => type === "vault.export_key_read")).toHaveLength(1);
    expect(types).toContain("act.effective");
    const [entry] = (await chainOf(service, org.org_id, one.envelope_id)).filter(({ type }) => type === "vault.exported");
    expect(entry?.actor.kind).toBe("person");
  });

  test("also needs the pledgee while a pledge stands, and does not begin before", async () => {
    const [bank, lender] = [await newParty("First Example Bank"), await newParty("Example Lender")];
    const [one, send] = await heldBy(bank);
    const pledge = await proposed(one, "pledge", { party_id: lender.party_id });
    const other = await logInWithCode(service, peer, lender.email);
    await confirm(send, bank.email, pledge.act_id);
    await confirm(other, lender.email, pledge.act_id);
    const { act_id } = (await vaultOut(one, newAddress())).json.data;
    expect((await read(act_id)).needs.map(({ role }: { role: string }) => role)).toEqual(["controller", "pledgee"]);
    await confirm(send, bank.email, act_id);
    await jobsDone(service);
    expect([(await read(act_id)).state, (await recordOf(one)).state]).toEqual(["proposed", "active"]);
  });

  test("that a hold stops after the confirmation ends, and its entry says why", async () => {
    const bank = await newParty("First Example Bank");
    const [one, send] = await heldBy(bank);
    const { act_id } = (await vaultOut(one, newAddress())).json.data;
    const placed = await key.send("POST", `/partner/envelopes/${one.envelope_id}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    expect(placed.status).toBe(201);
    await confirm(send, bank.email, act_id);
    await jobsDone(service);
    expect([(await read(act_id)).state, (await recordOf(one)).state]).toEqual(["cancelled", "active"]);
    const ended = (await chainOf(service, org.org_id, one.envelope_id)).findLast(({ type }) => type === "act.cancelled");
    expect(ended?.data).toMatchObject({ act_id, reason: "copy_on_hold" });
  });
});

describe("a recipient", () => {
  test("sees only what is handed over to them", async () => {
    const [email, stranger] = [newAddress(), newAddress()];
    const { export_id } = (await vaultOut(await vaultedCopy(service, org), email)).json.data;
    await vaultOut(await vaultedCopy(service, org), stranger);
    await jobsDone(service);
    const send = await logInWithCode(service, peer, stranger);
    for (const path of [`exports/${export_id}`, `exports/${export_id}/package`]) expect((await send("GET", path)).status).toBe(404);
    const body = { package_sha256: "0".repeat(64) };
    expect((await send("POST", `exports/${export_id}/acknowledge`, { body })).status).toBe(404);
    const ids = (await send("GET", "exports")).json.data.map((one: { export_id: string }) => one.export_id);
    expect([ids.length, ids.includes(export_id)]).toEqual([1, false]);
  });

  test("with the address of the person who started the export is that person, and cannot acknowledge it", async () => {
    const { email } = org;
    const { export_id, package_sha256 } = (await vaultOut(await vaultedCopy(service, org), email)).json.data;
    await jobsDone(service);
    const send = await logInWithCode(service, peer, email);
    await send("GET", `exports/${export_id}/package`);
    const { status, headers } = await send("POST", `exports/${export_id}/acknowledge`, { body: { package_sha256 } });
    expect([status, headers["x-error-code"]]).toEqual([403, "same_principal"]);
  });

  test("alone acknowledges under the policy confirmed, and a party without people stops the export", async () => {
    const own = await service.newOrg();
    const policy = await own.admin("PATCH", "/org/settings", { body: { control_policy: "confirmed" } });
    expect(policy.status).toBe(200);
    const ownKey = await own.newKey();
    const start = ({ envelope_id }: Vaulted) =>
      ownKey.send("POST", `/partner/envelopes/${envelope_id}/vault-out`, {
        body: { recipient: { name: "Second Example Bank", email: newAddress() }, reason: "Sold" },
      });
    const { export_id, package_sha256 } = (await start(await vaultedCopy(service, own))).json.data;
    const by = await own.admin("POST", `/partner/vault-exports/${export_id}/acknowledge`, { body: { package_sha256 } });
    expect([by.status, by.headers["x-error-code"]]).toEqual([403, "recipient_must_acknowledge"]);

    const named = await vaultedCopy(service, own);
    const secured_party = { name: "First Example Bank" };
    await ownKey.send("PUT", `/partner/envelopes/${named.envelope_id}/secured-party`, { body: secured_party });
    const refused = await start(named);
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "party_not_enrolled"]);
  });
});

test("a pledge also stands in the way of the first assignment", async () => {
  const lender = (await key.send("POST", "/partner/parties", { body: { kind: "people", name: "Example Lender" } })).json.data;
  const bank = await newParty("First Example Bank");
  const one = await vaultedCopy(service, org);
  await proposed(one, "pledge", { party_id: lender.party_id });
  const put = await key.send("PUT", `/partner/envelopes/${one.envelope_id}/secured-party`, { body: { name: "Another Example Bank" } });
  expect([put.status, put.headers["x-error-code"]]).toEqual([409, "confirmation_required"]);
  const { needs } = await proposed(one, "designate", { party_id: bank.party_id });
  expect(needs.map(({ role }) => role)).toEqual(["party", "pledgee"]);
});

test("the only approver of a party keeps that right", async () => {
  const { party_id, email } = await newParty("First Example Bank");
  const body = { email, name: "Ann", rights: "view" };
  const { status, headers } = await key.send("POST", `/partner/parties/${party_id}/people`, { body });
  expect([status, headers["x-error-code"]]).toEqual([409, "last_approver"]);
});

describe("an act that is open when the copy is packed", () => {
  test("cannot take effect, because the package contains the register as it was", async () => {
    const buyer = await newParty("Second Example Bank");
    const one = await vaultedCopy(service, org);
    const act = await proposed(one, "assign", { party_id: buyer.party_id });
    const send = await logInWithCode(service, peer, buyer.email);
    expect((await vaultOut(one, newAddress())).status).toBe(201);
    const code = await mailedCode(service, peer, buyer.email, act.act_id);
    const body = { decision: "confirm", sha256: act.sha256, code };
    const late = await send("POST", `acts/${act.act_id}/decision`, { body });
    expect([late.status, late.headers["x-error-code"]]).toEqual([409, "copy_wrong_state"]);
  });

  test("ends when the recipient takes the original over", async () => {
    const [buyer, email] = [await newParty("Second Example Bank"), newAddress()];
    const one = await vaultedCopy(service, org);
    const act = await proposed(one, "assign", { party_id: buyer.party_id });
    const { export_id, package_sha256 } = (await vaultOut(one, email)).json.data;
    await jobsDone(service);
    const send = await logInWithCode(service, peer, email);
    await send("GET", `exports/${export_id}/package`);
    expect((await send("POST", `exports/${export_id}/acknowledge`, { body: { package_sha256 } })).status).toBe(200);
    expect((await read(act.act_id)).state).toBe("superseded");
  });
});
