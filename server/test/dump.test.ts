import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onePage, text } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { finishDocument } from "../src/envelopes/finish-document.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import { makeReady, signingSession, typedMark } from "./ceremony.ts";
import { newApp } from "./factors.ts";
import { form } from "./form.ts";
import { startIdentityProvider } from "./identity-provider.ts";
import { PASSWORD, testService } from "./service.ts";
import { startSmtpPeer } from "./smtp.ts";
import { connect } from "./sso.ts";

/**
 * What someone reads who has only a dump of the database, or only the folder of blobs. Strings are entered everywhere; then every column of
 * every table and every file is searched for them. A string that is readable where docs/keys.md does not say so fails the test.
 */

const smtp = await startSmtpPeer();
const service = testService({ SMTP_URL: smtp.url, MAIL_FROM: "sign@example.com" });
afterAll(() => smtp.stop());

/** Words without capitals or signs, so that no normal form changes them. */
const canaries = new Map<string, string>();
function canary(name: string): string {
  const word = `cnry${name}${randomBytes(6).toString("hex")}`;
  canaries.set(name, word);
  return word;
}
/** A secret that the service made, or another that is not a word. */
const secret = (name: string, value: string): void => void canaries.set(name, value);

/** Responses are stored under this key for a day. */
const once = () => ({ "idempotency-key": randomBytes(8).toString("hex") });

beforeAll(async () => {
  const org = await service.newOrg(`Org ${canary("orgname")}`);
  const key = await org.newKey();
  secret("api_key", key.api_key);
  secret("session_token", org.token);
  secret("password", PASSWORD);

  const pdf = writePdf(
    onePage({
      content: [
        text(`Contract about ${canary("document")}`, 72, 740),
        text(`{{${canary("fieldname")};role=Buyer}} {{Amount;role=Buyer;type=number}}`, 72, 700),
        text("{{Note;role=Buyer}} {{Motto;role=Buyer}}", 72, 650),
        text("{{Signature;role=Buyer;type=signature}}", 72, 600),
      ].join(" "),
    }),
  );
  const template = await key.send("POST", "/partner/templates", form({ name: `Template ${canary("templatename")}` }, { bytes: pdf }));
  const { template_id } = template.json.data;
  const buyer = { email: `${canary("address")}@example.com`, name: `Ann ${canary("name")}`, role: "Buyer" };
  const questions = [
    { text: `Where did you see ${canary("question")}?`, answer: canary("answer") },
    { text: "Who recommended us?", answer: canary("otheranswer") },
  ];
  const newEnvelope = async (more: object) => {
    const body = {
      envelope_name: `Lease ${canaries.get("title") ?? canary("title")}`,
      customer_email: "ann@example.com",
      customer_name: "Ann",
    };
    const made = await key.send("POST", "/partner/envelopes", {
      body: { ...body, template_id, signers: [buyer], ...more },
      headers: once(),
    });
    expect([made.status, made.json.details]).toEqual([201, undefined]);
    return made.json.data.envelope_id as EnvelopeId;
  };
  const send = async (envelope_id: EnvelopeId, body: object) => {
    const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
    expect([sent.status, sent.json.details]).toEqual([200, undefined]);
    return sent.json.data.signers as { slug: string }[];
  };

  // Signed, sealed and vaulted.
  const vaulted = await newEnvelope({ auto_vault_enabled: true, kba_required: true, prefilled_data: { Motto: canary("prefilled") } });
  const certification = { accepted: true, terms_version: "2026-01" };
  await send(vaulted, { certification, signers: [{ ...buyer, kba: { questions } }], message: `Please read ${canary("message")}` });
  const one = await signingSession(service, org, vaulted, buyer.email);
  const { challenge_id, questions: asked } = (await one.send("GET", "/kba")).json.data;
  const answers = asked.map(({ id }: { id: number }, index: number) => ({ id, value: questions[index]?.answer }));
  expect((await one.send("POST", "/kba", { body: { challenge_id, answers } })).json.data.state).toBe("passed");
  await makeReady(one, { [canaries.get("fieldname") ?? ""]: canary("value"), Note: canary("note"), Amount: "4718293.25" }, canary("mark"));
  secret("number", "4718293.25");
  const done = await one.complete({}, once());
  expect([done.status, done.json.error]).toEqual([200, undefined]);
  await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id: vaulted });
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id: vaulted });
  expect((await key.send("GET", `/partner/envelopes/${vaulted}/vault/evidence`)).status).toBe(200);

  // In the middle of signing, after an access code.
  const half = await newEnvelope({});
  const code = canary("accesscode");
  const [signer] = await send(half, { signers: [{ ...buyer, authentication: [{ method: "access_code", code }] }] });
  const two = await signingSession(service, org, half, buyer.email);
  const started = await two.send("POST", "/identity/access_code/start");
  const passed = await two.send("POST", "/identity/access_code/answer", { body: { challenge_id: started.json.data.challenge_id, code } });
  expect(passed.json.data.state).toBe("passed");
  await makeReady(two, { Note: canary("draft") }, canary("draftmark"));
  expect((await two.save({ adopt: { signature: typedMark(canary("othermark")) } })).status).toBe(200);
  expect(signer?.slug).toBeDefined();

  // Declined with a reason, and not sent yet.
  const declined = await newEnvelope({});
  await send(declined, {});
  const three = await signingSession(service, org, declined, buyer.email);
  await three.open();
  expect((await three.send("POST", "/decline", { body: { reason: `Because of ${canary("reason")}` } })).status).toBe(200);
  await newEnvelope({ prefilled_data: { Note: canary("prefilleddraft") } });

  // Secrets of the organization and of its admin.
  const endpoint = await org.admin("POST", "/webhooks/endpoints", {
    body: { url: `https://example.com/${canary("webhookurl")}` },
    headers: once(),
  });
  secret("webhook_secret", endpoint.json.data.secret);
  await org.admin("POST", `/webhooks/endpoints/${endpoint.json.data.endpoint_id}/test`);
  const registry = { url: "https://registry.example.com", mode: "gate", kinds: ["assign"] };
  secret("registry_secret", (await org.admin("PUT", "/org/registry", { body: registry })).json.data.secret);
  const server = { host: "127.0.0.1", port: smtp.port, secure: false, user: "u", password: canary("smtppassword") };
  const sender = { from_name: "Acme", from_address: "sign@acme.example", smtp: server };
  expect((await org.admin("PUT", "/org/mail-sender", { body: sender })).status).toBe(200);
  const sink = await org.admin("POST", "/org/audit-sinks", { body: { kind: "webhook", target: "https://logs.example.com/in" } });
  secret("sink_secret", sink.json.data.secret);
  const provider = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
  await connect(org, provider);
  secret("sso_secret", provider.client.client_secret);
  await provider.close();
  await newApp({ ...service }, async (method, path, request) => {
    const answer = await org.admin(method, path, request);
    if (path === "/auth/factors/totp") secret("totp_secret", answer.json.data.secret);
    for (const [index, recovery] of (answer.json.data?.recovery_codes ?? []).entries()) secret(`recovery_code_${index}`, recovery);
    return answer;
  });
}, 120_000);

/** The ways in which a text can stand in a column as text (bytes are hexadecimal there) or in a file. */
function formsOf(word: string): string[] {
  const encodings = [Buffer.from(word, "utf8"), Buffer.from(word, "utf16le"), Buffer.from(word, "utf16le").swap16()];
  const forms = encodings.flatMap((bytes) => [bytes, ...[bytes.toString("hex"), ...base64sOf(bytes)].map((part) => Buffer.from(part))]);
  return [...new Set(forms.flatMap((bytes) => [bytes.toString("latin1"), bytes.toString("hex"), bytes.toString("hex").toUpperCase()]))];
}

/** The characters that base64 has for these bytes at any of the three positions, without those that depend on their neighbours. */
function base64sOf(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = padded.subarray(0, padded.length - (padded.length % 3)).toString("base64");
    const inner = whole.slice(shift === 0 ? 0 : 4);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

async function findInDatabase(): Promise<Record<string, string[]>> {
  const columns = await service.database.owner<{ relation: string; table: string; column: string }>(
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as relation, coalesce(p.relname, c.relname) as "table", a.attname as "column"
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and a.attnum > 0 and not a.attisdropped
     order by 1, a.attnum`,
  );
  expect(columns.length).toBeGreaterThan(1_000);
  const forms = new Map([...canaries].map(([name, word]) => [name, formsOf(word)]));
  const found: Record<string, string[]> = {};
  for (const { relation, table, column } of columns) {
    const rows = await service.database.owner<{ value: string }>(
      `select "${column}"::text as value from ${relation} where "${column}" is not null`,
    );
    const all = rows.map(({ value }) => value).join("\n");
    for (const [name, words] of forms) {
      if (words.some((word) => all.includes(word))) found[name] = [...new Set(found[name]).add(`${table}.${column}`)];
    }
  }
  return found;
}

test("finds a string in each way in which it can stand in a column or a file", () => {
  const [word] = canaries.values();
  const forms = formsOf(word ?? "");
  for (const before of ["", "a", "ab"]) {
    for (const bytes of [Buffer.from(`${before}${word} and more`), Buffer.from(`${before}${word} and more`, "utf16le")]) {
      const shown = [bytes.toString("latin1"), bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url")];
      for (const text of [...shown, ...shown.map((one) => Buffer.from(one).toString("hex"))]) {
        expect(
          forms.some((form) => text.includes(form)),
          text,
        ).toBe(true);
      }
    }
  }
});

/** As docs/keys.md says: names, addresses, titles, and what the sender wrote. */
const readable: Readonly<Record<string, readonly string[]>> = {
  orgname: ["audit_entry_data.data", "certificates.result", "orgs.name", "outbox.payload", "seal_keys.certificate"],
  templatename: ["audit_entry_data.data", "template_documents.name", "templates.name"],
  address: [
    ...["audit_entry_data.data", "certificates.result", "envelope_words.word", "envelopes.signers", "idempotent_answers.body"],
    ...["mail_messages.to_address", "recent_recipients.email_key", "recent_recipients.email", "recipient_words.word"],
    ...["recipient_words.email_key", "signers.email", "signers.email_key"],
  ],
  name: [
    ...["audit_entry_data.data", "envelope_words.word", "envelopes.signers", "idempotent_answers.body", "notifications.data"],
    ...["outbox.payload", "recent_recipients.name", "recipient_words.word", "signers.name"],
  ],
  title: [
    ...["audit_entry_data.data", "documents.name", "documents.path", "envelope_words.word", "envelopes.envelope_name"],
    ...[
      "envelopes.vault_file_path",
      "envelopes.name_key",
      "events.body",
      "idempotent_answers.body",
      "notifications.data",
      "outbox.payload",
    ],
  ],
  reason: ["audit_entry_data.data", "outbox.payload", "signers.decline_reason"],
  fieldname: ["envelope_fields.name", "envelope_fields.field_key", "template_fields.name", "template_fields.field_key"],
  prefilled: ["envelope_fields.prefilled"],
  prefilleddraft: ["envelope_fields.prefilled"],
  message: ["envelopes.message"],
  webhookurl: ["webhook_endpoints.url"],
};

test("a dump of the database shows nothing that was entered, no text of a document or question, and no secret", async () => {
  const found = await findInDatabase();
  expect(found).toEqual(readable);
});

test("the folder of blobs contains nothing that was entered, and no document", async () => {
  const forms = [...canaries.values()].flatMap(formsOf);
  const folder = join(service.config.dataDir, "blobs");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(5);
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name)).toString("latin1");
    expect([bytes.slice(0, 4), bytes.includes("%PDF"), forms.filter((word) => bytes.includes(word))]).toEqual(["CSB1", false, []]);
  }
});
