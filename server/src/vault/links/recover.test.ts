import { canonicalValue, type Facts2, readChain as readLinks, readZip, rules2 } from "@countersign/evidence";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { unzipBundle } from "../../../../verify/src/unzip-bundle.ts";
import { verifyBundle } from "../../../../verify/src/verify-bundle.ts";
import type { Send } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { accept, copyState, go, move, neighbours, offer, type Side, transferAt, twoVaults } from "../../../test/two-vaults.ts";
import { newMember, vaultedByPipeline, vaultedCopy } from "../../../test/vaulted.ts";
import { readChain } from "../../audit/read-chain.ts";
import type { EnvelopeId, VaultTransferId } from "../../shared/ids.ts";
import { evaluateRecord } from "../evaluate-record.ts";

/** A record that was released to a vault which is gone, or seems to be. */

const pair = twoVaults();
const GONE = "http://127.0.0.1:1";

interface Admins {
  readonly second: Send;
  readonly third: Send;
  /** another organization of the same installation, which is the controller of records */
  readonly lender: Send;
  readonly lender_party: string;
}
let admins: Admins;

beforeAll(async () => {
  const { service, org } = pair.here;
  const other = await service.newOrg("Example Lender");
  const made = await org.admin("POST", "/partner/parties", { body: { kind: "org", name: "Example Lender", org_id: other.org_id } });
  admins = {
    second: (await newMember(service, org, "admin")).send,
    third: (await newMember(service, org, "admin")).send,
    lender: (await other.newKey()).send,
    lender_party: made.json.data.party_id,
  };
});

const reach = ({ service }: Side, url: string) => service.database.owner("update remote_vaults set url = $1 where state = 'pinned'", [url]);

beforeEach(async () => {
  const { here, there } = pair;
  await reach(here, there.service.url);
  await reach(there, here.service.url);
});

/** Released, and the receiver has not heard of it. */
async function releaseUnheard(transfer_id: VaultTransferId): Promise<void> {
  const { here, there } = pair;
  await go(here, transfer_id, "out");
  await accept(there, transfer_id);
  await go(there, transfer_id, "in");
  await go(here, transfer_id, "out");
  await go(there, transfer_id, "in");
  await reach(here, GONE);
  await go(here, transfer_id, "out");
  expect((await transferAt(here, transfer_id)).state).toBe("released");
}

async function releasedRecord(): Promise<{ envelope_id: EnvelopeId; transfer_id: VaultTransferId }> {
  const { here } = pair;
  const envelope_id = await vaultedByPipeline(here.service, here.org, { secured_party: { name: "First Example Bank" } });
  const transfer_id = await offer(here, envelope_id);
  await releaseUnheard(transfer_id);
  return { envelope_id, transfer_id };
}

const read = async ({ org }: Side, path: string) => (await org.admin("GET", `/partner/${path}`)).json.data;

async function proposeRecover(side: Side, envelope_id: EnvelopeId, more: object = {}) {
  const { control_version } = await read(side, `envelopes/${envelope_id}/vault`);
  const body = { kind: "recover", reason: "The receiver ceased business", present_version: control_version, ...more };
  return side.org.admin("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
}

interface Proposed {
  readonly act_id: string;
  readonly sha256: string;
}

const confirm = (send: Send, { act_id, sha256 }: Proposed) =>
  send("POST", `/partner/acts/${act_id}/decision`, { body: { decision: "confirm", sha256 } });

async function recovered(envelope_id: EnvelopeId): Promise<Proposed> {
  const { status, json } = await proposeRecover(pair.here, envelope_id);
  expect([status, json.error]).toEqual([201, undefined]);
  await confirm(admins.second, json.data);
  expect((await confirm(admins.third, json.data)).json.data.state).toBe("effective");
  return json.data;
}

/** Runs the evaluation that the latest entry of this type queued. */
async function evaluated({ service, org }: Side, envelope_id: EnvelopeId, type: string) {
  const links = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, envelope_id));
  const { hash } = links.findLast(({ entry }) => entry.type === type)?.entry ?? expect.fail(`there is no ${type}`);
  await evaluateRecord(service.features.vault, { org_id: org.org_id, envelope_id, cause: { type, hash } });
  return (await org.admin("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data;
}

async function bundleAt({ org }: Side, envelope_id: string): Promise<Buffer> {
  const { status, bytes } = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  expect(status).toBe(200);
  return bytes;
}

const verify = (bytes: Uint8Array, root: string) => verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
const codesOf = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

describe("recover", () => {
  test("takes back what was released, when the controller and two admins agree; check 1 stays attested with a warning", {
    timeout: 120_000,
  }, async () => {
    const { here } = pair;
    const envelope_id = await vaultedByPipeline(here.service, here.org);
    const versioned = async (kind: string, more: object) => {
      const { control_version } = await read(here, `envelopes/${envelope_id}/vault`);
      const body = { kind, reason: "Sale of the loan", present_version: control_version, ...more };
      return (await here.org.admin("POST", `/partner/envelopes/${envelope_id}/acts`, { body })).json.data;
    };
    await confirm(admins.lender, await versioned("designate", { party_id: admins.lender_party }));
    await confirm(admins.lender, await versioned("transfer_out", { vault_id: here.vault_id }));
    const [{ transfer_id }] = await read(here, `vault-transfers?envelope_id=${envelope_id}`);
    await releaseUnheard(transfer_id);
    const { custodian: before } = await read(here, `envelopes/${envelope_id}/vault`);
    expect(before).toBeNull();

    const { json } = await proposeRecover(here, envelope_id);
    const act = json.data;
    expect([act.state, act.needs.map(({ role }: { role: string }) => role)]).toEqual(["proposed", ["controller", "admin", "admin"]]);
    const own = await confirm(here.org.admin, act);
    expect([own.status, own.headers["x-error-code"]]).toEqual([403, "same_principal"]);
    const first = await confirm(admins.second, act);
    expect(first.json.data.needs.map(({ decided }: { decided: boolean }) => decided)).toEqual([false, true, false]);
    const twice = await confirm(admins.second, act);
    expect([twice.status, twice.headers["x-error-code"]]).toEqual([403, "same_principal"]);
    expect((await confirm(admins.lender, act)).json.data.state).toBe("proposed");
    expect(await copyState(here, envelope_id)).toBe("transferred");
    const rival = (await proposeRecover(here, envelope_id)).json.data;
    for (const send of [admins.second, admins.lender]) expect((await confirm(send, rival)).status).toBe(200);
    const race = await Promise.all([act, rival].map((one) => confirm(admins.third, one)));
    expect(race.map(({ status }) => status).sort(), "of two that race, one takes effect").toEqual([200, 409]);

    expect(await copyState(here, envelope_id)).toBe("active");
    const { custodian } = await read(here, `envelopes/${envelope_id}/vault`);
    expect(custodian.user_id).toBe(here.org.user_id);
    const { state, reason } = await transferAt(here, transfer_id);
    expect([state, reason]).toEqual(["recovered", "recovered"]);
    const types = (await chainOf(here.service, here.org.org_id, envelope_id)).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(["vault.recovered", "act.effective", "act.superseded"]);

    const compliance = await evaluated(here, envelope_id, "act.effective");
    expect([compliance.score, compliance.standing]).toEqual([100, "attested"]);
    expect(compliance.checks[0]).toMatchObject({ satisfied: true, grade: "attested" });
    expect(compliance.checks[0].grade_reason).toMatch(
      /^Released to the vault [0-9a-f]{16}… on 2.*, and recovered on 2.* without its answer\. Whether that vault has the original too is not known\.$/,
    );
    expect(codesOf(compliance)).toContain("recovered_after_release");
    const bundle = await bundleAt(here, envelope_id);
    const { outcome, left, steps } = await verify(bundle, here.root);
    expect([outcome, left, steps.filter(({ passed }) => !passed)]).toEqual(["VERIFIED", null, []]);
    // Facts that leave the recovery out contradict the chain, whichever key signs them.
    const bytesOf = (name: string) => readZip(bundle).find((file) => file.name === name)?.bytes ?? expect.fail(`${name} is missing`);
    const chain = readLinks(bytesOf("chain.jsonl"));
    const latest = readZip(bundle).findLast(({ name }) => name.endsWith("/facts.json"))?.name ?? "";
    const facts = canonicalValue(bytesOf(latest)) as unknown as Facts2;
    const milestones = facts.chain.milestones.filter(({ type }) => type !== "vault.recovered");
    if ("line" in chain) expect.fail("the chain cannot be read");
    expect(rules2.firstContradiction(facts, chain.links)).toBeNull();
    expect(rules2.firstContradiction({ ...facts, chain: { ...facts.chain, milestones } }, chain.links)?.what).toMatch(
      /^what entry \d+ says$/,
    );
  });

  test("cancels the transfer at a receiver that comes back without having heard of the release", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    const { envelope_id, transfer_id } = await releasedRecord();
    const destroyed = await proposeRecover(here, envelope_id, { kind: "destroy" });
    expect([destroyed.status, destroyed.headers["x-error-code"]], "the receiver may still need it").toEqual([409, "receipt_missing"]);
    const release = (await read(here, `vault-transfers/${transfer_id}/messages`)).find(({ kind }: { kind: string }) => kind === "release");
    await recovered(envelope_id);
    const pinned = await here.org.admin("DELETE", `/partner/remote-vaults/${here.vault_id}`);
    expect([pinned.status, pinned.headers["x-error-code"]], "the vault may still answer").toEqual([409, "vault_in_use"]);
    await reach(here, there.service.url);
    await go(here, transfer_id, "out");
    expect([(await transferAt(here, transfer_id)).state, (await transferAt(there, transfer_id)).state]).toEqual(["recovered", "cancelled"]);
    const { bytes, signature } = release;
    const late = await there.service.send("POST", "//vault-link/v1/messages", { body: { bytes, signature } });
    expect([late.status, late.json.data.state]).toEqual([200, "cancelled"]);
    await go(there, transfer_id, "in");
    expect((await transferAt(there, transfer_id)).envelope_id).toBeNull();
    // Wherever it goes next, the warning goes with it.
    const moved = await move(here, there, envelope_id);
    const compliance = await read(there, `envelopes/${moved}/compliance`);
    expect(compliance.checks[0]).toMatchObject({ satisfied: true, grade: "attested" });
    expect(codesOf(compliance)).toContain("recovered_after_release");
    expect((await verify(await bundleAt(there, moved), there.root)).outcome).toBe("VERIFIED");
  });

  test("is contradicted by a late receipt: the trail says so, check 1 fails, and the admins are told", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    const { envelope_id, transfer_id } = await releasedRecord();
    const [{ bytes, signature }] = (await read(here, `vault-transfers/${transfer_id}/messages`)).filter(
      ({ kind }: { kind: string }) => kind === "release",
    );
    // The receiver gets the release and stores the record, but its receipt does not arrive.
    await reach(there, GONE);
    await there.service.send("POST", "//vault-link/v1/messages", { body: { bytes, signature } });
    await go(there, transfer_id, "in");
    expect((await transferAt(there, transfer_id)).state).toBe("done");
    await recovered(envelope_id);
    await reach(here, there.service.url);
    await reach(there, here.service.url);
    // The cancellation that the sender repeats brings back the receipt that it has missed.
    await go(here, transfer_id, "out");
    expect((await transferAt(here, transfer_id)).state).toBe("disputed");
    const compliance = await evaluated(here, envelope_id, "vault.recovery_contradicted");
    expect([compliance.standing, compliance.checks[0].satisfied]).toEqual(["not_passed", false]);
    expect(compliance.checks[0].detail).toMatch(/^The vault [0-9a-f]{16}… has the original too: its signed receipt arrived on 2/);
    expect(codesOf(compliance)).toContain("recovered_after_release");
    expect((await verify(await bundleAt(here, envelope_id), here.root)).outcome).toBe("VERIFIED");
    const mails = await here.service.database.owner<{ payload: { subject: string; kind: string } }>(
      "select payload from outbox where task = 'orgs.notify-admins'",
    );
    expect(mails.map(({ payload }) => [payload.kind, payload.subject])).toEqual([
      ["vault_disputed", "Two vaults hold the original of Contract"],
    ]);
    await go(there, transfer_id, "in");
    const types = (await chainOf(here.service, here.org.org_id, envelope_id)).map(({ type }) => type);
    expect(types.filter((type) => type === "vault.recovery_contradicted")).toHaveLength(1);
  });

  test("is settled by a late refusal", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    const { envelope_id, transfer_id } = await releasedRecord();
    await recovered(envelope_id);
    await reach(here, there.service.url);
    expect((await there.org.admin("POST", `/partner/vault-transfers/${transfer_id}/refuse`)).status).toBe(200);
    await go(there, transfer_id, "in");
    expect([(await transferAt(here, transfer_id)).state, await copyState(here, envelope_id)]).toEqual(["refused", "active"]);
    expect(codesOf(await evaluated(here, envelope_id, "act.effective"))).toContain("recovered_after_release");
    expect((await verify(await bundleAt(here, envelope_id), here.root)).outcome).toBe("VERIFIED");
  });

  test("is 409 for a record that is here, and once the receipt arrived, also after confirmations", { timeout: 120_000 }, async () => {
    const { here, there } = pair;
    const kept = await vaultedCopy(here.service, here.org);
    const active = await proposeRecover(here, kept.envelope_id);
    expect([active.status, active.headers["x-error-code"]]).toEqual([409, "copy_wrong_state"]);
    const unknown = await proposeRecover(here, kept.envelope_id, { vault_id: here.vault_id });
    expect([unknown.status, unknown.json.details[0].field]).toEqual([422, "vault_id"]);

    const envelope_id = await vaultedByPipeline(here.service, here.org);
    const transfer_id = await offer(here, envelope_id);
    const { control_version } = await read(here, `envelopes/${envelope_id}/vault`);
    const body = { kind: "designate", reason: "Late", present_version: control_version, party_id: admins.lender_party };
    const late = (await here.org.admin("POST", `/partner/envelopes/${envelope_id}/acts`, { body })).json.data;
    await releaseUnheard(transfer_id);
    const tombstone = await confirm(admins.lender, late);
    expect([tombstone.status, tombstone.headers["x-error-code"]], "an act from before the release").toEqual([409, "copy_wrong_state"]);
    const act = (await proposeRecover(here, envelope_id)).json.data;
    expect((await confirm(admins.second, act)).status).toBe(200);
    await reach(here, there.service.url);
    await go(here, transfer_id, "out");
    await go(there, transfer_id, "in");
    expect((await transferAt(here, transfer_id)).state).toBe("confirmed");
    const { status, json } = await confirm(admins.third, act);
    const says = "The other vault has signed that it holds the original, so it cannot be recovered here";
    expect([status, json]).toEqual([409, refusedWith(says)]);
    expect((await proposeRecover(here, envelope_id)).json).toEqual(refusedWith(says));
    expect(await copyState(here, envelope_id)).toBe("transferred");
  });

  test("of a record that another organization of this installation has stored is 409", { timeout: 120_000 }, async () => {
    const { service } = pair.here;
    const { own, other } = await neighbours(service, await service.newOrg());
    const envelope_id = await vaultedByPipeline(service, own.org, { secured_party: { name: "First Example Bank" } });
    const moved = await move(own, other, envelope_id);
    expect(await copyState(other, moved)).toBe("active");
    // As if the receipt had been lost.
    await service.database.owner("update vault_transfers set state = 'released', closed_at = null where envelope_id = $1", [envelope_id]);
    const { status, headers } = await proposeRecover(own, envelope_id);
    expect([status, headers["x-error-code"]]).toEqual([409, "lineage_is_live"]);
  });
});
