import { beforeAll, describe, expect, test } from "vitest";
import { makeReady, type SigningSession, signAll, signingSession, signingSessionWith } from "../../../test/ceremony.ts";
import { chainOf, linkInOutbox, linkTokenFor, tokenFor } from "../../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { currentText } from "../../texts/current-texts.ts";

/** What signers keep or take with them: the document before they sign, the disclosure, the paper, and the link for later. */

const service = testService();
testJobs(service);

let org: TestOrg;
let key: TestKey;
let template: string;
beforeAll(async () => {
  org = await service.newOrg("Example Company");
  key = await org.newKey();
  template = await newTemplate(key);
});

async function sentLease(send: object = {}): Promise<EnvelopeId> {
  const envelope_id = (await newEnvelope(key, template)) as EnvelopeId;
  const sent = await org.admin("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], ...send } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  return envelope_id;
}

const textOf = async (bytes: Uint8Array): Promise<string> =>
  (await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ").replaceAll(/\s+/g, " ");
const typesOf = async (envelope_id: EnvelopeId) => (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
const statusOf = async (envelope_id: EnvelopeId) => (await key.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status;
const refused = async (answer: ReturnType<SigningSession["open"]>) => {
  const { status, json } = await answer;
  return [status, json.details?.[0]?.code];
};

const mailsOf = async (kind: string) => {
  await jobsDone(service);
  return service.database.owner<{ to_address: string }>("select to_address from mail_messages where org_id = $1 and kind = $2", [
    org.org_id,
    kind,
  ]);
};

describe("before signing", () => {
  test("the document can be downloaded before consent, marked on its pages as not signed by everyone", async () => {
    const ann = await signingSession(service, org, await sentLease(), tenant.email);
    const { status, headers, bytes } = await ann.send("GET", "/document");
    expect([status, headers["content-type"], headers["x-document-rendition"]]).toEqual([200, "application/pdf", "copy"]);
    expect(await textOf(bytes)).toContain("NOT ALL PARTIES HAVE SIGNED");
  });
});

describe("the disclosure", () => {
  test("is a PDF in the language of the page before consent, with its version and the start of its hash on every page", async () => {
    const ann = await signingSession(service, org, await sentLease(), tenant.email);
    const { status, headers, bytes } = await ann.send("GET", "/disclosure?lang=de");
    expect([status, headers["content-type"]]).toEqual([200, "application/pdf"]);
    expect(headers["content-disposition"]).toContain("disclosure-2026-11-de.pdf");
    const printed = await textOf(bytes);
    const { sha256 } = currentText(service.features.texts, "disclosure", "de");
    for (const words of ["Einwilligung in elektronische Dokumente", "Wie Sie widerrufen", `2026-11 · page 1 of 1 · ${sha256.slice(0, 16)}`])
      expect(printed).toContain(words);
    expect(Buffer.from(bytes).toString("latin1")).toMatch(/\/Lang\s*\(de\)/);
    expect(Buffer.from((await ann.send("GET", "/disclosure?lang=de")).bytes).equals(Buffer.from(bytes)), "the same bytes").toBe(true);
  });

  test("is the text that the signer accepted, whatever the language of the page is later", async () => {
    const envelope_id = await sentLease();
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await ann.see();
    const french = currentText(service.features.texts, "disclosure", "fr");
    expect((await ann.consent({ disclosure_sha256: french.sha256 })).status).toBe(200);
    const { headers } = await ann.send("GET", "/disclosure?lang=de");
    expect(headers["content-disposition"]).toContain("disclosure-2026-11-fr.pdf");
    const viewer = await signingSession(service, org, envelope_id, "eve@example.com");
    expect((await viewer.send("GET", "/disclosure")).headers["content-disposition"]).toContain("disclosure-2026-11-en.pdf");
  });
});

describe("signing on paper instead", () => {
  test("is recorded, tells the sender once, gives the paper, and leaves the envelope open", async () => {
    const envelope_id = await sentLease();
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await ann.see();
    expect(await refused(ann.send("GET", "/paper"))).toEqual([409, "paper_not_requested"]);
    const before = (await mailsOf("envelope_paper_requested")).length;
    const asked = await ann.send("POST", "/paper");
    expect([asked.status, asked.json.data]).toEqual([200, { requested_at: expect.stringMatching(/Z$/) }]);
    expect((await ann.send("POST", "/paper")).json.data).toEqual(asked.json.data);
    expect((await typesOf(envelope_id)).filter((type) => type === "signer.paper_requested")).toHaveLength(1);
    expect((await mailsOf("envelope_paper_requested")).length).toBe(before + 1);
    expect((await ann.open()).json.data.you.paper_requested_at).toBe(asked.json.data.requested_at);

    const paper = await ann.send("GET", "/paper");
    expect([paper.status, paper.headers["content-type"]]).toEqual([200, "application/pdf"]);
    const printed = await textOf(paper.bytes);
    expect(printed).toContain("TO BE SIGNED ON PAPER");
    expect(printed).toContain(paper.headers["x-copy-id"]);
    const entries = await chainOf(service, org.org_id, envelope_id);
    expect(entries.at(-1)).toMatchObject({ type: "copy.issued", data: { issued_to: tenant.email, copy_id: paper.headers["x-copy-id"] } });

    expect(await statusOf(envelope_id)).toBe("viewed");
    const { signers } = (await key.send("GET", `/partner/envelopes/${envelope_id}/signers`)).json.data;
    expect(signers.map((one: { paper_requested_at: string | null }) => one.paper_requested_at)).toEqual([
      asked.json.data.requested_at,
      null,
    ]);
    await signAll(service, org, envelope_id, [[tenant.email, { "Tenant name": "A", Rent: "1", Start: "2026-03-01", Floor: "first" }]]);
  });

  test("is refused to viewers, out of turn, after signing, and with a token of another envelope", async () => {
    const [envelope_id, other] = [await sentLease(), await sentLease()];
    const viewer = await signingSession(service, org, envelope_id, "eve@example.com");
    const sam = await signingSession(service, org, envelope_id, landlord.email);
    const foreign = signingSessionWith(service, envelope_id, await tokenFor(org, other, tenant.email));
    for (const method of ["POST", "GET"]) {
      expect(await refused(viewer.send(method, "/paper"))).toEqual([403, "read_only"]);
      expect(await refused(sam.send(method, "/paper"))).toEqual([409, "not_your_turn"]);
      expect((await foreign.send(method, "/paper")).status).toBe(404);
    }
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(ann, { "Tenant name": "A", Rent: "1", Start: "2026-03-01", Floor: "first" });
    expect((await ann.complete()).status).toBe(200);
    expect(await refused(ann.send("POST", "/paper"))).toEqual([409, "conflict"]);
    expect((await typesOf(envelope_id)).includes("signer.paper_requested")).toBe(false);
  });
});

describe("finishing later", () => {
  test("mails the link again to the signer's own address, and the link opens what was filled in so far", async () => {
    const envelope_id = await sentLease();
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await ann.see();
    await ann.consent();
    expect((await ann.fill({ "Tenant name": "Ann Example" })).status).toBe(200);
    const sent = await ann.send("POST", "/finish-later");
    expect([sent.status, sent.json.data]).toEqual([200, { sent_to: tenant.email }]);
    const entries = await chainOf(service, org.org_id, envelope_id);
    expect(entries.at(-1)).toMatchObject({ type: "signer.link_sent", actor: { kind: "signer" }, data: { user_email: tenant.email } });
    const { slug, secret } = await linkInOutbox(org, tenant.email);
    const later = signingSessionWith(service, envelope_id, await linkTokenFor(service, slug, secret));
    const { fields } = (await later.open()).json.data;
    expect(fields.find(({ name }: { name: string }) => name === "Tenant name").value).toBe("Ann Example");
  });

  test("with an Idempotency-Key mails one link, and a repeat is not counted", async () => {
    const envelope_id = await sentLease();
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    for (let n = 0; n < 4; n++) {
      const { status, json } = await ann.send("POST", "/finish-later", { headers: { "idempotency-key": "once" } });
      expect([status, json.data]).toEqual([200, { sent_to: tenant.email }]);
    }
    expect((await typesOf(envelope_id)).filter((type) => type === "signer.link_sent")).toHaveLength(1);
    for (const key of ["second", "third"]) {
      expect((await ann.send("POST", "/finish-later", { headers: { "idempotency-key": key } })).status).toBe(200);
    }
    expect((await ann.send("POST", "/finish-later", { headers: { "idempotency-key": "fourth" } })).status).toBe(429);
  });

  test("is limited to three links an hour, together with new links for the same signer", async () => {
    const envelope_id = await sentLease();
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await ann.open();
    const { slug } = await linkInOutbox(org, tenant.email);
    await service.send("POST", `/embed/links/${slug}/send`);
    expect([(await ann.send("POST", "/finish-later")).status, (await ann.send("POST", "/finish-later")).status]).toEqual([200, 200]);
    const fourth = await ann.send("POST", "/finish-later");
    expect([fourth.status, Number(fourth.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect((await typesOf(envelope_id)).filter((type) => type === "signer.link_sent")).toHaveLength(3);
  });

  test("is refused to viewers, out of turn, after signing, and with a token of another envelope", async () => {
    const [envelope_id, other] = [await sentLease(), await sentLease()];
    const ask = (one: SigningSession) => one.send("POST", "/finish-later");
    expect(await refused(ask(await signingSession(service, org, envelope_id, "eve@example.com")))).toEqual([403, "read_only"]);
    expect(await refused(ask(await signingSession(service, org, envelope_id, landlord.email)))).toEqual([409, "not_your_turn"]);
    const foreign = signingSessionWith(service, envelope_id, await tokenFor(org, other, tenant.email));
    expect((await ask(foreign)).status).toBe(404);
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(ann, { "Tenant name": "A", Rent: "1", Start: "2026-03-01", Floor: "first" });
    expect((await ann.complete()).status).toBe(200);
    expect(await refused(ask(ann))).toEqual([409, "conflict"]);
  });
});
