import { createHash, createPublicKey, createVerify } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { startNameServer } from "../../../test/name-server.ts";
import { refusedWith } from "../../../test/refused-with.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { headerOf, type Received, startSmtpPeer } from "../../../test/smtp.ts";
import { resumeMail } from "../resume-mail.ts";

const names = await startNameServer();
const peer = await startSmtpPeer();
const ownPeer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com", DNS_SERVERS: names.address });
const without = testService();
testJobs(service);
afterAll(async () => {
  await Promise.all([peer.stop(), ownPeer.stop(), names.close()]);
});
beforeEach(() => {
  peer.messages.length = 0;
  ownPeer.messages.length = 0;
});

const input = { from_name: "Harbor Dental Group", from_address: "sign@harbor.example" };
const set = (org: TestOrg, body: object = input) => org.admin("PUT", "/org/mail-sender", { body });
const check = async (org: TestOrg) => (await org.admin("POST", "/org/mail-sender/check")).json.data.sender;

interface Shown {
  readonly record: string;
  readonly name: string;
  readonly value: string;
  readonly state: string | null;
  readonly found: readonly string[];
}

const recordOf = (sender: { records: readonly Shown[] }, wanted: string): Shown =>
  sender.records.find(({ record }) => record === wanted) ?? expect.fail(`no record ${wanted}`);
const statesOf = (sender: { records: readonly Shown[] }) => sender.records.map(({ state }) => state);

/** An organization whose DKIM record is published and found. */
async function verified(body: object = input) {
  const org = await service.newOrg("Harbor");
  const answer = await set(org, body);
  expect([answer.status, answer.json.error]).toEqual([200, undefined]);
  const { name, value } = recordOf(answer.json.data.sender, "dkim");
  names.setTexts(name, [value]);
  expect((await check(org)).verified_at).not.toBeNull();
  return { org, name, value };
}

async function send(org: TestOrg): Promise<void> {
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
  await jobsDone(service);
}

describe("an organization's sender", () => {
  test("is set with a key of its own, and shows the records to publish; the key is stored encrypted", async () => {
    const org = await service.newOrg("Harbor");
    expect((await org.admin("GET", "/org/mail-sender")).json.data).toEqual({ sender: null });
    const { json } = await set(org);
    const { sender } = json.data;
    expect(sender).toMatchObject({ ...input, smtp: null, checked_at: null, verified_at: null });
    expect(sender.records.map(({ name }: Shown) => name.replace(/countersign-[0-9a-f]{8}/, "selector"))).toEqual([
      "selector._domainkey.harbor.example",
      "harbor.example",
      "_dmarc.harbor.example",
    ]);
    const { value } = recordOf(sender, "dkim");
    const key = createPublicKey({ key: Buffer.from(value.split("p=")[1] ?? "", "base64"), format: "der", type: "spki" });
    expect([key.asymmetricKeyType, key.asymmetricKeyDetails?.modulusLength]).toEqual(["rsa", 2048]);
    const [row] = await service.database.owner<{ dkim_key_enc: Buffer }>("select dkim_key_enc from mail_senders where org_id = $1", [
      org.org_id,
    ]);
    expect(row?.dkim_key_enc.toString("latin1")).not.toContain("PRIVATE KEY");
    expect((await org.admin("GET", "/org/mail-sender")).json.data).toEqual(json.data);
  });

  test("is used only after a check has found its DKIM record; until then mail comes from the installation", async () => {
    const org = await service.newOrg("Harbor");
    const { json } = await set(org, { ...input, from_address: "sign@late.example" });
    await send(org);
    expect(headerOf(peer.messages[0] as Received, "from")).toBe("Harbor via Countersign <sign@example.com>");
    expect(statesOf(await check(org))).toEqual(["missing", "missing", "missing"]);
    const { name, value } = recordOf(json.data.sender, "dkim");
    names.setTexts(name, ["v=DKIM1; k=rsa; p=AAAA"]);
    expect(recordOf(await check(org), "dkim")).toMatchObject({ state: "different", found: ["v=DKIM1; k=rsa; p=AAAA"] });
    // Some name servers publish the key in pieces, with spaces.
    names.setTexts(name, [value.replace("; p=", ";p= ").replace("k=rsa", "k=rsa ")]);
    names.setTexts("late.example", ["unrelated", "v=spf1 include:mail.example ~all"]);
    names.setTexts("_dmarc.late.example", ["v=DMARC1; p=none"]);
    const sender = await check(org);
    expect([statesOf(sender), sender.verified_at]).toEqual([["found", "found", "found"], expect.any(String)]);
    expect(recordOf(sender, "spf").found).toEqual(["v=spf1 include:mail.example ~all"]);
    await send(org);
    const mail = peer.messages.at(-1) as Received;
    expect(headerOf(mail, "from")).toBe("Harbor Dental Group <sign@late.example>");
    expect(mail.from, "bounces go to the installation").toBe("sign@example.com");
    const types = (await org.admin("GET", "/org/audit-trail")).json.data.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type.startsWith("mail_sender"))).toHaveLength(4);
  });

  test("signs every message: the signature is valid for the published key, and not after one letter was changed", async () => {
    const { org, value } = await verified();
    await send(org);
    const { raw } = peer.messages.at(-1) as Received;
    expect(dkimFault(raw, value)).toBeNull();
    expect(dkimFault(raw.replace("Subject: Harbor", "Subject: Barbor"), value)).toBe("signature");
    expect(dkimFault(raw.replace(/Lease(?![\s\S]*Lease)/, "Leash"), value)).toBe("body");
  });

  test("is no longer used when a check does not find the record any more, and stays when the name servers fail", async () => {
    const { org, name } = await verified({ ...input, from_address: "sign@gone.example" });
    names.fail(true);
    const unknown = await check(org);
    expect([statesOf(unknown), unknown.verified_at]).toEqual([["unknown", "unknown", "unknown"], expect.any(String)]);
    names.fail(false);
    names.setTexts(name, []);
    expect((await check(org)).verified_at).toBeNull();
    await send(org);
    expect(headerOf(peer.messages[0] as Received, "from")).toBe("Harbor via Countersign <sign@example.com>");
  });

  test("keeps its key when the name changes, gets a new one for another domain or on request, and has to be checked again", async () => {
    const { org, name } = await verified();
    const renamed = (await set(org, { ...input, from_name: "Harbor" })).json.data.sender;
    expect([recordOf(renamed, "dkim").name, renamed.verified_at]).toEqual([name, expect.any(String)]);
    for (const body of [
      { ...input, new_key: true },
      { ...input, from_address: "sign@other.example" },
    ]) {
      const changed = (await set(org, body)).json.data.sender;
      expect([recordOf(changed, "dkim").name === name, changed.verified_at]).toEqual([false, null]);
    }
  });

  test("is removed with its key; removing it again changes nothing", async () => {
    const { org } = await verified();
    for (const _time of ["first", "second"]) expect((await org.admin("DELETE", "/org/mail-sender")).json.data).toEqual({ removed: true });
    expect((await org.admin("GET", "/org/mail-sender")).json.data).toEqual({ sender: null });
    expect((await org.admin("POST", "/org/mail-sender/check")).json).toEqual(
      refusedWith("The organization has no sender of its own. Set it first"),
    );
  });

  test("needs the mail server of the installation, to which messages fall back", async () => {
    const { status, json } = await set(await without.newOrg());
    expect([status, json]).toEqual([409, refusedWith("This installation has no mail server. The operator sets SMTP_URL first")]);
  });
});

describe("an organization's own mail server", () => {
  const server = () => ({ host: "127.0.0.1", port: ownPeer.port, secure: false, user: null, password: null });

  test("sends its messages, with its address also for bounces; its password is never shown", async () => {
    const { org } = await verified({ ...input, smtp: { ...server(), user: null, password: "correct horse" } });
    await send(org);
    expect([peer.messages.length, ownPeer.messages[0]?.from]).toEqual([0, "sign@harbor.example"]);
    const { smtp } = (await org.admin("GET", "/org/mail-sender")).json.data.sender;
    expect(smtp).toEqual({ host: "127.0.0.1", port: ownPeer.port, secure: false, user: null });
    const [row] = await service.database.owner<{ smtp_enc: Buffer }>("select smtp_enc from mail_senders where org_id = $1", [org.org_id]);
    expect(row?.smtp_enc.toString("latin1")).not.toContain("correct horse");
  });

  test("that does not answer keeps only its own organization's messages waiting", async () => {
    const { org } = await verified({ ...input, smtp: { ...server(), port: 9 } });
    const other = await service.newOrg("Quay");
    await send(org);
    peer.fail("451 at RCPT");
    await send(other);
    await service.database.owner("update mail_messages set next_attempt_at = now() where state = 'queued'");
    await resumeMail(service.features.mail);
    expect(peer.messages.map((mail) => headerOf(mail, "from"))).toEqual(["Quay via Countersign <sign@example.com>"]);
    const waiting = await service.database.owner("select state, last_error from mail_messages where org_id = $1", [org.org_id]);
    expect(waiting).toEqual([{ state: "queued", last_error: expect.stringContaining("CONN") }]);
  });

  test("cannot be an address of the installation's own network, in the request or behind a name", async () => {
    const org = await service.newOrg("Harbor");
    for (const host of ["10.0.0.1", "169.254.169.254", "not a host", "fd00::1"]) {
      const { status, json } = await set(org, { ...input, smtp: { ...server(), host } });
      expect([status, json.details[0].field], host).toEqual([422, "smtp.host"]);
    }
    names.set("mail.hostile.example", ["10.0.0.1"]);
    const { org: hostile } = await verified({ ...input, smtp: { ...server(), host: "mail.hostile.example" } });
    await send(hostile);
    const waiting = await service.database.owner("select state, last_error from mail_messages where org_id = $1", [hostile.org_id]);
    expect(waiting).toEqual([{ state: "queued", last_error: "blocked_address CONN" }]);
  });
});

/** Checks a DKIM signature (RFC 6376, 3.4.2 and 3.4.4: relaxed headers, relaxed body). Null if it is valid. */
function dkimFault(raw: string, record: string): "body" | "signature" | null {
  const end = raw.indexOf("\r\n\r\n");
  const fields = raw.slice(0, end).split(/\r\n(?![ \t])/);
  const field = fields.find((one) => /^dkim-signature:/i.test(one)) ?? expect.fail("no signature");
  const tags = new Map(
    field
      .slice(field.indexOf(":") + 1)
      .replace(/\r\n/g, "")
      .split(";")
      .map((tag) => [tag.slice(0, tag.indexOf("=")).trim(), tag.slice(tag.indexOf("=") + 1).replace(/\s/g, "")] as const),
  );
  const body = raw
    .slice(end + 4)
    .split("\r\n")
    .map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""))
    .join("\r\n")
    .replace(/(\r\n)*$/, "\r\n");
  if (createHash("sha256").update(body, "latin1").digest("base64") !== tags.get("bh")) return "body";
  const relaxed = (one: string) => {
    const colon = one.indexOf(":");
    return `${one.slice(0, colon).toLowerCase().trim()}:${one
      .slice(colon + 1)
      .replace(/\r\n/g, "")
      .replace(/[ \t]+/g, " ")
      .trim()}`;
  };
  const named = (tags.get("h") ?? "")
    .split(":")
    .flatMap((name) => fields.filter((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`)));
  const signed = [...named.map(relaxed), relaxed(field.replace(/([;\s]b=)[^;]*/, "$1"))].join("\r\n");
  const key = createPublicKey({ key: Buffer.from(record.split("p=")[1] ?? "", "base64"), format: "der", type: "spki" });
  const isValid = createVerify("RSA-SHA256")
    .update(signed, "latin1")
    .verify(key, tags.get("b") ?? "", "base64");
  return isValid ? null : "signature";
}
