import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { makeReady, type SigningSession, signAll, signingSession, signingSessionWith } from "../../test/ceremony.ts";
import { chainOf, linkIn, linkInOutbox, linkTokenFor, tokenFor } from "../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { ann, lee, sam, sentContract } from "../../test/recipients.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { completedForVault } from "../../test/vaulted.ts";
import { sealRoots } from "../seals/verify-own-seal.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { storeEnvelope } from "../vault/store-envelope.ts";
import { completionCertificate } from "./completion-certificate.ts";
import { finishDocument } from "./finish-document.ts";
import { sweepEnvelopes } from "./sweep-envelopes.ts";

const service = testService();
const peer = await startSmtpPeer();
const mailing = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
testJobs(mailing);
afterAll(() => peer.stop());
const values = { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };

interface Sent {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

async function sentLease(more: object = {}, send: object = {}): Promise<Sent> {
  const org = await service.newOrg("Example Company");
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), more)) as EnvelopeId;
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], ...send } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  return { org, key, envelope_id };
}

const finish = ({ org, envelope_id }: Sent) => finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
const certificate = ({ key, envelope_id }: Sent) => key.send("GET", `/partner/envelopes/${envelope_id}/completion-certificate`);

async function signedLease(): Promise<Sent> {
  const lease = await sentLease();
  await signAll(service, lease.org, lease.envelope_id, [[tenant.email, values], [landlord.email]]);
  await finish(lease);
  return lease;
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

async function downloaded(sent: Sent): Promise<string> {
  const { status, json, bytes } = await certificate(sent);
  expect([status, json?.error]).toEqual([200, undefined]);
  return textOf(bytes);
}

describe("the completion certificate of a completed envelope", () => {
  test("names the signers, when and how they signed, the hashes of the document, and the events in plain words", async () => {
    const lease = await sentLease();
    const { slug, secret } = await linkInOutbox(lease.org, tenant.email);
    const ann = signingSessionWith(service, lease.envelope_id, await linkTokenFor(service, slug, secret));
    await makeReady(ann, values);
    expect((await ann.complete()).status).toBe(200);
    await signAll(service, lease.org, lease.envelope_id, [[landlord.email]]);
    await finish(lease);
    const { status, headers, bytes } = await certificate(lease);
    expect([status, headers["content-type"]]).toEqual([200, "application/pdf"]);
    expect(headers["content-disposition"]).toContain("Lease - completion certificate.pdf");
    const printed = await textOf(bytes);
    for (const words of [
      "Completion certificate",
      "Signed by 2 of 2 signers",
      lease.envelope_id,
      `Example Company (${lease.org.org_id})`,
      "ann@example.com",
      "sam@example.com",
      // No mail server took the message of this test, and the certificate does not claim one.
      "Link in a message that no mail server is recorded to have accepted",
      "Embedded page, identity asserted by Example Company",
      "Europe/Berlin (UTC+01:00)",
      "disclosure 2026-11",
      "Sent the envelope to Ann, Sam",
      "Signed “Tenant signature” (typed)",
      "The signed document was sealed",
      "How to verify this",
    ])
      expect(printed).toContain(words);
    const document = await lease.key.send("GET", `/partner/envelopes/${lease.envelope_id}/document`);
    const joined = printed.replaceAll(" ", "");
    for (const algorithm of ["sha256", "sha512"]) expect(joined).toContain(createHash(algorithm).update(document.bytes).digest("hex"));
    expect(printed, "the id in an entry is part of a signer's link").not.toContain(slug);
  });

  test("is sealed, and a tagged PDF with a title and a language", async () => {
    const lease = await signedLease();
    const { bytes } = await certificate(lease);
    const seals = await service.features.pdf.verify(bytes, {
      ...(await sealRoots(service.features.seals, lease.org.org_id)),
      at: new Date(),
    });
    expect(seals).toMatchObject([
      { intact: true, trusted: true, covers_whole_file: true, reason: `Completion certificate of ${lease.envelope_id}` },
    ]);
    const raw = Buffer.from(bytes).toString("latin1");
    for (const entry of [/\/Lang\s*\(en\)/, /\/MarkInfo\s*<<\s*\/Marked true/, /\/StructTreeRoot/]) expect(raw).toMatch(entry);
  });

  test("is made once: requests at the same time and later get the same bytes, and its hash is in the audit trail", async () => {
    const lease = await signedLease();
    const answers = await Promise.all([certificate(lease), certificate(lease), certificate(lease)]);
    const mailed = await completionCertificate(service.features.envelopes, lease.org.org_id, lease.envelope_id);
    const hashes = [...answers.map(({ bytes }) => bytes), mailed].map((bytes) => createHash("sha256").update(bytes).digest("hex"));
    expect(new Set(hashes).size).toBe(1);
    const entries = (await chainOf(service, lease.org.org_id, lease.envelope_id)).filter(({ type }) => type === "completion.certified");
    expect(entries).toMatchObject([{ data: { status: "completed", sha256: hashes[0] } }]);
  });

  test("covers the trail up to the seal, no matter when it is requested", async () => {
    const lease = await signedLease();
    await lease.key.send("GET", `/partner/envelopes/${lease.envelope_id}/document`);
    const printed = await downloaded(lease);
    expect(printed).toContain("The signed document was sealed");
    expect(printed).not.toContain("The signed document was downloaded");
  });

  test("shows names in Hebrew, Arabic and Chinese, and long names", async () => {
    const org = await service.newOrg("Example Company");
    const key = await org.newKey();
    const long = "Bartholomew Maximilian Featherstonehaugh-Cholmondeley the Third of Wessex";
    const names = { Tenant: long, Landlord: "דוד בן-גוריון", Witness: "王小明", Guarantor: "ليلى الأحمد", Broker: "Żółć Ærøskøbing" };
    const signers = Object.entries(names).map(([role, name]) => ({ role, name, email: `${role.toLowerCase()}@example.com` }));
    const tags = signers.map(({ role }, index) => text(`{{${role} signature;role=${role};type=signature}}`, 72, 700 - 60 * index));
    const template = await newTemplate(key, writePdf(onePage({ content: tags.join(" ") })));
    const envelope_id = (await newEnvelope(key, template)) as EnvelopeId;
    expect((await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers } })).status).toBe(200);
    await signAll(
      service,
      org,
      envelope_id,
      signers.map(({ email }) => [email]),
    );
    await finish({ org, key, envelope_id });
    const printed = (await downloaded({ org, key, envelope_id })).replaceAll(" ", "");
    for (const name of [long, "王小明", "Żółć Ærøskøbing"]) expect(printed).toContain(name.replaceAll(" ", ""));
    // The text of a right-to-left line comes in the order in which it is drawn.
    const drawn = [...printed.normalize("NFKC")].reverse().join("");
    for (const name of ["דוד", "גוריון", "ليلى"]) expect(`${printed} ${drawn}`).toContain(name);
    expect(printed).not.toContain("\u{fffd}");
  });
});

describe("the completion certificate of an envelope that ended otherwise", () => {
  test("says who declined, when and why", async () => {
    const lease = await sentLease();
    const ann = await signingSession(service, lease.org, lease.envelope_id, tenant.email);
    await ann.see();
    expect((await ann.send("POST", "/decline", { body: { reason: "The rent is too high" } })).status).toBe(200);
    const printed = await downloaded(lease);
    expect(printed).toMatch(
      /Declined by Ann at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC Reason given: The rent is too high 0 of 2 signers had signed/,
    );
  });

  test("says that an approver rejected it, who was never asked to sign", async () => {
    const contract = await sentContract(service, [lee, ann, sam]);
    const approver = await contract.as(lee.email);
    await approver.see();
    expect((await approver.send("POST", "/decline", { body: { reason: "Over budget" } })).status).toBe(200);
    const printed = await downloaded(contract);
    expect(printed).toContain("Rejected by Lee");
    expect(printed).toContain("Rejected the document. Reason given: Over budget");
    expect(printed).not.toContain("Declined to sign");
  });

  test("says that it was voided and why, also for a draft that was never sent", async () => {
    const lease = await sentLease();
    await lease.key.send("POST", `/partner/envelopes/${lease.envelope_id}/void`, { body: { reason: "Wrong version" } });
    const voided = await downloaded(lease);
    expect(voided).toMatch(/Voided by API key lk_\w+ at .* Reason given: Wrong version/);
    expect(voided, "no one opened it").toMatch(/Authenticated not recorded/);
    expect(voided).not.toContain("by the link or token alone");
    const draft = { ...lease, envelope_id: (await newEnvelope(lease.key, await newTemplate(lease.key))) as EnvelopeId };
    await lease.key.send("DELETE", `/partner/envelopes/${draft.envelope_id}`);
    expect(await downloaded(draft)).toContain("The envelope was never sent, so no one was asked to sign");
  });

  test("says that it expired and who had signed, once the expiry is recorded", async () => {
    const lease = await sentLease();
    await signAll(service, lease.org, lease.envelope_id, [[tenant.email, values]]);
    await service.database.owner("update envelopes set expires_at = now() - interval '1 minute' where envelope_id = $1", [
      lease.envelope_id,
    ]);
    const early = await certificate(lease);
    expect([early.status, early.headers["retry-after"]]).toEqual([409, "60"]);
    await sweepEnvelopes(service.features.envelopes);
    expect(await downloaded(lease)).toMatch(/Expired at .* 1 of 2 signers had signed/);
  });

  test("is made again when the envelope is vaulted, and names the original in the vault", async () => {
    const org = await service.newOrg("Example Company");
    const envelope_id = await completedForVault(service, org);
    const record = { org, key: await org.newKey(), envelope_id };
    const before = await downloaded(record);
    expect(before).toContain("Not sealed yet: with auto-vault, the vault makes the sealed original");
    await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
    const after = await downloaded(record);
    for (const words of ["Status Vaulted", "The sealed original was stored in the vault", "Original in the vault", "/verify/"])
      expect(after).toContain(words);
  });
});

test("with a mail server and identity questions, it says to whom the link went and that the questions were answered", async () => {
  const org = await mailing.newOrg("Example Company");
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), { kba_required: true })) as EnvelopeId;
  const questions = [
    { text: "The first word?", answer: "umbrella" },
    { text: "The second word?", answer: "marzipan" },
  ];
  const signers = [tenant, landlord].map((signer) => ({ ...signer, kba: { questions } }));
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  for (const { email } of [tenant, landlord]) {
    await jobsDone(mailing);
    const { slug, secret } = linkIn(peer.messages.findLast(({ to }) => to.includes(email))?.text);
    const one = signingSessionWith(mailing, envelope_id, await linkTokenFor(mailing, slug, secret));
    const { challenge_id, questions: asked } = (await one.send("GET", "/kba")).json.data;
    const answers = asked.map(({ id, text: shown }: { id: number; text: string }) => ({
      id,
      value: questions.find((one) => one.text === shown)?.answer,
    }));
    expect((await one.send("POST", "/kba", { body: { challenge_id, answers } })).json.data.state).toBe("passed");
    await makeReady(one, email === tenant.email ? values : {});
    expect((await one.complete()).status).toBe(200);
  }
  await jobsDone(mailing);
  const printed = await downloaded({ org, key, envelope_id });
  for (const words of [
    "Link sent by e-mail to ann@example.com",
    "Identity questions answered, set by Example Company",
    "A mail server accepted the invitation to sam@example.com",
    "Answered the identity questions correctly",
  ])
    expect(printed).toContain(words);
  expect(printed).not.toMatch(/umbrella|marzipan/);
});

describe("a completion certificate is refused", () => {
  test("while the envelope is a draft or open, and until the signed document is sealed", async () => {
    const lease = await sentLease();
    const open = await certificate(lease);
    expect([open.status, open.json.error]).toEqual([409, "The envelope is sent, which does not allow this"]);
    await signAll(service, lease.org, lease.envelope_id, [[tenant.email, values], [landlord.email]]);
    const early = await certificate(lease);
    expect([early.status, early.headers["retry-after"]]).toEqual([409, "2"]);
    await finish(lease);
    expect((await certificate(lease)).status).toBe(200);
  });

  test("if the stored record differs from the audit trail", async () => {
    const lease = await signedLease();
    await service.database.owner("update signers set name = 'Eve' where envelope_id = $1 and email = $2", [
      lease.envelope_id,
      tenant.email,
    ]);
    const { status, json } = await certificate(lease);
    expect([status, json.details?.[0]?.code]).toEqual([409, "record_mismatch"]);
  });
});

describe("a signer", () => {
  const own = (one: SigningSession) => one.send("GET", "/completion-certificate");

  test("gets the same certificate with the link to the copy", async () => {
    const lease = await signedLease();
    const { slug, secret } = await linkInOutbox(lease.org, landlord.email);
    const sam = signingSessionWith(service, lease.envelope_id, await linkTokenFor(service, slug, secret));
    const { status, bytes } = await own(sam);
    expect(status).toBe(200);
    expect(Buffer.from(bytes).equals(Buffer.from((await certificate(lease)).bytes))).toBe(true);
  });

  test("gets none before everyone has signed, with a token of another envelope, or as a viewer", async () => {
    const [lease, other] = [await sentLease(), await sentLease()];
    const ann = await signingSession(service, lease.org, lease.envelope_id, tenant.email);
    expect((await own(ann)).status).toBe(409);
    const foreign = signingSessionWith(service, lease.envelope_id, await tokenFor(other.org, other.envelope_id, tenant.email));
    expect((await own(foreign)).status).toBe(404);
    const viewer = await signingSession(service, lease.org, lease.envelope_id, "eve@example.com");
    const { status, json } = await own(viewer);
    expect([status, json.details?.[0]?.code]).toEqual([403, "read_only"]);
  });
});
