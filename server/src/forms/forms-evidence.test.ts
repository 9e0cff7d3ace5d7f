import { afterAll, expect, test } from "vitest";
import { makeReady, signingSessionWith } from "../../test/ceremony.ts";
import { linkIn, linkTokenFor } from "../../test/envelopes.ts";
import { newForm, start, visitor } from "../../test/forms.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { until } from "../../test/until.ts";
import { finishDocument } from "../envelopes/finish-document.ts";
import { sendMail } from "../mail/send-mail.ts";
import type { EnvelopeId, MessageId } from "../shared/ids.ts";
import { storeEnvelope } from "../vault/store-envelope.ts";

/** A signature on a form is worth in the vault what is known about the visitor's address. */

const inbox = await startSmtpPeer();
afterAll(() => inbox.stop());
const service = testService({ SMTP_URL: inbox.url });

/** Sends the queued messages as the worker does. */
async function deliver(): Promise<void> {
  const rows = await service.database.owner<{ message_id: MessageId }>("select message_id from mail_messages where state = 'queued'");
  for (const { message_id } of rows) await sendMail(service.features.mail, message_id);
}

/** Signs, stores in the vault, and returns what check 5 says: whether the signers are known. */
async function check5Of(org: TestOrg, envelope_id: EnvelopeId, token: string): Promise<string> {
  const page = signingSessionWith(service, envelope_id, token);
  await makeReady(page, { Child: "Tim" }, "Ann Lee");
  expect((await page.complete()).status).toBe(200);
  const job = { org_id: org.org_id, envelope_id };
  await finishDocument(service.features.envelopes, job);
  const certification = { accepted: true, terms_version: "2026-01" };
  const vaulting = org.admin("POST", `/partner/envelopes/${envelope_id}/vault-in-signed`, { body: { certification } });
  await until("the accepted terms", async () => {
    const rows = await service.database.owner("select 1 from certification_acceptances where envelope_id = $1", [envelope_id]);
    return rows.length === 1;
  });
  await storeEnvelope(service.features.vault, job);
  expect((await vaulting).status).toBe(200);
  const { json } = await org.admin("GET", `/partner/envelopes/${envelope_id}/compliance`);
  const { grade, detail } = json.data.checks.find(({ number }: { number: number }) => number === 5);
  return `${grade}: ${detail}`;
}

/** The text of all pages, with white space collapsed. */
async function textOf(bytes: Uint8Array): Promise<string> {
  const { pages } = await service.features.pdf.inspect(bytes, {});
  const read = Array.from({ length: pages }, (_, index) => service.features.pdf.text(bytes, { page: index + 1 }));
  return (await Promise.all(read))
    .flatMap(({ blocks }) => blocks)
    .join(" ")
    .replaceAll(/\s+/g, " ");
}

test("a confirmed address is a mailed link, and an unverified one is at most attested", async () => {
  const org = await service.newOrg("Northside School");
  const [verified, open] = [await newForm(org), await newForm(org, { verify_email: false })];

  await start(service, verified.slug, visitor("ann@example.com"));
  await deliver();
  const code = /#c=([0-9a-f]{32})/.exec(inbox.messages.at(-1)?.text ?? "")?.[1] ?? expect.fail("no code");
  const confirmed = await service.send("POST", `/forms/${verified.slug}/confirm`, { body: { code } });
  const link = linkIn(confirmed.json.data.embed_url);
  const [{ envelope_id }] = (await org.admin("GET", `/partner/envelopes?form_id=${verified.form_id}`)).json.data;
  const mailed = await check5Of(org, envelope_id, await linkTokenFor(service, link.slug, link.secret));

  const started = await start(service, open.slug, visitor("ben@example.com"));
  const [, id = "", token = ""] = /\/sign\/(env_\w+)\?lang=en#token=(.+)$/.exec(started.json.data.embed_url) ?? [];
  const unverified = await check5Of(org, id as EnvelopeId, token);

  for (const document of ["vault/certificate", "completion-certificate"]) {
    const { status, bytes } = await org.admin("GET", `/partner/envelopes/${id}/${document}`);
    expect(status).toBe(200);
    const printed = await textOf(bytes);
    expect(printed).toMatch(/public form, without proof of the e-mail address/i);
    // The organization states nothing about a visitor, and no key requested the token.
    expect(printed).not.toMatch(/asserted by|key system|integrator|access that the sender created/);
  }

  expect([mailed, unverified]).toEqual([
    "proven: 1 of 1 signer consented (disclosure 2026-11) and is attributed: link.",
    "attested: 1 of 1 signer consented (disclosure 2026-11) and is attributed: token.",
  ]);
});
