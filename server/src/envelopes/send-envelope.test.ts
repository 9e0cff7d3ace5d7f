import { createBudget, describe as describePdf, openPdf, pageText } from "@countersign/pdf";
import { describe, expect, test } from "vitest";
import { makeOrg } from "../../../pdf/fixtures/certificates.ts";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { sealedBy } from "../../../pdf/fixtures/sealed.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { chainOf } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { envelopeBody, landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { readChain } from "../audit/read-chain.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { currentTerms } from "./certification.ts";
import { expireEnvelope, sweepEnvelopes } from "./sweep-envelopes.ts";

const service = testService({ REMIND_MIN_INTERVAL: "60" });

interface Ready {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly template_id: string;
}

async function newReady(): Promise<Ready> {
  const org = await service.newOrg();
  const key = await org.newKey();
  return { org, key, template_id: await newTemplate(key) };
}

let shared: Promise<Ready> | undefined;
function ready(): Promise<Ready> {
  shared ??= newReady();
  return shared;
}

const send = (key: TestKey, envelope_id: string, body?: object) =>
  key.send("POST", `/partner/envelopes/${envelope_id}/send`, body === undefined ? {} : { body });
const statusOf = async (key: TestKey, envelope_id: string) =>
  (await key.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status;

const mailOf = (envelope: string) =>
  service.database.owner<{ kind: string; to_address: string }>(
    "select kind, to_address from mail_messages where org_id = (select org_id from envelopes where envelope_id = $1) order by message_id",
    [envelope],
  );
const eventsOf = async (envelope: string) =>
  (await service.database.owner<{ body: Buffer }>("select body from events where envelope_id = $1 order by event_id", [envelope])).map(
    ({ body }) => JSON.parse(body.toString()),
  );

async function pdfOf(envelope_id: string): Promise<Uint8Array> {
  const [row] = await service.database.owner<{ org_id: string; hash: string }>(
    "select org_id, pdf_sha256 as hash from documents where envelope_id = $1",
    [envelope_id],
  );
  const { org_id, hash } = row as { org_id: OrgId; hash: string };
  return service.features.storage.blobs.read(org_id, hash);
}

async function uploaded({ key }: Ready, bytes: Uint8Array, parts: Record<string, string> = {}): Promise<string> {
  const customer = await key.send("POST", "/partner/customers", { body: { name: "Ann", email: "ann@example.com" } });
  const { json } = await key.send("POST", `/partner/customers/${customer.json.data.customer_id}/documents`, form(parts, { bytes }));
  return json.data.envelope_id;
}

describe("sending an envelope", () => {
  test("to the saved signers, in order: one submission, one event, the first invited, the document frozen", async () => {
    const { org, key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id, { external_id: "mine" });
    const { status, json } = await send(key, envelope_id, { message: "Please sign", expires_in_days: 10 });
    expect(status).toBe(200);
    expect(json.data).toEqual({
      envelope_id,
      status: "sent",
      submission_id: expect.stringMatching(/^sub_/),
      sent_at: expect.any(String),
      expires_at: expect.any(String),
      signers: [
        { ...tenant, order: 1, slug: expect.stringMatching(/^[0-9a-f]{32}$/), status: "pending" },
        { ...landlord, order: 2, slug: expect.stringMatching(/^[0-9a-f]{32}$/), status: "pending" },
      ],
      recipients: [tenant, landlord].map((person, index) => ({
        recipient_id: expect.stringMatching(/^rcp_/),
        kind: "signer",
        ...person,
        step: index + 1,
        status: "pending",
        slug: json.data.signers[index].slug,
        delivery: "email",
        acted_at: null,
        locale: null,
        message: null,
      })),
      certification: null,
      warnings: [],
    });
    const { submission_id, sent_at, expires_at } = json.data;
    expect(Date.parse(expires_at) - Date.parse(sent_at)).toBe(10 * 24 * 3600 * 1000);
    expect(await mailOf(envelope_id)).toEqual([{ kind: "signing_invitation", to_address: tenant.email }]);
    const [, event] = await eventsOf(envelope_id);
    expect(event).toMatchObject({
      event_type: "envelope.sent",
      envelope_id,
      data: { envelope_id, sent_at, submission_id, external_id: "mine" },
    });
    const chain = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, envelope_id));
    expect(chain.map(({ entry }) => entry.type)).toEqual(["envelope.created", "document.prepared", "envelope.sent"]);
    const versions = await service.database.owner("select kind from document_versions where envelope_id = $1 order by kind", [envelope_id]);
    expect(versions).toEqual([{ kind: "prepared" }, { kind: "stored" }]);
    expect((await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data.metadata).toMatchObject({
      sent_at,
      expires_at,
      signer_count: 2,
    });
  });

  test("in parallel invites everyone at once", async () => {
    const { key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id);
    await send(key, envelope_id, { signing_order: "parallel" });
    expect((await mailOf(envelope_id)).map(({ to_address }) => to_address).sort()).toEqual([tenant.email, landlord.email]);
  });

  test("uses the signers of the request; an empty body is valid", async () => {
    const { key, template_id } = await ready();
    const envelope_id = await newEnvelope(key, template_id);
    const eve = { email: "eve@example.com", name: "Eve", role: "Tenant" };
    const { json } = await send(key, envelope_id, { signers: [landlord, eve] });
    expect(json.data.signers.map((signer: { email: string }) => signer.email)).toEqual([landlord.email, eve.email]);
    const other = await newEnvelope(key, template_id);
    expect((await key.send("POST", `/partner/envelopes/${other}/send`, { raw: "" })).status).toBe(200);
  });

  test("without signers goes to the customer if the document has at most one role", async () => {
    const one = writePdf(onePage({ content: text("{{Sig;role=Buyer;type=signature}}") }));
    const fixture = await newReady();
    const envelope_id = await uploaded(fixture, one);
    const { json } = await send(fixture.key, envelope_id);
    expect(json.data.signers).toEqual([expect.objectContaining({ email: "ann@example.com", name: "Ann", role: "Buyer" })]);
  });

  test("a signer without a signature field gets a page to sign on, so every document can be signed", async () => {
    const fixture = await newReady();
    const envelope_id = await uploaded(fixture, plainPdf, { signers: JSON.stringify([tenant, landlord]) });
    expect((await send(fixture.key, envelope_id)).status).toBe(200);
    const pdf = await pdfOf(envelope_id);
    expect(describePdf(await openPdf(new Uint8Array(pdf), createBudget())).pages).toHaveLength(2);
    expect((await pageText(pdf, 2)).blocks.join(" ")).toContain("Ann (Tenant)");
    const fields = await service.database.owner(
      "select name, type, role, required from envelope_fields where envelope_id = $1 order by position",
      [envelope_id],
    );
    expect(fields).toEqual(
      ["Tenant", "Landlord"].flatMap((role) => [
        { name: "Signature", type: "signature", role, required: true },
        { name: "Date", type: "date", role, required: true },
      ]),
    );
  });

  test("fields without a role are given to the first signer", async () => {
    const fixture = await newReady();
    const bytes = writePdf(onePage({ content: text("{{Sig;type=signature}}") }));
    const envelope_id = await uploaded(fixture, bytes, { signers: JSON.stringify([landlord]) });
    await send(fixture.key, envelope_id);
    expect(await service.database.owner("select role from envelope_fields where envelope_id = $1", [envelope_id])).toEqual([
      { role: "Landlord" },
    ]);
  });

  test("a signed upload that was stored unchanged is sent as a clean version", async () => {
    const fixture = await newReady();
    const envelope_id = await uploaded(fixture, await sealedBy(await makeOrg(), plainPdf));
    const { status, json } = await send(fixture.key, envelope_id);
    expect([status, json.data.warnings]).toEqual([200, [expect.objectContaining({ code: "signatures_removed" })]]);
    const doc = await openPdf(new Uint8Array(await pdfOf(envelope_id)), createBudget());
    expect(describePdf(doc)).toMatchObject({ signatures: 0, pages: [{}, {}] });
    const chain = await chainOf(service, fixture.org.org_id, envelope_id as EnvelopeId);
    expect(chain.find(({ type }) => type === "document.prepared")?.data).toMatchObject({ signatures_removed: 1 });
  });

  test("a locked value that cannot be drawn is refused before sending", async () => {
    const { key } = await newReady();
    const tagged = writePdf(
      onePage({
        content: [text("{{Price;role=Tenant;readonly=true;width=40}}", 72, 700), text("{{S;role=Tenant;type=signature}}", 72, 600)].join(
          " ",
        ),
      }),
    );
    const template_id = await newTemplate(key, tagged);
    const Price = "one thousand two hundred euros and no cents, in words ".repeat(5);
    const envelope_id = await newEnvelope(key, template_id, { prefilled_data: { Price }, signers: [tenant] });
    const { status, json } = await send(key, envelope_id);
    expect([status, json.details]).toEqual([
      422,
      [expect.objectContaining({ field: "prefilled_data.Price", code: "does_not_fit", message: expect.stringMatching(/too long/) })],
    ]);
  });

  test("kba_required without questions is sent with a warning, never silently downgraded", async () => {
    const { key, template_id } = await ready();
    const { json } = await send(key, await newEnvelope(key, template_id, { kba_required: true }));
    expect(json.data.warnings).toEqual([expect.objectContaining({ code: "kba_material_missing" })]);
  });

  test("with auto-vault requires acceptance of the current terms, and records it", async () => {
    const { key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id, { auto_vault_enabled: true });
    const terms = await key.send("GET", "/partner/certification-terms");
    expect(terms.json.data).toEqual(currentTerms(service.features.texts));
    const refusal = async (body?: object) => {
      const { status, json } = await send(key, envelope_id, body);
      return [status, json.details[0].code];
    };
    expect(await refusal()).toEqual([422, "certification_required"]);
    expect(await refusal({ certification: { accepted: false, terms_version: "2026-01" } })).toEqual([422, "certification_required"]);
    expect(await refusal({ certification: { accepted: true, terms_version: "2020-01" } })).toEqual([422, "certification_terms_outdated"]);
    expect(await mailOf(envelope_id)).toEqual([]);
    const accepted_by = { name: "Sam Sender", email: "s@example.com" };
    const { json } = await send(key, envelope_id, { certification: { accepted: true, terms_version: "2026-01", accepted_by } });
    const { terms_sha256 } = currentTerms(service.features.texts);
    expect(json.data.certification).toEqual({ accepted: true, terms_version: "2026-01", terms_sha256, accepted_by });
    expect(
      await service.database.owner("select terms_sha256, accepted_by from certification_acceptances where envelope_id = $1", [envelope_id]),
    ).toEqual([{ terms_sha256, accepted_by }]);
  });

  test("409: twice, or without a document; an envelope that changes in the meantime is never partly sent", async () => {
    const { key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(key, envelope_id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await eventsOf(envelope_id)).map((event) => event.event_type)).toEqual(["envelope.created", "envelope.sent"]);
    expect(await mailOf(envelope_id)).toHaveLength(1);
    const pending = await key.send("POST", "/partner/envelopes", { body: envelopeBody() });
    const bare = await send(key, pending.json.data.envelope_id);
    expect([bare.status, bare.json.error]).toEqual([409, "The envelope has no document yet. Upload one first"]);
  });

  test("fields that are saved while it is sent are either part of what was sent, or 409", async () => {
    const area = { page: 1, x: 0.6, y: 0.1, w: 0.3, h: 0.04 };
    for (let n = 0; n < 6; n++) {
      // An organization of its own, because its messages are counted.
      const { key, template_id } = await newReady();
      const envelope_id = await newEnvelope(key, template_id);
      const at = `/partner/envelopes/${envelope_id}`;
      const note = { name: "Note", type: "text", role: tenant.role, placement: { mode: "absolute", areas: [area] } };
      const [saved, sent] = await Promise.all([key.send("POST", `${at}/fields`, { body: { fields: [note] } }), send(key, envelope_id)]);
      expect([[200, 409].includes(saved.status), sent.status === 200 || sent.status === 409]).toEqual([true, true]);
      expect([saved.status, sent.status]).toContain(200);
      const { fields } = (await key.send("GET", `${at}/fields`)).json.data;
      expect(fields.some(({ name }: { name: string }) => name === "Note")).toBe(saved.status === 200);
      const isSent = (await statusOf(key, envelope_id)) === "sent";
      expect([isSent, (await mailOf(envelope_id)).length]).toEqual([sent.status === 200, sent.status === 200 ? 1 : 0]);
    }
  });

  test("the same Idempotency-Key sends once and repeats its response", async () => {
    const { key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id);
    const again = () => key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: {}, headers: { "idempotency-key": "k" } });
    const answers = await Promise.all([again(), again(), again()]);
    expect(new Set(answers.map(({ text: body }) => body)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await mailOf(envelope_id)).toHaveLength(1);
  });

  test("422: no signers, roles unfilled, unknown or duplicate, expiry out of range; nothing recorded, no mail, no event", async () => {
    const { key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id, { signers: [] });
    const refusal = async (body?: object) => {
      const { status, json } = await send(key, envelope_id, body);
      return [status, ...json.details.map(({ field, code }: Record<string, string>) => `${field} ${code}`)];
    };
    expect(await refusal()).toEqual([422, "signers required"]);
    expect(await refusal({ signers: [] })).toEqual([422, "signers required"]);
    expect(await refusal({ signers: [tenant] })).toEqual([422, "signers required"]);
    expect(await refusal({ signers: [tenant, landlord, { ...tenant, email: "x@example.com", role: "Agent" }] })).toEqual([
      422,
      "signers[2].role unknown_role",
    ]);
    expect(await refusal({ signers: [tenant, { ...landlord, email: tenant.email }] })).toEqual([422, "signers[1].email duplicate"]);
    expect(await refusal({ expires_in_days: 400 })).toEqual([422, "expires_in_days too_big"]);
    expect(await statusOf(key, envelope_id)).toBe("preparing");
    expect(await mailOf(envelope_id)).toEqual([]);
    expect(await eventsOf(envelope_id)).toHaveLength(1);
  });
});

describe("an envelope's document and fields", () => {
  test("a pending envelope gets its document, then fields; a second document is 409", async () => {
    const { key } = await ready();
    const { json } = await key.send("POST", "/partner/envelopes", { body: envelopeBody() });
    const path = `/partner/envelopes/${json.data.envelope_id}`;
    const attached = await key.send("POST", `${path}/upload`, form({}, { bytes: plainPdf }));
    expect([attached.status, attached.json.data.status]).toEqual([200, "uploaded"]);
    expect((await key.send("POST", `${path}/upload`, form({}, { bytes: plainPdf }))).status).toBe(409);
    const field = {
      name: "Sig",
      type: "signature",
      role: "Buyer",
      placement: { mode: "anchor", anchor_text: "Sign here", w: 0.2, h: 0.05 },
    };
    const placed = await key.send("POST", `${path}/fields`, { body: { fields: [field] } });
    expect([placed.status, placed.json.data.fields_added, placed.json.data.envelope_id]).toEqual([200, 1, json.data.envelope_id]);
    expect(await statusOf(key, json.data.envelope_id)).toBe("preparing");
    const replaced = await key.send("PUT", `${path}/fields`, { body: { fields: [field, { ...field, name: "Second" }] } });
    expect(replaced.json.data.fields_added).toBe(2);
    expect(await service.database.owner("select from envelope_fields where envelope_id = $1", [json.data.envelope_id])).toHaveLength(2);
    const missing = await key.send("POST", `${path}/fields`, {
      body: { fields: [{ ...field, placement: { ...field.placement, anchor_text: "No" } }] },
    });
    expect([missing.status, missing.json.error]).toEqual([422, "Anchor text not found"]);
  });

  test("fields are 409 without a document, and once the envelope is sent", async () => {
    const { key, template_id } = await ready();
    const pending = await key.send("POST", "/partner/envelopes", { body: envelopeBody() });
    const body = { fields: [] };
    expect((await key.send("POST", `/partner/envelopes/${pending.json.data.envelope_id}/fields`, { body })).status).toBe(409);
    const sent = await newEnvelope(key, template_id);
    await send(key, sent);
    expect((await key.send("POST", `/partner/envelopes/${sent}/fields`, { body })).status).toBe(409);
  });
});

describe("reminding", () => {
  test("signers whose turn it is, once a minute each; an address that is not a signer's is 422", async () => {
    const { key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id);
    const remind = (body?: object) => key.send("POST", `/partner/envelopes/${envelope_id}/remind`, body === undefined ? {} : { body });
    expect((await remind()).status).toBe(409);
    await send(key, envelope_id);
    expect((await remind({ emails: ["nobody@example.com"] })).json.details[0]).toMatchObject({ field: "emails[0]", code: "not_found" });
    const later = await remind({ emails: [landlord.email] });
    expect([later.status, later.json.error]).toEqual([409, "None of these signers can be reminded now"]);
    const { status, json } = await remind({ emails: ["ANN@example.com"] });
    expect([status, json.data]).toEqual([200, { envelope_id, reminded: [tenant.email], reminded_at: expect.any(String) }]);
    const held = await remind();
    expect([held.status, held.json.error]).toEqual([409, "These signers were reminded a moment ago. Try again later"]);
    expect((await mailOf(envelope_id)).map(({ kind }) => kind)).toEqual(["signing_invitation", "signing_reminder"]);
    expect((await eventsOf(envelope_id)).filter((event) => event.event_type === "envelope.reminder_sent")).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ envelope_id, reminded: [tenant.email] }) }),
    ]);
  });

  test("automatically, every few days", async () => {
    const { key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id);
    await send(key, envelope_id, { reminders: { every_days: 2 } });
    await sweepEnvelopes(service.features.envelopes);
    expect(await mailOf(envelope_id)).toHaveLength(1);
    await service.database.owner("update envelopes set next_reminder_at = now() where envelope_id = $1", [envelope_id]);
    await Promise.all([sweepEnvelopes(service.features.envelopes), sweepEnvelopes(service.features.envelopes)]);
    expect((await mailOf(envelope_id)).map(({ kind }) => kind)).toEqual(["signing_invitation", "signing_reminder"]);
  });
});

describe("outdated mail", () => {
  test("is withdrawn while it is queued: after a void, and for an address that was corrected", async () => {
    const { key, template_id } = await newReady();
    const [first, second] = [await newEnvelope(key, template_id), await newEnvelope(key, template_id)];
    await send(key, first);
    const { json } = await send(key, second);
    const state = async (envelope_id: string) =>
      service.database.owner(
        "select kind, state, last_error, body_enc is null as empty from mail_messages where about = $1 order by message_id",
        [envelope_id],
      );
    const withdrawn = { kind: "signing_invitation", state: "failed", last_error: "withdrawn", empty: true };
    await key.send("POST", `/partner/envelopes/${first}/void`, { body: { reason: "Sold" } });
    expect(await state(first)).toEqual([withdrawn]);
    await key.send("PATCH", `/partner/envelopes/${second}/signers/${json.data.signers[0].slug}`, { body: { email: "anna@example.com" } });
    expect(await state(second)).toEqual([withdrawn, { kind: "signing_corrected", state: "queued", last_error: null, empty: false }]);
  });
});

describe("the end of an envelope", () => {
  test("void notifies the signers who were invited, sends its event, and ends signing", async () => {
    const { key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id);
    await send(key, envelope_id);
    const path = `/partner/envelopes/${envelope_id}/void`;
    expect((await key.send("POST", path, { body: { reason: " " } })).status).toBe(422);
    const { status, json } = await key.send("POST", path, { body: { reason: "Sold" } });
    expect([status, json.data]).toEqual([200, { envelope_id, status: "voided", voided_at: expect.any(String), reason: "Sold" }]);
    expect(await mailOf(envelope_id)).toEqual([
      { kind: "signing_invitation", to_address: tenant.email },
      { kind: "signing_voided", to_address: tenant.email },
    ]);
    expect((await eventsOf(envelope_id)).at(-1)).toMatchObject({ event_type: "envelope.voided", data: { envelope_id, reason: "Sold" } });
    const signers = await service.database.owner("select distinct status from signers where envelope_id = $1", [envelope_id]);
    expect(signers).toEqual([{ status: "cancelled" }]);
    for (const [act, body] of [["void", { reason: "x" }] as const, ["send", {}] as const, ["remind", {}] as const]) {
      expect((await key.send("POST", `/partner/envelopes/${envelope_id}/${act}`, { body })).status).toBe(409);
    }
  });

  test("of ten voids at once, one is 200, the others 409, and there is one event", async () => {
    const { key, template_id } = await ready();
    const envelope_id = await newEnvelope(key, template_id);
    await send(key, envelope_id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => key.send("POST", `/partner/envelopes/${envelope_id}/void`, { body: { reason: "x" } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await eventsOf(envelope_id)).filter((event) => event.event_type === "envelope.voided")).toHaveLength(1);
  });

  test("an envelope past its expiry date is shown as expired at once, and expired by the sweep, with no event", async () => {
    const { org, key, template_id } = await newReady();
    const envelope_id = await newEnvelope(key, template_id);
    await send(key, envelope_id);
    await service.database.owner("update envelopes set expires_at = now() - interval '1 second' where envelope_id = $1", [envelope_id]);
    expect(await statusOf(key, envelope_id)).toBe("expired");
    expect((await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data.status).toBe("expired");
    expect((await key.send("POST", `/partner/envelopes/${envelope_id}/void`, { body: { reason: "late" } })).status).toBe(409);
    expect((await key.send("POST", `/partner/envelopes/${envelope_id}/remind`)).status).toBe(409);
    const ended = await Promise.all(
      [1, 2, 3].map(() => expireEnvelope(service.features.envelopes, org.org_id as OrgId, envelope_id as never)),
    );
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect((await eventsOf(envelope_id)).map((event) => event.event_type)).toEqual(["envelope.created", "envelope.sent"]);
    expect((await mailOf(envelope_id)).map(({ kind }) => kind)).toEqual(["signing_invitation", "signing_expired"]);
    expect((await key.send("GET", "/partner/envelopes?status=expired")).json.meta.total).toBe(1);
  });
});
