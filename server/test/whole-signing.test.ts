import { execFileSync } from "node:child_process";
import { firstFault } from "@countersign/evidence";
import { afterAll, expect, test } from "vitest";
import { readChain } from "../src/audit/read-chain.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { makeReady, signingSessionWith } from "./ceremony.ts";
import { type LinkInMail, linkIn, linkTokenFor } from "./envelopes.ts";
import { testJobs } from "./jobs.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "./lease.ts";
import { installed, testFolder } from "./openssl.ts";
import { testService } from "./service.ts";
import { headerOf, type SmtpPeer, startSmtpPeer } from "./smtp.ts";
import { until } from "./until.ts";

/** A lease from its template to the sealed document, only over HTTP and mail. */

const inbox: SmtpPeer = await startSmtpPeer();
const service = testService({ SMTP_URL: inbox.url });
const folder = testFolder();
testJobs(service);
afterAll(() => inbox.stop());

/** The link in the newest mail to an address. */
async function linkMailedTo(to: string, subject: RegExp): Promise<LinkInMail> {
  const wanted = () => inbox.messages.find((mail) => mail.to.includes(to) && subject.test(headerOf(mail, "subject") ?? ""));
  await until(`a mail to ${to}`, async () => wanted() !== undefined);
  return linkIn(wanted()?.text);
}

const tokenOf = ({ slug, secret }: LinkInMail): Promise<string> => linkTokenFor(service, slug, secret);

test("two people sign in order with the links in their mails, and everyone gets the sealed document", async () => {
  const org = await service.newOrg("Example Company");
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key))) as EnvelopeId;
  await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });

  const ann = signingSessionWith(service, envelope_id, await tokenOf(await linkMailedTo(tenant.email, /asks you to sign/)));
  expect((await ann.open()).json.data).toMatchObject({ state: "ready", signers: { signed: 0, total: 2 } });
  await makeReady(ann, { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" });
  expect((await ann.complete()).json.data).toMatchObject({ envelope_status: "viewed", signed: 1, total: 2 });

  const early = await ann.send("GET", "/document");
  expect([early.status, early.headers["x-document-rendition"]]).toEqual([200, "copy"]);
  const shown = (await service.features.pdf.text(early.bytes, { page: 1 })).blocks.join(" ");
  expect(shown).toContain("NOT ALL PARTIES HAVE SIGNED");
  expect(shown).toContain("Ann Example");

  const samsLink = await linkMailedTo(landlord.email, /Your turn to sign/);
  const sam = signingSessionWith(service, envelope_id, await tokenOf(samsLink));
  expect((await sam.open()).json.data.others.map(({ value }: { value: unknown }) => value)).toContain("Ann Example");
  await makeReady(sam, {}, "Sam");
  expect((await sam.complete()).json.data).toMatchObject({ envelope_status: "completed", signed: 2, total: 2 });

  await until("the copy", async () => (await sam.open()).json.data.copy.ready === true);
  expect((await linkMailedTo(landlord.email, /Everyone has signed/)).slug).toBe(samsLink.slug);
  const copy = await sam.send("GET", "/document");
  const { bytes } = await key.send("GET", `/partner/envelopes/${envelope_id}/document`);
  expect(copy.bytes.equals(bytes), "signers and sender have the same bytes").toBe(true);
  const text = (await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ");
  for (const value of ["Ann Example", "1200", "1 Mar 2026", "second"]) expect(text).toContain(value);
  if (installed.pdfsig) {
    const printed = execFileSync("pdfsig", ["-nocert", folder.put("lease.pdf", bytes)], { encoding: "utf8" });
    expect(printed).toMatch(/Signature is Valid/);
    expect(printed).toMatch(/Total document signed/);
  }

  const chain = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, envelope_id));
  expect(firstFault(chain, { org_id: org.org_id, subject: envelope_id })).toBeNull();
  const milestones = [
    "document.prepared",
    "envelope.sent",
    "signer.opened",
    "document.rendered",
    "consent.accepted",
    "signature.applied",
    "envelope.completed",
    "document.stamped",
    "document.sealed",
  ];
  const types = chain.map(({ entry }) => entry.type).filter((type) => milestones.includes(type));
  const signing = ["signer.opened", "document.rendered", "consent.accepted", "signature.applied"];
  expect(types).toEqual([
    "document.prepared",
    "envelope.sent",
    ...signing,
    ...signing,
    "envelope.completed",
    "document.stamped",
    "document.sealed",
  ]);
});
