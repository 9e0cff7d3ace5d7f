import { beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../../../verify/src/index.ts";
import type { Send } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { jobsDone } from "../../../test/jobs.ts";
import { logInWithCode, mailedCode, peopleService } from "../../../test/people.ts";
import type { TestKey, TestOrg } from "../../../test/service.ts";
import { flipBit, vaultedByPipeline } from "../../../test/vaulted.ts";
import { systemCaller } from "../../shared/caller.ts";
import { type EnvelopeId, newId } from "../../shared/ids.ts";
import { restoreCopy } from "../keeping/restore-copy.ts";
import { verifyCopy } from "../keeping/verify-copy.ts";

const { service, peer } = await peopleService();

let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg("Acme Leasing");
  key = await org.newKey();
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

  test("is no original any more from that moment on, whether or not it is printed", async () => {
    const [check] = (await key.send("GET", `${at(envelope_id)}/compliance`)).json.data.checks;
    expect([check.satisfied, check.detail]).toEqual([
      false,
      expect.stringMatching(/^The electronic record ended on .* and is being replaced/),
    ]);
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
    const bundle = (await key.send("GET", `${at(envelope_id)}/vault/evidence`)).bytes;
    const { outcome, left } = await verifyBundle(() => unzipBundle(bundle), { root: null, tsa_roots: null });
    expect([outcome, left?.on_paper]).toEqual(["CONSISTENT, SIGNER NOT PINNED", true]);
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

  test("is not confirmed by the person who proposed it, and not under a hold", async () => {
    const other = await vaultedByPipeline(service, org);
    await propose(other, "paper_out", { recipient: { name: "Myself", email: org.email } });
    await jobsDone(service);
    const { ending_id } = await endingOf(other);
    const own = await logInWithCode(service, peer, org.email);
    expect((await own("GET", `papers/${ending_id}/document`)).status).toBe(200);
    expect(codeOf(await own("POST", `papers/${ending_id}/confirm`, { body: {} }))).toEqual([403, "same_principal"]);
    await key.send("POST", `${at(other)}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    expect(codeOf(await own("POST", `papers/${ending_id}/confirm`, { body: {} }))).toEqual([409, "copy_on_hold"]);
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
    const other = await vaultedByPipeline(service, org);
    await propose(other, "paper_out", { recipient: { name: "Second Example Bank", email: newAddress() } });
    const { ending_id } = await endingOf(other);
    const cancelled = await key.send("POST", `/partner/record-endings/${ending_id}/cancel`, { body: {} });
    expect([cancelled.status, cancelled.json.data.status, (await recordOf(other)).state]).toEqual([200, "cancelled", "active"]);
  });

  test("is verified like any other as long as it can return to the vault", async () => {
    const other = await vaultedByPipeline(service, org);
    await propose(other, "paper_out", { recipient: { name: "Second Example Bank", email: newAddress() } });
    await jobsDone(service);
    const { ending_id } = await endingOf(other);
    const verify = () => verifyCopy(service.features.vault, org.org_id, other);
    expect(await verify()).toBe("sound");
    const { hash: sha256 } = await recordOf(other);
    const bytes = await service.features.storage.blobs.read(org.org_id, sha256);
    await flipBit(service, org, sha256);
    expect([await verify(), (await recordOf(other)).state]).toEqual(["tampered", "tampered"]);
    const cancel = () => key.send("POST", `/partner/record-endings/${ending_id}/cancel`, { body: {} });
    expect(codeOf(await cancel())).toEqual([409, "copy_wrong_state"]);
    expect(await restoreCopy(service.features.vault, systemCaller(org.org_id), other, bytes)).toBeNull();
    expect((await recordOf(other)).state).toBe("papering");
    expect([(await cancel()).status, (await recordOf(other)).state]).toEqual([200, "active"]);
  });

  test("needs its controller, and no hold", async () => {
    const other = await vaultedByPipeline(service, org);
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
