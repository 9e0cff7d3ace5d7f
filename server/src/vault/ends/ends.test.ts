import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Send } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { logInWithCode, mailedCode } from "../../../test/people.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { startSmtpPeer } from "../../../test/smtp.ts";
import { newMember, type Person, vaultedByPipeline, vaultedCopy } from "../../../test/vaulted.ts";
import { type EnvelopeId, newId } from "../../shared/ids.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
testJobs(service);
// Without a mail server, invitations of members are read from the response.
const quiet = testService();
afterAll(() => peer.stop());

testJobs(quiet);

let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg("Acme Leasing");
  key = await org.newKey();
});
// All requests come from one IP address, whose quotas are meant for many people.
beforeEach(async () => {
  await service.database.owner("delete from quotas where subject ~ '^(refused|person-(code|log-in|options|passkey)):'");
});

async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const { pages } = await service.features.pdf.inspect(bytes, {});
  const texts: string[] = [];
  for (let page = 1; page <= pages; page++) texts.push((await service.features.pdf.text(bytes, { page })).blocks.join(" "));
  return texts;
}

const newAddress = () => `${newId("person")}@bank.example`;
const at = (envelope_id: EnvelopeId) => `/partner/envelopes/${envelope_id}`;
const recordOf = async (envelope_id: EnvelopeId) => (await key.send("GET", `${at(envelope_id)}/vault`)).json.data;
const codeOf = ({ status, headers }: { status: number; headers: Record<string, unknown> }) => [status, headers["x-error-code"]];

async function propose(envelope_id: EnvelopeId, kind: string, more: object = {}) {
  const { control_version: present_version } = await recordOf(envelope_id);
  return key.send("POST", `${at(envelope_id)}/acts`, { body: { kind, reason: "The buyer accepts only paper", present_version, ...more } });
}

const endingOf = async (envelope_id: EnvelopeId) =>
  (await key.send("GET", `/partner/record-endings?envelope_id=${envelope_id}`)).json.data[0];

describe("a record that is replaced by paper", () => {
  let envelope_id: EnvelopeId;
  let recipient: Send;
  const email = newAddress();

  test("ends when the act takes effect, and its recipient gets one PDF that says so on each page", async () => {
    envelope_id = await vaultedByPipeline(service, org);
    const { status, json } = await propose(envelope_id, "paper_out", { recipient: { name: "Second Example Bank", email } });
    expect([status, json.data?.state]).toEqual([201, "effective"]);
    expect((await recordOf(envelope_id)).state).toBe("papering");
    await jobsDone(service);
    const { ending_id, begun_at } = await endingOf(envelope_id);
    const mail = peer.messages.findLast(({ to }) => to.includes(email));
    expect(mail?.text).toContain(`/p/#/papers/${ending_id}`);

    recipient = await logInWithCode(service, peer, email);
    expect(codeOf(await recipient("POST", `papers/${ending_id}/confirm`, { body: {} }))).toEqual([409, "not_downloaded"]);
    const file = await recipient("GET", `papers/${ending_id}/document`);
    expect([file.status, file.headers["content-type"]]).toEqual([200, "application/pdf"]);
    const pages = await pagesOf(file.bytes);
    const mark = `Paper original of ${envelope_id}, electronic record ended ${begun_at.slice(0, 19)}Z`;
    expect(pages.map((text) => text.includes(mark))).toEqual([true]);
    const access = (await chainOf(service, org.org_id, envelope_id)).at(-1);
    expect(access).toMatchObject({ type: "vault.document.accessed", actor: { kind: "person" }, data: { what: "paper" } });
  });

  test("cannot be cancelled, assigned or exported once the PDF was downloaded, because the paper may exist", async () => {
    const { ending_id } = await endingOf(envelope_id);
    expect(codeOf(await key.send("POST", `/partner/record-endings/${ending_id}/cancel`, { body: {} }))).toEqual([409, "paper_downloaded"]);
    const out = await key.send("POST", `${at(envelope_id)}/vault-out`, { body: { recipient: { name: "Bank", email }, reason: "Sold" } });
    expect(codeOf(out)).toEqual([409, "copy_wrong_state"]);
  });

  test("is papered when the recipient confirms that it is printed: custody ends, and a sealed certificate says how", async () => {
    const { ending_id } = await endingOf(envelope_id);
    const confirmed = await recipient("POST", `papers/${ending_id}/confirm`, { body: {} });
    expect([confirmed.status, confirmed.json.data.status]).toEqual([200, "done"]);
    expect((await recipient("POST", `papers/${ending_id}/confirm`, { body: {} })).status, "again changes nothing").toBe(200);
    expect(codeOf(await recipient("GET", `papers/${ending_id}/document`))).toEqual([409, "ending_closed"]);
    await jobsDone(service);
    const { state, custodian } = await recordOf(envelope_id);
    expect([state, custodian]).toEqual(["papered", null]);
    const compliance = (await key.send("GET", `${at(envelope_id)}/compliance`)).json.data;
    expect([compliance.standing, compliance.passed]).toEqual(["left", false]);
    for (const certificate of [
      await recipient("GET", `papers/${ending_id}/certificate`),
      await key.send("GET", `/partner/record-endings/${ending_id}/certificate`),
    ]) {
      expect(certificate.status).toBe(200);
      const text = (await pagesOf(certificate.bytes)).join(" ");
      expect(text).toContain("Certificate of conversion to paper");
      expect(text).toContain(email);
    }
    const types = (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
    expect(types.filter((type) => type === "vault.papered" || type === "vault.ending_certified")).toHaveLength(2);
  });

  test("is 404 for every other person", async () => {
    const { ending_id } = await endingOf(envelope_id);
    const stranger = newAddress();
    await key.send("POST", "/partner/parties", {
      body: { kind: "people", name: "First Example Bank", people: [{ email: stranger, name: "Ann", rights: "view" }] },
    });
    const send = await logInWithCode(service, peer, stranger);
    for (const path of ["", "/document", "/certificate"]) expect((await send("GET", `papers/${ending_id}${path}`)).status).toBe(404);
    expect((await send("POST", `papers/${ending_id}/confirm`, { body: {} })).status).toBe(404);
  });

  test("returns to the vault if it is cancelled before the first download", async () => {
    const { envelope_id: other } = await vaultedCopy(service, org);
    await propose(other, "paper_out", { recipient: { name: "Second Example Bank", email: newAddress() } });
    const { ending_id } = await endingOf(other);
    const cancelled = await key.send("POST", `/partner/record-endings/${ending_id}/cancel`, { body: {} });
    expect([cancelled.status, cancelled.json.data.status, (await recordOf(other)).state]).toEqual([200, "cancelled", "active"]);
  });

  test("needs its controller, and no hold", async () => {
    const { envelope_id: other } = await vaultedCopy(service, org);
    const bank = newAddress();
    const made = await key.send("POST", "/partner/parties", {
      body: { kind: "people", name: "First Example Bank", people: [{ email: bank, name: "Ann", rights: "approve" }] },
    });
    const { act_id, sha256 } = (await propose(other, "designate", { party_id: made.json.data.party_id })).json.data;
    const send = await logInWithCode(service, peer, bank);
    const code = await mailedCode(service, peer, bank, act_id);
    await send("POST", `acts/${act_id}/decision`, { body: { decision: "confirm", sha256, code } });
    const paper = (await propose(other, "paper_out", { recipient: { name: "Bank", email: newAddress() } })).json.data;
    expect([paper.state, paper.needs.map(({ role }: { role: string }) => role)]).toEqual(["proposed", ["controller"]]);
    await key.send("POST", `${at(other)}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    const held = await propose(other, "paper_out", { recipient: { name: "Bank", email: newAddress() } });
    expect(codeOf(held)).toEqual([409, "copy_on_hold"]);
  });
});

describe("a record that is destroyed", () => {
  let colleague: Person;
  beforeAll(async () => {
    org = await quiet.newOrg("Acme Leasing");
    key = await org.newKey();
    colleague = await newMember(quiet, org, "admin");
    // The database refuses to shorten a retention, and these tests cannot wait for years.
    await quiet.database.owner("alter table authoritative_copies disable trigger later_only");
  });
  afterAll(() => quiet.database.owner("alter table authoritative_copies enable trigger later_only"));

  /** The colleague confirms as another admin. */
  async function agree({ act_id, sha256 }: { act_id: string; sha256: string }): Promise<void> {
    const { status, json } = await colleague.send("POST", `/partner/acts/${act_id}/decision`, { body: { decision: "confirm", sha256 } });
    expect([status, json.error]).toEqual([200, undefined]);
  }

  const retentionOver = (envelope_id: EnvelopeId) =>
    quiet.database.owner(
      "update authoritative_copies set retention_until = now() - interval '1 day', lock_until = now() - interval '1 day' where envelope_id = $1",
      [envelope_id],
    );

  const isStored = (sha256: string) =>
    quiet.features.storage.blobs.read(org.org_id, sha256).then(
      () => true,
      () => false,
    );

  test("must have been kept long enough, and has no hold; a pledge and an object lock keep it too", async () => {
    const { envelope_id } = await vaultedCopy(quiet, org);
    expect(codeOf(await propose(envelope_id, "destroy"))).toEqual([409, "retention_not_over"]);
    await retentionOver(envelope_id);
    await quiet.database.owner(
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
    const envelope_id = await vaultedByPipeline(quiet, org);
    await retentionOver(envelope_id);
    const { hash: sha256 } = await recordOf(envelope_id);
    const act = (await propose(envelope_id, "destroy")).json.data;
    expect([act.state, act.needs.map(({ role }: { role: string }) => role)]).toEqual(["proposed", ["admin"]]);
    const own = await key.send("POST", `/partner/acts/${act.act_id}/decision`, { body: { decision: "confirm", sha256: act.sha256 } });
    expect(codeOf(own)).toEqual([403, "same_principal"]);
    expect(await isStored(sha256)).toBe(true);
    await agree(act);
    await jobsDone(quiet);

    const ending = await endingOf(envelope_id);
    expect([ending.status, ending.kind, (await recordOf(envelope_id)).state]).toEqual(["done", "destruction", "destroyed"]);
    const removed = ending.files.filter(({ kept }: { kept: boolean }) => !kept);
    expect(removed.map((file: { sha256: string }) => file.sha256)).toContain(sha256);
    for (const file of removed) expect(await isStored(file.sha256), file.what).toBe(false);
    const kept = ending.files.filter((file: { kept: boolean }) => file.kept);
    for (const file of kept) expect(await isStored(file.sha256), "used by a template").toBe(true);

    expect((await key.send("GET", `${at(envelope_id)}/vault/certificate`)).status).toBe(200);
    expect(codeOf(await key.send("GET", `${at(envelope_id)}/vault/document`))).toEqual([409, "copy_wrong_state"]);
    const compliance = (await key.send("GET", `${at(envelope_id)}/compliance`)).json.data;
    expect(compliance.standing).toBe("destroyed");
    const certificate = await key.send("GET", `/partner/record-endings/${ending.ending_id}/certificate`);
    const text = (await pagesOf(certificate.bytes)).join(" ").replaceAll(/\s/g, "");
    expect(text).toContain("Certificateofdestruction");
    for (const file of removed) expect(text).toContain(file.sha256);
    const last = (await chainOf(quiet, org.org_id, envelope_id)).find(({ type }) => type === "vault.destroyed");
    expect(last?.data).toMatchObject({ ending_id: ending.ending_id, hash: sha256 });
  });

  test("leaves its hash behind, under which the same bytes can be stored again", async () => {
    const envelope_id = await vaultedByPipeline(quiet, org);
    const { hash: sha256 } = await recordOf(envelope_id);
    const bytes = await quiet.features.storage.blobs.read(org.org_id, sha256);
    await retentionOver(envelope_id);
    await agree((await propose(envelope_id, "destroy")).json.data);
    await jobsDone(quiet);
    expect(await isStored(sha256)).toBe(false);
    const stored = await storeBlob(quiet.features.storage, org.org_id, bytes);
    expect([stored.sha256, await isStored(sha256)]).toEqual([sha256, true]);
    await quiet.db.tx(org.org_id, (tx) => keepBlob(tx, org.org_id, sha256));
  });
});
