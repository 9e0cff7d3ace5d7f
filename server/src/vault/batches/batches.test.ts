import { createHash, createPublicKey, verify } from "node:crypto";
import { rowsOf } from "@countersign/csv";
import { canonicalize, hashOfJson } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import type { SoftwarePasskey } from "../../../../testing/software-authenticator.ts";
import { unzipBundle, verifyBundle } from "../../../../verify/src/index.ts";
import { type Answer, client, type Send } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { addPasskey, logInWithCode, peopleService, told } from "../../../test/people.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";
import { newMember, type Vaulted, vaultedByPipeline, vaultedCopies } from "../../../test/vaulted.ts";
import { type ControlBatchId, newId } from "../../shared/ids.ts";
import { scopes } from "../../shared/scopes.ts";
import { runBatch } from "./run-batch.ts";

/** One act on many records: proposed by one call, confirmed once, and each record with its own result. */

const { service, peer } = await peopleService();
// Without a worker, so that a test decides when a job runs.
const still = testService();

let org: TestOrg;
let key: TestKey;
let first: TestParty;
let second: TestParty;
beforeAll(async () => {
  org = await service.newOrg("Acme Leasing");
  key = await org.newKey();
  first = await newParty("First Example Bank");
  second = await newParty("Second Example Bank");
});

interface TestParty {
  readonly party_id: string;
  readonly send: Send;
  readonly passkey: SoftwarePasskey;
}

/** A bank, and the session and passkey of a person who acts for it. */
async function newParty(name: string): Promise<TestParty> {
  const email = `${newId("person")}@bank.example`;
  const body = { kind: "people", name, people: [{ email, name: "Ann", rights: "approve" }] };
  const { status, json } = await key.send("POST", "/partner/parties", { body });
  expect([status, json.error]).toEqual([201, undefined]);
  const send = await logInWithCode(service, peer, email);
  return { party_id: json.data.party_id, send, passkey: await addPasskey(service, send) };
}

interface Batch {
  readonly control_batch_id: ControlBatchId;
  readonly act_id: string;
  readonly state: string;
  readonly done: number;
  readonly skipped: number;
}

const post = (body: object, send: Send = key.send): Promise<Answer> => send("POST", "/partner/control-batches", { body });
async function created(body: object, send?: Send): Promise<Batch> {
  const { status, json } = await post({ reason: "Sale of a pool", ...body }, send);
  expect([status, json.error, json.details]).toEqual([201, undefined, undefined]);
  return json.data;
}
const read = async ({ control_batch_id }: Batch, part = "", send: Send = key.send) =>
  (await send("GET", `/partner/control-batches/${control_batch_id}${part}`)).json.data;
const idsOf = (records: readonly Vaulted[]) => records.map(({ envelope_id }) => envelope_id);

async function confirmed({ send, passkey }: TestParty, { act_id }: { readonly act_id: string }): Promise<void> {
  const { sha256 } = (await send("GET", `acts/${act_id}`)).json.data.act;
  const assertion = passkey.approve(told(service, Buffer.from(sha256, "hex").toString("base64url")));
  const { status, json } = await send("POST", `acts/${act_id}/decision`, { body: { decision: "confirm", sha256, assertion } });
  expect([status, json.error]).toEqual([200, undefined]);
}

/** Evaluations of the records follow, which most tests do not wait for. */
const done = (batch: Batch): Promise<void> => until("the batch to be done", async () => (await read(batch)).state === "done");

/** Records that the party has confirmed to be its own, by one batch. */
async function poolOf(party: TestParty, count: number): Promise<Vaulted[]> {
  const records = await vaultedCopies(service, org, count);
  const batch = await created({ kind: "designate", envelope_ids: idsOf(records), party_id: party.party_id });
  await confirmed(party, batch);
  await done(batch);
  return records;
}

const recordOf = async ({ envelope_id }: Vaulted, send: Send = key.send) =>
  (await send("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;

test("the bundle of each record verifies without us: the act, the confirmation by passkey, and the proof that the record is in the list", async () => {
  const bank = second;
  const envelope_id = await vaultedByPipeline(service, org);
  const others = await vaultedCopies(service, org, 4);
  const envelope_ids = [...idsOf(others).slice(0, 2), envelope_id, ...idsOf(others).slice(2)];
  const { act_id } = await created({ kind: "designate", envelope_ids, party_id: bank.party_id });
  await confirmed(bank, { act_id });
  const check = async () => (await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data.checks[7];
  await until("the evaluation", async () => (await check()).grade === "proven");
  const zip = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  const files = unzipBundle(zip.bytes);
  const { outcome, steps } = await verifyBundle(() => files, { root: null, tsa_roots: null });
  expect([outcome, steps.filter(({ passed }) => !passed)]).toEqual(["CONSISTENT, SIGNER NOT PINNED", []]);
  const facts = JSON.parse(Buffer.from(files.find(({ name }) => name.endsWith("r2/facts.json"))?.bytes ?? []).toString());
  expect(facts.acts).toMatchObject([{ act_id, batch: { index: 2, item: { envelope_id } } }]);
  expect(hashOfJson(facts.acts[0].document)).toBe(facts.acts[0].sha256);
});

describe("a pool", () => {
  test("is assigned by one call and one confirmation of each party, who see the list", async () => {
    const [seller, buyer] = [first, second];
    const pool = await poolOf(seller, 12);
    const batch = await created({ kind: "assign", filter: { controller_party_id: seller.party_id }, party_id: buyer.party_id });
    expect(batch).toMatchObject({ kind: "assign", state: "proposed", count: 12, done: 0, skipped: 0 });
    const { send } = buyer;
    const request = (await send("GET", `acts/${batch.act_id}`)).json.data;
    expect(request.summary).toBe("Assign 12 records from First Example Bank to Second Example Bank");
    const list = (await send("GET", `acts/${batch.act_id}/items?limit=5&page=2`)).json.data;
    expect([list.total, list.items.map(({ index }: { index: number }) => index)]).toEqual([12, [5, 6, 7, 8, 9]]);
    const csv = rowsOf((await send("GET", `acts/${batch.act_id}/items.csv`)).bytes.toString());
    expect(csv.slice(1).map(([, envelope_id]) => envelope_id)).toEqual(idsOf(pool));
    await confirmed(seller, batch);
    expect((await read(batch)).state).toBe("proposed");
    await confirmed(buyer, batch);
    await done(batch);
    expect(await read(batch)).toMatchObject({ state: "done", done: 12, skipped: 0 });
    expect((await key.send("GET", `/partner/acts/${batch.act_id}`)).json.data.state).toBe("effective");
    for (const one of [pool[0], pool[11]] as Vaulted[]) {
      const { secured_party, control, control_version } = await recordOf(one);
      expect([secured_party.name, control.controller.party_id, control.controller.confirmation, control_version]).toEqual([
        "Second Example Bank",
        buyer.party_id,
        "confirmed",
        3,
      ]);
      const chain = (await chainOf(service, org.org_id, one.envelope_id)).filter(({ data }) => data.act_id === batch.act_id);
      expect(chain.map(({ type }) => type)).toEqual(["act.proposed", "act.confirmed", "act.confirmed", "act.effective"]);
      expect(new Set(chain.map(({ data }) => data.index))).toEqual(new Set([pool.indexOf(one)]));
    }
  });

  test("gets a report that names every record, signed by the installation", async () => {
    const bank = first;
    const pool = await vaultedCopies(service, org, 3);
    const batch = await created({ kind: "designate", envelope_ids: idsOf(pool), party_id: bank.party_id });
    const early = await key.send("GET", `/partner/control-batches/${batch.control_batch_id}/report`);
    expect([early.status, early.json.error]).toEqual([409, "The control batch has no report yet. Try again when its state is done"]);
    // One of the three changes before the bank confirms.
    const version = (await recordOf(pool[1] as Vaulted)).control_version;
    const alone = { kind: "designate", reason: "x", present_version: version, party_id: bank.party_id };
    const act = (await key.send("POST", `/partner/envelopes/${pool[1]?.envelope_id}/acts`, { body: alone })).json.data;
    await confirmed(bank, act);
    await confirmed(bank, batch);
    await done(batch);
    const { document, signature } = await read(batch, "/report");
    expect(document).toMatchObject({ type: "countersign/control-batch-report/1", act_id: batch.act_id, count: 3, done: 2, skipped: 1 });
    expect(
      document.items.map((item: { envelope_id: string; state: string; code: string | null }) => [item.envelope_id, item.state, item.code]),
    ).toEqual([
      [pool[0]?.envelope_id, "done", null],
      [pool[1]?.envelope_id, "skipped", "control_changed"],
      [pool[2]?.envelope_id, "done", null],
    ]);
    const [records] = await service.database.owner<{ public_key: Buffer }>("select public_key from instance_keys where key_id = $1", [
      document.key_id,
    ]);
    const publicKey = createPublicKey({ key: records?.public_key ?? Buffer.alloc(0), format: "der", type: "spki" });
    const isSigned = (what: object) => verify(null, Buffer.from(canonicalize(what as never)), publicKey, Buffer.from(signature, "hex"));
    expect([isSigned(document), isSigned({ ...document, skipped: 0 })]).toEqual([true, false]);
    const [finished] = await service.database.owner<{ data: { report_sha256: string } }>(
      "select d.data from audit_entries e join audit_entry_data d using (org_id, subject, seq) where type = 'control_batch.finished' and d.data ->> 'control_batch_id' = $1",
      [batch.control_batch_id],
    );
    expect(finished?.data.report_sha256).toBe(createHash("sha256").update(canonicalize(document)).digest("hex"));
  });
});

describe("a batch that cannot be is refused as a whole, and names the records:", () => {
  const named = ({ json }: Answer) => json.details.map(({ field, code }: { field: string; code: string }) => [field, code]);

  test("those of another controller than the first, up to 100", async () => {
    const own = await vaultedCopies(service, org, 1, { secured_party: { name: "First Example Bank" } });
    const foreign = await vaultedCopies(service, org, 101, { secured_party: { name: "Other Example Bank" } });
    const answer = await post({ kind: "assign", envelope_ids: idsOf([...own, ...foreign]), party_id: second.party_id, reason: "x" });
    expect([answer.status, answer.json.error]).toEqual([422, "Some records cannot be in this control batch, so it was not created"]);
    expect(named(answer)).toEqual(Array.from({ length: 100 }, (_, index) => [`envelope_ids[${index + 1}]`, "other_controller"]));
    expect(answer.json.details[0].message).toContain(foreign[0]?.envelope_id);
  });

  test("those of another organization, with the words for one that does not exist", async () => {
    const [mine] = await vaultedCopies(service, org, 1);
    const [theirs] = await vaultedCopies(service, await service.newOrg(), 1);
    const missing = newId("envelope");
    const answer = await post({ kind: "re_evaluate", envelope_ids: [mine?.envelope_id, theirs?.envelope_id, missing], reason: "x" });
    expect([answer.status, named(answer)]).toEqual([
      422,
      [
        ["envelope_ids[1]", "envelope_not_found"],
        ["envelope_ids[2]", "envelope_not_found"],
      ],
    ]);
    const words = answer.json.details.map(({ message }: { message: string }) => message.replace(/^env_\w+/, ""));
    expect(new Set(words).size).toBe(1);
  });

  test("those that are not active, not vaulted, already assigned to the party, or without the pledge", async () => {
    const bank = first;
    const [left, draft, own] = (await vaultedCopies(service, org, 3)) as [Vaulted, Vaulted, Vaulted];
    await service.database.owner("update authoritative_copies set state = 'exported', state_since = now() where copy_id = $1", [
      left.copy_id,
    ]);
    await service.database.owner("update envelopes set status = 'completed' where envelope_id = $1", [draft.envelope_id]);
    const codeOf = async (one: Vaulted, kind: string) => {
      const answer = await post({ kind, envelope_ids: [one.envelope_id], party_id: bank.party_id, reason: "x" });
      return [answer.status, ...named(answer)[0]];
    };
    expect(await codeOf(left, "assign")).toEqual([422, "envelope_ids[0]", "copy_wrong_state"]);
    expect(await codeOf(draft, "assign")).toEqual([422, "envelope_ids[0]", "envelope_not_vaulted"]);
    expect(await codeOf(own, "release_pledge")).toEqual([422, "envelope_ids[0]", "pledge_not_found"]);
    const designated = await created({ kind: "designate", envelope_ids: [own.envelope_id], party_id: bank.party_id });
    await confirmed(bank, designated);
    await done(designated);
    expect(await codeOf(own, "assign")).toEqual([422, "envelope_ids[0]", "conflict"]);
  });

  test.each<[string, object, string]>([
    ["more than 5,000 records", { envelope_ids: Array.from({ length: 5_001 }, () => newId("envelope")) }, "envelope_ids"],
    ["a record twice", { envelope_ids: ["env_01h2xcejqtf2nbrexx3vqjhp41", "env_01h2xcejqtf2nbrexx3vqjhp41"] }, "envelope_ids"],
    ["neither records nor a filter", {}, "envelope_ids"],
    ["an empty filter", { filter: {} }, "filter"],
    ["a filter that matches nothing", { filter: { customer_id: newId("customer") } }, "filter"],
    ["unknown external ids", { filter: { external_ids: ["no-such-note"] } }, "filter.external_ids"],
    ["a party for an evaluation", { filter: { external_ids: ["x"] }, party_id: newId("party") }, "party_id"],
    ["no party for an assignment", { kind: "assign", filter: { external_ids: ["x"] } }, "party_id"],
    ["a kind that no batch has", { kind: "destroy", filter: { external_ids: ["x"] } }, "kind"],
  ])("%s", async (_, body, field) => {
    const { status, json } = await post({ kind: "re_evaluate", reason: "x", ...body });
    expect([status, json.details[0].field]).toEqual([422, field]);
  });

  test("a transfer to another vault needs the scope of exports", async () => {
    const { send } = await org.newKey({ scopes: ["vault:read", "control:write"] });
    const { status, json } = await post(
      { kind: "transfer_out", envelope_ids: [newId("envelope")], vault_id: newId("remoteVault"), reason: "x" },
      send,
    );
    expect([status, json.error]).toEqual([403, "Missing required scope: vault:release"]);
  });
});

describe("after the confirmation", () => {
  let quiet: TestOrg;
  let send: Send;
  beforeAll(async () => {
    quiet = await still.newOrg();
    send = (await quiet.newKey()).send;
  });

  /** The organization controls these records, and no one acts for the party, so the batch starts at once. */
  async function started(count: number): Promise<{ batch: Batch; pool: Vaulted[] }> {
    const { party_id } = (await send("POST", "/partner/parties", { body: { kind: "people", name: "Paper Example Bank" } })).json.data;
    const pool = await vaultedCopies(still, quiet, count);
    return { pool, batch: await created({ kind: "assign", envelope_ids: idsOf(pool), party_id }, send) };
  }
  const run = ({ control_batch_id }: Batch, after = -1, atOnce = 2) =>
    runBatch(still.features.vault, { org_id: quiet.org_id, control_batch_id, after }, atOnce);

  test("a job that runs twice changes no record twice, and only waiting ones go on after a crash", async () => {
    const { batch, pool } = await started(5);
    expect(batch).toMatchObject({ state: "running", done: 0 });
    await run(batch);
    expect(await read(batch, "", send)).toMatchObject({ state: "running", done: 2 });
    // The worker died before it wrote down that the job is done, so the job runs again, twice at once.
    await Promise.all([run(batch), run(batch)]);
    await run(batch);
    expect(await read(batch, "", send)).toMatchObject({ state: "done", done: 5, skipped: 0 });
    await run(batch);
    for (const one of pool) {
      expect((await recordOf(one, send)).control_version).toBe(2);
      const types = (await chainOf(still, quiet.org_id, one.envelope_id)).map(({ type }) => type);
      expect(types.filter((type) => type === "act.effective")).toHaveLength(1);
    }
    const finished = await still.database.owner("select from audit_entries where org_id = $1 and type = 'control_batch.finished'", [
      quiet.org_id,
    ]);
    expect(finished).toHaveLength(1);
  });

  test("a record that has left meanwhile is skipped with the reason, the others are not", async () => {
    const { batch, pool } = await started(3);
    await still.database.owner("update authoritative_copies set state = 'escrowed' where copy_id = $1", [pool[1]?.copy_id]);
    await run(batch, -1, 50);
    const items = await read(batch, "/items", send);
    expect(items.map(({ state, code }: { state: string; code: string | null }) => [state, code])).toEqual([
      ["done", null],
      ["skipped", "copy_wrong_state"],
      ["done", null],
    ]);
    expect((await read(batch, "/items?state=skipped", send)).map(({ index }: { index: number }) => index)).toEqual([1]);
  });

  test("nothing can be cancelled, and an act that changed no record is not called effective", async () => {
    const { batch, pool } = await started(1);
    const late = await send("POST", `/partner/control-batches/${batch.control_batch_id}/cancel`);
    expect([late.status, late.json.error]).toEqual([409, "The control batch is running, so it cannot be cancelled any more"]);
    expect((await send("POST", `/partner/acts/${batch.act_id}/cancel`)).status).toBe(409);
    await still.database.owner("update authoritative_copies set control_version = 7 where copy_id = $1", [pool[0]?.copy_id]);
    await run(batch, -1, 50);
    expect(await read(batch, "", send)).toMatchObject({ state: "done", done: 0, skipped: 1 });
    expect((await send("GET", `/partner/acts/${batch.act_id}`)).json.data.state).toBe("superseded");
  });
});

describe("a proposed batch", () => {
  test("that is cancelled changes nothing and cannot be confirmed", async () => {
    const bank = first;
    const pool = await vaultedCopies(service, org, 2);
    const batch = await created({ kind: "designate", envelope_ids: idsOf(pool), party_id: bank.party_id });
    const cancelled = await key.send("POST", `/partner/control-batches/${batch.control_batch_id}/cancel`);
    expect([cancelled.status, cancelled.json.data.state]).toEqual([200, "cancelled"]);
    const { sha256 } = (await key.send("GET", `/partner/acts/${batch.act_id}`)).json.data;
    const { send } = bank;
    const late = await send("POST", `acts/${batch.act_id}/decision`, { body: { decision: "confirm", sha256, code: "12345678" } });
    expect([late.status, late.json.error]).toEqual([409, "The act is cancelled, so nothing can be decided about it any more"]);
    expect((await recordOf(pool[0] as Vaulted)).control_version).toBe(1);
  });

  test("that is refused is refused for all records", async () => {
    const bank = first;
    const batch = await created({ kind: "designate", envelope_ids: idsOf(await vaultedCopies(service, org, 2)), party_id: bank.party_id });
    const { sha256 } = (await key.send("GET", `/partner/acts/${batch.act_id}`)).json.data;
    const { send } = bank;
    await send("POST", `acts/${batch.act_id}/decision`, { body: { decision: "refuse", sha256, reason: "Not ours" } });
    expect(await read(batch)).toMatchObject({ state: "refused", done: 0 });
  });

  test("is not confirmed by the person who proposed it, with any key; custody moves when another person accepts once", async () => {
    const own = await still.newOrg();
    const ben = await newMember(still, own, "admin");
    const pool = await vaultedCopies(still, own, 2);
    const body = { kind: "move_custody", envelope_ids: idsOf(pool), user_id: ben.user_id };
    const batch = await created(body, (await ownKey(ben.send)).send);
    const { act_id } = batch;
    const { sha256 } = (await own.admin("GET", `/partner/acts/${act_id}`)).json.data;
    const decision = { body: { decision: "confirm", sha256 } };
    for (const send of [ben.send, (await ownKey(ben.send)).send]) {
      const { status, json } = await send("POST", `/partner/acts/${act_id}/decision`, decision);
      expect([status, json.error]).toEqual([403, "Another person must do this: you proposed it, or you have already decided"]);
    }
    const again = await created(body, (await own.newKey()).send);
    const { sha256: seen } = (await own.admin("GET", `/partner/acts/${again.act_id}`)).json.data;
    await ben.send("POST", `/partner/acts/${again.act_id}/decision`, { body: { decision: "confirm", sha256: seen } });
    await runBatch(still.features.vault, { org_id: own.org_id, control_batch_id: again.control_batch_id, after: -1 });
    expect(await read(again, "", own.admin)).toMatchObject({ state: "done", done: 2 });
    expect((await recordOf(pool[1] as Vaulted, own.admin)).custodian.user_id).toBe(ben.user_id);
  });

  test("of another organization is 404, and so are its items for one who is not asked", async () => {
    const bank = first;
    const batch = await created({ kind: "designate", envelope_ids: idsOf(await vaultedCopies(service, org, 1)), party_id: bank.party_id });
    const other = await (await service.newOrg()).newKey();
    for (const part of ["", "/items", "/items.csv", "/report"]) {
      expect((await other.send("GET", `/partner/control-batches/${batch.control_batch_id}${part}`)).status).toBe(404);
    }
    expect((await other.send("GET", `/partner/acts/${batch.act_id}/items`)).status).toBe(404);
    const stranger = second.send;
    for (const part of ["items", "items.csv"]) expect((await stranger("GET", `acts/${batch.act_id}/${part}`)).status).toBe(404);
  });

  test("is seen with its list by another organization that it asks", async () => {
    const bank = await service.newOrg("Org Example Bank");
    const named = { kind: "org", name: "Org Example Bank", org_id: bank.org_id };
    const { party_id } = (await key.send("POST", "/partner/parties", { body: named })).json.data;
    const pool = await vaultedCopies(service, org, 2);
    const { act_id } = await created({ kind: "pledge", envelope_ids: idsOf(pool), party_id });
    const list = (await bank.admin("GET", `/partner/acts/${act_id}/items`)).json.data;
    expect([list.total, list.items.map(({ envelope_id }: Vaulted) => envelope_id)]).toEqual([2, idsOf(pool)]);
    const { sha256 } = (await bank.admin("GET", `/partner/acts/${act_id}`)).json.data;
    await bank.admin("POST", `/partner/acts/${act_id}/decision`, { body: { decision: "confirm", sha256 } });
    await until("the pledge", async () => (await recordOf(pool[0] as Vaulted)).control.pledges.length === 1);
    expect((await recordOf(pool[0] as Vaulted)).control.pledges).toMatchObject([{ party_id, act_id }]);
  });
});

describe("without an act", () => {
  test("records are evaluated, and a cancelled batch skips what is left", async () => {
    const envelope_id = await vaultedByPipeline(service, org);
    const batch = await created({ kind: "re_evaluate", envelope_ids: [envelope_id] });
    await done(batch);
    expect(await read(batch)).toMatchObject({ state: "done", done: 1, act_id: null });
    const [item] = await read(batch, "/items");
    expect(item.result).toMatchObject({ revision: 2, bundle_sha256: null });
    const own = await still.newOrg();
    const waiting = await created({ kind: "re_evaluate", envelope_ids: idsOf(await vaultedCopies(still, own, 2)) }, own.admin);
    expect((await own.admin("POST", `/partner/control-batches/${waiting.control_batch_id}/cancel`)).json.data.state).toBe("cancelled");
    await runBatch(still.features.vault, { org_id: own.org_id, control_batch_id: waiting.control_batch_id, after: -1 });
    const { document } = await read(waiting, "/report", own.admin);
    expect(document.items.map(({ code }: { code: string }) => code)).toEqual(["control_batch_cancelled", "control_batch_cancelled"]);
  });

  test("evidence is made and verified, and the report has the hash of each bundle", async () => {
    const batch = await created({ kind: "evidence", envelope_ids: [await vaultedByPipeline(service, org)] });
    await done(batch);
    const { document } = await read(batch, "/report");
    expect(document.items[0].result).toMatchObject({ verified: true, bundle_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});

async function ownKey(send: Send): Promise<{ readonly send: Send }> {
  const { api_key } = (await send("POST", "/partners/keys", { body: { partner_name: "Partner", scopes, rate_limit_rpm: 1000 } })).json.data;
  return { send: client(still.url, { "x-api-key": api_key }) };
}
