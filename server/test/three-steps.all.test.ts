import { spawnSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Facts2 } from "@countersign/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unzipBundle } from "../../verify/src/index.ts";
import { makeReady, type SigningSession, signingSessionWith } from "./ceremony.ts";
import { linkIn, linkTokenFor } from "./envelopes.ts";
import { jobsDone, testJobs } from "./jobs.ts";
import { installed, sayInstalled, testFolder } from "./openssl.ts";
import { ann, approve, carl, confirm, lee, sam, vera } from "./recipients.ts";
import { testService } from "./service.ts";
import { headerOf, type SmtpPeer, startSmtpPeer } from "./smtp.ts";
import { type DraftOfSeveral, draftOfThree, type Listed, listed } from "./three-documents.ts";

/** Three documents for an approver, a viewer, two signers and a reader in three steps: only over HTTP and mail, down to the verified bundle. */

const inbox: SmtpPeer = await startSmtpPeer();
const service = testService({ SMTP_URL: inbox.url });
const folder = testFolder();
testJobs(service);
afterAll(() => inbox.stop());
beforeAll(() => sayInstalled("the sealed documents"));

const verifier = fileURLToPath(new URL("../../verify/bin/countersign-verify.js", import.meta.url));
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const { role: _, ...boss } = lee;
const inThreeSteps = [
  { ...boss, step: 1 },
  { ...vera, step: 1 },
  { ...ann, step: 2 },
  { ...carl, step: 2 },
  { ...sam, step: 3 },
];

let read = 0;
/** The messages since the last call, once every job has run: address and subject. */
async function newMail(): Promise<string[]> {
  await jobsDone(service);
  const received = inbox.messages.slice(read);
  read += received.length;
  return received.map((mail) => `${mail.to.join()}: ${headerOf(mail, "subject")}`).sort();
}

/** A person on the page of the link in their newest mail. */
async function openMail({ envelope_id }: DraftOfSeveral, email: string): Promise<SigningSession> {
  const mail = inbox.messages.findLast(({ to }) => to.includes(email)) ?? expect.fail(`no mail to ${email}`);
  const { slug, secret } = linkIn(mail.text);
  return signingSessionWith(service, envelope_id, await linkTokenFor(service, slug, secret));
}

const statusOf = async ({ key, at }: DraftOfSeveral): Promise<string> => (await key.send("GET", `${at}/status`)).json.data.status;
const actsOf = async ({ key, at }: DraftOfSeveral): Promise<string[]> =>
  (await key.send("GET", `${at}/recipients`)).json.data.recipients.map(
    ({ name, status }: { name: string; status: string }) => `${name} ${status}`,
  );

async function sign(one: SigningSession, name: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
  await makeReady(one, values, name);
  const { status, json } = await one.complete();
  expect([status, json.error]).toEqual([200, undefined]);
  return json.data.envelope_status;
}

/** With one bit changed in the first stream. */
function changed(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf("stream") + 20;
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

const isIntact = async (bytes: Uint8Array) =>
  (await service.features.pdf.verify(new Uint8Array(bytes), { roots: [], at: new Date() }).catch(() => []))[0]?.intact === true;
const pdfsig = (name: string, bytes: Uint8Array) => spawnSync("pdfsig", ["-nocert", folder.put(name, bytes)], { encoding: "utf8" }).stdout;

let one: DraftOfSeveral;
let parts: readonly (Listed & { readonly bytes: Buffer })[];

describe("an envelope of three documents in three steps, by API alone", () => {
  test("asks each person in their step, and every act moves it on", async () => {
    one = await draftOfThree(service);
    const { key, at } = one;
    const sent = await key.send("POST", `${at}/send`, { body: { recipients: inThreeSteps } });
    expect([sent.status, sent.json.error]).toEqual([200, undefined]);
    expect(await newMail()).toEqual([
      "lee@example.com: Example Company asks for your approval: Lease",
      "vera@example.com: Example Company asks you to read: Lease",
    ]);

    const approver = await openMail(one, lee.email);
    expect((await approver.open()).json.data).toMatchObject({ state: "ready", recipient: { kind: "approver", step: 1 } });
    expect((await approver.see()).status).toBe(200);
    expect([await statusOf(one), (await actsOf(one))[0]], "only a signer's visit is a move").toEqual(["sent", "Lee viewed"]);
    const viewer = await openMail(one, vera.email);
    expect((await viewer.open()).json.data).toMatchObject({ state: "ready", recipient: { kind: "viewer", step: 1 } });
    expect((await viewer.see()).status).toBe(200);
    expect([await statusOf(one), (await actsOf(one))[1]]).toEqual(["sent", "Vera viewed"]);
    expect((await approve(approver)).json.data).toMatchObject({ status: "approved", envelope_status: "sent" });
    expect(await newMail(), "the viewer of this step has not confirmed").toEqual([]);
    expect((await confirm(viewer)).json.data).toMatchObject({ status: "confirmed", envelope_status: "sent" });

    expect(await newMail()).toEqual([
      "ann@example.com: Your turn to sign: Lease",
      "carl@example.com: Example Company sends you a document to read: Lease",
    ]);
    const reader = await openMail(one, carl.email);
    expect((await reader.open()).json.data).toMatchObject({ state: "read_only", recipient: { kind: "cc", step: 2 } });
    expect(await sign(await openMail(one, ann.email), "Ann Example", { "Tenant name": "Ann Example" })).toBe("viewed");
    expect(await newMail()).toEqual(["sam@example.com: Your turn to sign: Lease"]);
    expect(await actsOf(one)).toEqual(["Lee approved", "Vera confirmed", "Ann signed", "Carl pending", "Sam pending"]);

    expect(await sign(await openMail(one, sam.email), "Sam Sample")).toBe("completed");
    expect(await newMail()).toEqual([
      `${one.org.email}: Everyone has signed: Lease`,
      "ann@example.com: Everyone has signed: Lease",
      "carl@example.com: Everyone has signed: Lease",
      "lee@example.com: Everyone has signed: Lease",
      "sam@example.com: Everyone has signed: Lease",
      "vera@example.com: Everyone has signed: Lease",
    ]);
    expect(await actsOf(one)).toEqual(["Lee approved", "Vera confirmed", "Ann signed", "Carl delivered", "Sam signed"]);
    expect(await statusOf(one)).toBe("completed");
  });

  test("hands out each document under its own seal, which holds for it and not for a changed copy", async () => {
    const { key, at } = one;
    parts = await Promise.all(
      (await listed(one)).map(async (part) => ({
        ...part,
        bytes: (await key.send("GET", `${at}/documents/${part.document_id}/file`)).bytes,
      })),
    );
    expect(parts.map(({ name, pages }) => `${name}, ${pages}`)).toEqual(["Lease, 1", "House rules, 2", "Handover, 1"]);
    const whole = (await key.send("GET", `${at}/document`)).bytes;
    for (const [index, { name, bytes }] of [...parts, { name: "whole", bytes: whole }].entries()) {
      expect([name, await isIntact(bytes), await isIntact(changed(bytes))]).toEqual([name, true, false]);
      if (!installed.pdfsig) continue;
      expect(pdfsig(`${index}.pdf`, bytes)).toMatch(/Signature is Valid.*Total document signed|Total document signed.*Signature is Valid/s);
      expect(pdfsig(`${index}-changed.pdf`, changed(bytes))).not.toContain("Signature is Valid");
    }
  });

  test("is vaulted with a bundle that countersign-verify accepts, and refuses when one bit is changed", async () => {
    const { key, at } = one;
    const certification = { accepted: true, terms_version: "2026-01" };
    const vaulted = await key.send("POST", `${at}/vault-in-signed`, { body: { certification } });
    expect([vaulted.status, vaulted.json.data?.status]).toEqual([200, "vaulted"]);
    const { bytes } = await key.send("GET", `${at}/vault/evidence`);
    const facts: Facts2 = JSON.parse(
      Buffer.from(unzipBundle(bytes).find(({ name }) => name === "certificates/r1/facts.json")?.bytes ?? []).toString(),
    );
    expect(facts.documents?.map(({ part_sha256 }) => part_sha256)).toEqual(parts.map((part) => sha256(part.bytes)));
    expect(facts.issued_before, "the whole and its three parts").toBe(4);

    const trust = await fetch(`${service.url}/.well-known/countersign-trust.json`);
    const { root_certificate } = (await trust.json()) as { root_certificate: string };
    const root = sha256(new X509Certificate(Buffer.from(root_certificate, "base64")).raw);
    const verify = (name: string, file: Uint8Array) =>
      spawnSync(process.execPath, [verifier, folder.put(name, file), "--root", root], { encoding: "utf8" });
    const accepted = verify("bundle.zip", bytes);
    expect([accepted.status, accepted.stdout.trim().split("\n").at(-1)], accepted.stdout + accepted.stderr).toEqual([0, "VERIFIED"]);
    const other = Buffer.from(bytes);
    other[other.length >> 1] = (other[other.length >> 1] ?? 0) ^ 1;
    const refused = verify("changed.zip", other);
    expect([refused.status, refused.stdout.trim().split("\n").at(-1)]).toEqual([1, expect.stringContaining("FAILED")]);
  });
});
