import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainOf } from "../../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { newMember, type Person, vaultedByPipeline, vaultedCopy } from "../../../test/vaulted.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";

const service = testService();
testJobs(service);

let org: TestOrg;
let key: TestKey;

const at = (envelope_id: EnvelopeId) => `/partner/envelopes/${envelope_id}`;

const recordOf = async (envelope_id: EnvelopeId) => (await key.send("GET", `${at(envelope_id)}/vault`)).json.data;

const codeOf = ({ status, headers }: { status: number; headers: Record<string, unknown> }) => [status, headers["x-error-code"]];

async function propose(envelope_id: EnvelopeId, kind: string, more: object = {}) {
  const { control_version: present_version } = await recordOf(envelope_id);
  return key.send("POST", `${at(envelope_id)}/acts`, { body: { kind, reason: "No longer needed", present_version, ...more } });
}

const endingOf = async (envelope_id: EnvelopeId) =>
  (await key.send("GET", `/partner/record-endings?envelope_id=${envelope_id}`)).json.data[0];

async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const { pages } = await service.features.pdf.inspect(bytes, {});
  const texts: string[] = [];
  for (let page = 1; page <= pages; page++) texts.push((await service.features.pdf.text(bytes, { page })).blocks.join(" "));
  return texts;
}

describe("a record that is destroyed", () => {
  let colleague: Person;
  beforeAll(async () => {
    org = await service.newOrg("Acme Leasing");
    key = await org.newKey();
    colleague = await newMember(service, org, "admin");
    // The database refuses to shorten a retention, and these tests cannot wait for years.
    await service.database.owner("alter table authoritative_copies disable trigger later_only");
  });
  afterAll(() => service.database.owner("alter table authoritative_copies enable trigger later_only"));

  /** The colleague confirms as another admin. */
  async function agree({ act_id, sha256 }: { act_id: string; sha256: string }): Promise<void> {
    const { status, json } = await colleague.send("POST", `/partner/acts/${act_id}/decision`, { body: { decision: "confirm", sha256 } });
    expect([status, json.error]).toEqual([200, undefined]);
  }

  const retentionOver = (envelope_id: EnvelopeId) =>
    service.database.owner(
      "update authoritative_copies set retention_until = now() - interval '1 day', lock_until = now() - interval '1 day' where envelope_id = $1",
      [envelope_id],
    );

  const isStored = (sha256: string) =>
    service.features.storage.blobs.read(org.org_id, sha256).then(
      () => true,
      () => false,
    );

  test("must have been kept long enough, and has no hold; a pledge and an object lock keep it too", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    expect(codeOf(await propose(envelope_id, "destroy"))).toEqual([409, "retention_not_over"]);
    await retentionOver(envelope_id);
    await service.database.owner(
      "update authoritative_copies set lock_kind = 'object_lock', lock_until = now() + interval '1 day' where envelope_id = $1",
      [envelope_id],
    );
    expect(codeOf(await propose(envelope_id, "destroy"))).toEqual([409, "object_lock_not_over"]);
    await retentionOver(envelope_id);
    const hold = await key.send("POST", `${at(envelope_id)}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    expect(codeOf(await propose(envelope_id, "destroy"))).toEqual([409, "copy_on_hold"]);
    await key.send("DELETE", `${at(envelope_id)}/vault/legal-hold/${hold.json.data.hold_id}`);
    const party = await key.send("POST", "/partner/parties", { body: { kind: "people", name: "Example Lender" } });
    const pledge = await propose(envelope_id, "pledge", { party_id: party.json.data.party_id });
    expect(pledge.json.data.state, "the party has no approver, and the policy lets it pass").toBe("effective");
    expect(codeOf(await propose(envelope_id, "destroy"))).toEqual([409, "record_pledged"]);
  });

  test("is gone from the store once another admin agrees; trail and certificates stay, and a sealed certificate names the files", async () => {
    const envelope_id = await vaultedByPipeline(service, org);
    await retentionOver(envelope_id);
    const { hash: sha256 } = await recordOf(envelope_id);
    const act = (await propose(envelope_id, "destroy")).json.data;
    expect([act.state, act.needs.map(({ role }: { role: string }) => role)]).toEqual(["proposed", ["admin"]]);
    const own = await key.send("POST", `/partner/acts/${act.act_id}/decision`, { body: { decision: "confirm", sha256: act.sha256 } });
    expect(codeOf(own)).toEqual([403, "same_principal"]);
    expect(await isStored(sha256)).toBe(true);
    await agree(act);
    await jobsDone(service);

    const ending = await endingOf(envelope_id);
    expect([ending.status, ending.kind, (await recordOf(envelope_id)).state]).toEqual(["done", "destruction", "destroyed"]);
    const removed = ending.files.filter(({ kept }: { kept: boolean }) => !kept);
    expect(removed.map((file: { sha256: string }) => file.sha256)).toContain(sha256);
    const keyOf = "select key_wrapped is not null as has_key from blobs where org_id = $1 and sha256 = $2";
    for (const file of removed) expect(await service.database.owner(keyOf, [org.org_id, file.sha256])).toEqual([{ has_key: false }]);
    for (const file of removed) expect(await isStored(file.sha256), file.what).toBe(false);
    const kept = ending.files.filter((file: { kept: boolean }) => file.kept);
    for (const file of kept) expect(await isStored(file.sha256), "used by a template").toBe(true);

    expect((await key.send("GET", `${at(envelope_id)}/vault/certificate`)).status).toBe(200);
    expect(codeOf(await key.send("GET", `${at(envelope_id)}/vault/copy`))).toEqual([409, "copy_wrong_state"]);
    const compliance = (await key.send("GET", `${at(envelope_id)}/compliance`)).json.data;
    expect(compliance.standing).toBe("destroyed");
    const certificate = await key.send("GET", `/partner/record-endings/${ending.ending_id}/certificate`);
    const text = (await pagesOf(certificate.bytes)).join(" ").replaceAll(/\s/g, "");
    expect(text).toContain("Certificateofdestruction");
    for (const file of removed) expect(text).toContain(file.sha256);
    const last = (await chainOf(service, org.org_id, envelope_id)).find(({ type }) => type === "vault.destroyed");
    expect(last?.data).toMatchObject({ ending_id: ending.ending_id, hash: sha256 });
  });

  test("leaves its hash behind, under which the same bytes can be stored again", async () => {
    const envelope_id = await vaultedByPipeline(service, org);
    const { hash: sha256 } = await recordOf(envelope_id);
    const bytes = await service.features.storage.blobs.read(org.org_id, sha256);
    await retentionOver(envelope_id);
    await agree((await propose(envelope_id, "destroy")).json.data);
    await jobsDone(service);
    expect(await isStored(sha256)).toBe(false);
    const stored = await storeBlob(service.features.storage, org.org_id, bytes);
    expect([stored.sha256, await isStored(sha256)]).toEqual([sha256, true]);
    await service.db.tx(org.org_id, (tx) => keepBlob(tx, org.org_id, sha256));
  });
});
