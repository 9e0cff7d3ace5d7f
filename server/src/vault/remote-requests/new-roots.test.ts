import { beforeAll, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import { accept, go, newSide, pin, rootOf, type Side, transferAt } from "../../../test/two-vaults.ts";
import { vaultedByPipeline, vaultedCopies } from "../../../test/vaulted.ts";
import { rotateKey } from "../../seals/rotate-key.ts";
import type { EnvelopeId, RemoteVaultId } from "../../shared/ids.ts";
import { publishTrust } from "../../transparency/trust.ts";
import { exchangeActs } from "./exchange-act.ts";

/** Two installations that have had more than one root, and organizations that stop listening to each other. */

const [one, two] = [testService(), testService()];
let here: Side;
let bank: Side;
const oldRoots = { here: "", bank: "" };
let records: EnvelopeId[] = [];

/** The trust document as it was before the installation got a new root. */
async function renewRoot(service: typeof one): Promise<{ root: string; text: string }> {
  const text = await publishTrust(service.features.log, 0)();
  await rotateKey(service.features.seals, { purpose: "root", old_key_lost: false, record: async () => undefined });
  return { root: JSON.parse(text).keys.root_sha256, text };
}

beforeAll(async () => {
  await Promise.all([one, two].map((service) => service.newOrg()));
  const [before, bankBefore] = [await renewRoot(one), await renewRoot(two)];
  [oldRoots.here, oldRoots.bank] = [before.root, bankBefore.root];
  [here, bank] = [await newSide(one, "First Example Bank"), await newSide(two, "Second Example Bank")];
  expect([await rootOf(one), await rootOf(two)]).not.toContain(before.root);
  here.vault_id = await pin(here, { ...bank, root: bankBefore.root });
  bank.vault_id = await pin(bank, { ...here, root: before.root });
  // The bank pinned this installation before the new root, and has heard nothing since.
  await two.database.owner("update remote_vaults set trust = $1 where vault_id = $2", [before.text, bank.vault_id]);
  records = (await vaultedCopies(one, here.org, 4)).map(({ envelope_id }) => envelope_id);
}, 60_000);

const exchange = (side: Side) => exchangeActs(side.service.features.vault);

async function partyFor(vault_id: RemoteVaultId, name: string): Promise<string> {
  const { status, json } = await here.org.admin("POST", "/partner/parties", { body: { kind: "vault", name, vault_id } });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data.party_id;
}

async function propose(envelope_id: EnvelopeId, more: object) {
  const { control_version: present_version } = (await here.org.admin("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
  const body = { kind: "designate", reason: "Sale of the loan", present_version, ...more };
  const { status, json } = await here.org.admin("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
  expect([status, json.error]).toEqual([201, undefined]);
  await exchange(here);
  return json.data as { act_id: string; sha256: string };
}

async function decide({ act_id, sha256 }: { act_id: string; sha256: string }, more: object = { decision: "confirm" }): Promise<string> {
  const { json } = await bank.org.admin("GET", "/partner/remote-requests?limit=100");
  const found = json.data.find((asked: { act_id: string }) => asked.act_id === act_id) ?? expect.fail("the bank was not asked");
  const answer = await bank.org.admin("POST", `/partner/remote-requests/${found.request_id}/decision`, { body: { sha256, ...more } });
  expect([answer.status, answer.json.error]).toEqual([200, undefined]);
  await exchange(bank);
  return (await here.org.admin("GET", `/partner/acts/${act_id}`)).json.data.state;
}

test("a bank hears an installation that has a new root since it was pinned", async () => {
  const party_id = await partyFor(here.vault_id, "Second Example Bank");
  expect(await decide(await propose(records.pop() as EnvelopeId, { party_id }))).toBe("effective");
});

test("a bank that is pinned under its old and its new root decides for the party that names either", async () => {
  const again = await pin(here, bank);
  const party_id = await partyFor(again, "Second Example Bank, new root");
  expect(await decide(await propose(records.pop() as EnvelopeId, { party_id }))).toBe("effective");
});

test("a reason travels, however its letters are counted", async () => {
  const [party] = (await here.org.admin("GET", "/partner/parties?kind=vault")).json.data;
  const act = await propose(records.pop() as EnvelopeId, { party_id: party.party_id });
  expect(await decide(act, { decision: "refuse", reason: `a${"😀".repeat(400)}` })).toBe("refused");
});

test("a bank that controls a record cannot be unpinned while another vault can still refuse it", async () => {
  const org = await one.newOrg("Third Example Company");
  const third = { ...bank, org: await two.newOrg("Receiver") };
  const own = { ...here, org };
  const [before, toBank] = [here, await pin(own, { ...bank, root: oldRoots.bank })];
  here = own;
  try {
    await pin(bank, { ...own, root: oldRoots.here });
    const toThird = await pin(own, third);
    third.vault_id = await pin(third, own);
    third.customer_id = (
      await third.org.admin("POST", "/partner/customers", { body: { email: "ann@example.com", name: "Ann" } })
    ).json.data.customer_id;
    const envelope_id = await vaultedByPipeline(one, org);
    await decide(await propose(envelope_id, { party_id: await partyFor(toBank, "Second Example Bank") }));
    await decide(await propose(envelope_id, { kind: "transfer_out", vault_id: toThird }));
    const listed = await org.admin("GET", `/partner/vault-transfers?direction=out&envelope_id=${envelope_id}`);
    const { transfer_id } = listed.json.data[0];
    await go(own, transfer_id, "out");
    await accept(third, transfer_id);
    await go(third, transfer_id, "in");
    await go(own, transfer_id, "out");
    await go(third, transfer_id, "in");
    await one.database.owner("update remote_vaults set url = 'http://127.0.0.1:9' where vault_id = $1", [toThird]);
    await go(own, transfer_id, "out");
    expect((await transferAt(own, transfer_id)).state).toBe("released");
    expect((await org.admin("DELETE", `/partner/remote-vaults/${toBank}`)).headers["x-error-code"]).toBe("vault_in_use");
  } finally {
    here = before;
  }
});
