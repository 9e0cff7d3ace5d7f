import { describe, expect, test } from "vitest";
import { signingSessionWith } from "../../test/ceremony.ts";
import { chainOf, linkInOutbox, linkTokenFor, tokenFor } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { envelopeBody, landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { act, ann, approve, carl, confirm, draftContract, lee, sam, sentContract, vera } from "../../test/recipients.ts";
import { testService } from "../../test/service.ts";
import { finishDocument } from "./finish-document.ts";

const service = testService();

/** Two at the same time, then one, then two. */
const inThreeSteps = [
  { ...lee, step: 1 },
  { ...vera, step: 1 },
  { ...ann, step: 2 },
  { ...carl, step: 2 },
  { ...sam, step: 3 },
];

const codes = (json: { details?: { field: string; code: string }[] }) => (json.details ?? []).map(({ field, code }) => `${field} ${code}`);

describe("recipients of a request", () => {
  test("are kept by the draft, shown with kind and step, and signers remain what they were", async () => {
    const { key, envelope_id } = await draftContract(service, { recipients: inThreeSteps.map((one) => ({ ...one, step: one.step * 10 })) });
    const { metadata } = (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data;
    expect(metadata.signing_order).toBe("steps");
    expect(metadata.signers).toEqual([tenant, landlord]);
    expect(metadata.signer_count).toBe(2);
    expect(metadata.recipients.map(({ kind, email, step, role }: Record<string, unknown>) => ({ kind, email, step, role }))).toEqual([
      { kind: "approver", email: lee.email, step: 1, role: "Controller" },
      { kind: "viewer", email: vera.email, step: 1, role: null },
      { kind: "signer", email: ann.email, step: 2, role: "Tenant" },
      { kind: "cc", email: carl.email, step: 2, role: null },
      { kind: "signer", email: sam.email, step: 3, role: "Landlord" },
    ]);
    const { recipients } = (await key.send("GET", `/partner/envelopes/${envelope_id}/recipients`)).json.data;
    expect(recipients).toEqual(metadata.recipients);
  });

  test("without steps act in the signing order; equal steps are parallel, different ones sequential", async () => {
    const orders = [
      [{ signing_order: "parallel", recipients: [ann, sam, lee] }, "parallel", [1, 1, 1]],
      [{ recipients: [ann, sam, lee] }, "sequential", [1, 2, 3]],
      [{ recipients: [ann, sam, lee].map((one) => ({ ...one, step: 7 })) }, "parallel", [1, 1, 1]],
      [{ recipients: [ann, sam, lee].map((one, index) => ({ ...one, step: 9 - index })) }, "sequential", [3, 2, 1]],
      [
        {
          recipients: [
            { ...ann, step: 2 },
            { ...sam, step: 2 },
            { ...lee, step: 1 },
          ],
        },
        "steps",
        [2, 2, 1],
      ],
    ] as const;
    for (const [body, signing_order, steps] of orders) {
      const { key, envelope_id } = await draftContract(service, body);
      const { metadata } = (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data;
      expect([metadata.signing_order, metadata.recipients.map(({ step }: { step: number }) => step)]).toEqual([signing_order, steps]);
    }
  });

  test("422: twice the same address or role, a step on some only, signers beside recipients, a role that does not fit the kind", async () => {
    const { key, envelope_id } = await draftContract(service);
    const refused = async (body: object) => {
      const { status, json } = await key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body });
      return [status, ...codes(json)];
    };
    expect(await refused({ recipients: [ann, { ...carl, email: "ANN@example.com" }] })).toEqual([422, "recipients[1].email duplicate"]);
    expect(await refused({ recipients: [ann, { ...lee, role: "tenant" }] })).toEqual([422, "recipients[1].role duplicate"]);
    expect(await refused({ recipients: [{ ...ann, step: 1 }, sam, { ...carl }] })).toEqual([422, "recipients[1].step step_missing"]);
    expect(await refused({ recipients: [ann], signers: [landlord] })).toEqual([422, "recipients conflict"]);
    expect(await refused({ recipients: [{ ...vera, role: "Controller" }] })).toEqual([422, "recipients[0].role conflict"]);
    expect(await refused({ recipients: [{ ...carl, role: "Controller" }] })).toEqual([422, "recipients[0].role conflict"]);
    expect(await refused({ recipients: [{ ...ann, role: undefined }] })).toEqual([422, "recipients[0].role required"]);
    expect(await refused({ recipients: [{ ...lee, role: "Boss" }] })).toEqual([422, "recipients[0].role unknown_role"]);
    expect(await refused({ recipients: [{ ...ann, kind: "witness" }] })).toEqual([422, "recipients[0].kind invalid_value"]);
    expect(await refused({ recipients: [{ ...ann, step: 101 }] })).toEqual([422, "recipients[0].step too_big"]);
    expect(await refused({ recipients: [{ ...ann, allow_delegation: true }] })).toEqual([
      422,
      "recipients[0].allow_delegation unknown_field",
    ]);
    expect(await refused({ signing_order: "steps" })).toEqual([422, "signing_order step_missing"]);
    const many = Array.from({ length: 101 }, (_, index) => ({ ...carl, email: `c${index}@example.com` }));
    expect((await refused({ recipients: many }))[0]).toBe(422);
  });

  test("422 when sent: no signer, a role without a person, an approver who would have to sign", async () => {
    const { key, envelope_id } = await draftContract(service);
    const refused = async (recipients: readonly object[]) => {
      const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { recipients } });
      return [status, ...codes(json)];
    };
    expect(await refused([lee, carl])).toEqual([422, "recipients required"]);
    expect(await refused([ann, sam])).toEqual([422, "recipients required"]);
    expect(await refused([ann, lee, { ...sam, kind: "approver" }])).toEqual([422, "recipients[2].role conflict"]);
    const { metadata, status } = (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data;
    expect([status, metadata.recipients]).toEqual(["preparing", []]);
  });

  test("an order of steps ends when the draft gets people without steps", async () => {
    const { key, envelope_id } = await draftContract(service, { recipients: inThreeSteps });
    const change = async (body: object) => {
      const { json } = await key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body });
      return json.data?.metadata.signing_order ?? codes(json);
    };
    expect(await change({ signing_order: "parallel" })).toEqual(["signing_order conflict"]);
    expect(await change({ signers: [tenant, landlord] })).toBe("sequential");
    expect(await change({ recipients: inThreeSteps })).toBe("steps");
    expect(await change({ recipients: [ann, sam], signing_order: "parallel" })).toBe("parallel");
  });

  test("with delivery link are refused where only the mailed link counts, and the handed-over link is for every kind", async () => {
    const { org, key, envelope_id } = await draftContract(service);
    await org.admin("PATCH", "/org/settings", { body: { require_mailed_link: true } });
    const recipients = [ann, { ...sam, delivery: "link" }, lee];
    const send = () => key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { recipients } });
    const refused = await send();
    expect([refused.status, ...codes(refused.json)]).toEqual([422, "recipients[1].delivery mailed_link_required"]);
    await org.admin("PATCH", "/org/settings", { body: { require_mailed_link: false } });
    expect((await send()).status).toBe(200);
  });
});

describe("an envelope in three steps", () => {
  test("asks each step when the one before is finished, tells everyone what they have to do, and is completed by the last act", async () => {
    const contract = await sentContract(service, inThreeSteps, { message: "Please read page 1." });
    const { org, envelope_id, mail, status } = contract;
    expect(await mail()).toEqual([`signing_invitation ${lee.email}`, `signing_invitation ${vera.email}`]);
    const early = await contract.as(ann.email);
    expect((await early.open()).json.data).toMatchObject({
      state: "waiting",
      recipient: { kind: "signer", step: 2 },
      signers: { before_you: 2 },
    });
    expect((await (await contract.as(carl.email)).open()).json.data).toMatchObject({ state: "waiting", document: null });

    const approver = await contract.as(lee.email);
    const opened = (await approver.open()).json.data;
    expect(opened).toMatchObject({
      state: "ready",
      recipient: { kind: "approver", step: 1 },
      you: { mode: "view" },
      consent: null,
      intent: null,
    });
    expect(opened.fields.map(({ name }: { name: string }) => name)).toEqual(["Cost centre"]);
    const unfilled = await approve(approver);
    expect([unfilled.status, ...codes(unfilled.json)]).toEqual([422, "f0 required"]);
    expect((await approver.fill({ "Cost centre": "4711" })).status).toBe(200);
    expect((await approve(approver)).json.data).toMatchObject({ status: "approved", envelope_status: "sent" });
    expect((await approver.open()).json.data).toMatchObject({ state: "approved", you: { status: "approved" } });
    expect(await mail(), "the viewer of step 1 has not confirmed yet").toHaveLength(2);

    const viewer = await contract.as(vera.email);
    expect((await viewer.open()).json.data.others.map(({ value, name }: Record<string, unknown>) => [name, value])).toEqual([
      ["Lee", "4711"],
    ]);
    expect((await confirm(viewer)).json.data).toMatchObject({ status: "confirmed", envelope_status: "sent" });
    expect(await status(), "no signer has opened it").toBe("sent");
    expect((await mail()).slice(2)).toEqual([`signing_turn ${ann.email}`, `recipient_copy ${carl.email}`]);

    const reader = await contract.as(carl.email);
    expect((await reader.open()).json.data).toMatchObject({ state: "read_only", recipient: { kind: "cc", step: 2 } });
    expect((await reader.see()).status).toBe(200);
    expect((await act(contract, ann.email)).json.data).toMatchObject({ envelope_status: "viewed", signed: 1, total: 2 });
    expect((await mail()).slice(4)).toEqual([`signing_turn ${sam.email}`]);
    expect((await act(contract, sam.email)).json.data).toMatchObject({ envelope_status: "completed", signed: 2, total: 2 });
    expect(await status()).toBe("completed");

    const entries = (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type.startsWith("recipient."));
    expect(entries.map(({ type, actor }) => `${type} ${actor.kind}`)).toEqual([
      "recipient.opened recipient",
      "recipient.opened recipient",
      "recipient.approved recipient",
      "recipient.opened recipient",
      "recipient.confirmed recipient",
      "recipient.notified system",
      "recipient.opened recipient",
    ]);
    expect(Object.values(await contract.now()).map(({ email, status: its }) => `${email} ${its}`)).toEqual([
      `${lee.email} approved`,
      `${vera.email} confirmed`,
      `${ann.email} signed`,
      `${carl.email} pending`,
      `${sam.email} signed`,
    ]);
  });

  test("an approver after the last signature completes it, and signed_at stays the time of the last signature", async () => {
    const contract = await sentContract(service, [
      { ...ann, step: 1 },
      { ...sam, step: 1 },
      { ...lee, step: 2 },
    ]);
    await act(contract, ann.email);
    const { signed_at } = (await act(contract, sam.email)).json.data;
    expect(await contract.status()).toBe("viewed");
    expect((await act(contract, lee.email)).json.data).toMatchObject({ envelope_status: "completed" });
    const { data } = (await contract.key.send("GET", `/partner/envelopes/${contract.envelope_id}/status`)).json;
    expect([data.status, data.signed_at]).toEqual(["completed", signed_at]);
  });

  test("a rejection before anyone opened it ends it as declined; a reason is required, and the others are told", async () => {
    const contract = await sentContract(service, [
      { ...lee, step: 1 },
      { ...sam, step: 1 },
      { ...ann, step: 2 },
    ]);
    const approver = await contract.as(lee.email);
    for (const body of [{}, { reason: "  " }]) {
      const { status, json } = await approver.send("POST", "/decline", { body });
      expect([status, ...codes(json)]).toEqual([422, "reason required"]);
    }
    expect((await approver.send("POST", "/decline", { body: { reason: "Over budget" } })).status).toBe(200);
    expect(await contract.status()).toBe("declined");
    expect(await contract.mail()).toEqual([
      `signing_invitation ${lee.email}`,
      `signing_invitation ${sam.email}`,
      `signing_declined ${sam.email}`,
    ]);
    const { json } = await contract.org.admin("GET", "/org/outbox");
    const told = json.data.find(({ to, subject }: { to: string; subject: string }) => to === sam.email && subject.startsWith("Declined"));
    const { text } = (await contract.org.admin("GET", `/org/outbox/${told.message_id}`)).json.data;
    expect(text).toContain("An approver has rejected a document");
    expect(text).not.toContain("Over budget");
    const noticed = (await contract.org.admin("GET", "/notifications")).json.data;
    expect(noticed.map((one: { text: string }) => one.text)).toEqual(["Lee rejected Lease"]);
  });
});

describe("the task of each kind", () => {
  test("is theirs alone: 403 for everyone else, and nothing happens", async () => {
    const contract = await sentContract(service, [ann, sam, lee, vera, { ...carl, step: 1 }], { signing_order: "parallel" });
    const hash = "0".repeat(64);
    const intent = { version: "2026-01", locale: "en", sha256: hash };
    const calls = {
      complete: ["POST", "/complete", { revision: 0, prepared_sha256: hash, state_sha256: hash, intent }],
      approve: ["POST", "/approve", { state_sha256: hash }],
      confirm: ["POST", "/confirm", { state_sha256: hash }],
      decline: ["POST", "/decline", { reason: "x" }],
      fields: ["PUT", "/fields", { values: [] }],
      consent: ["POST", "/consent", { accepted: false }],
      paper: ["POST", "/paper", undefined],
    } as const;
    const may: Record<string, readonly string[]> = {
      [lee.email]: ["approve", "decline", "fields"],
      [vera.email]: ["confirm"],
      [carl.email]: [],
      "stranger@example.com": [],
    };
    for (const [email, own] of Object.entries(may)) {
      for (const [name, [method, path, body]] of Object.entries(calls)) {
        if (own.includes(name)) continue;
        const one = await contract.as(email);
        const { status } = await one.send(method, path, body === undefined ? {} : { body });
        expect([email, name, status]).toEqual([email, name, 403]);
      }
    }
    for (const name of ["approve", "confirm"] as const) {
      const [method, path, body] = calls[name];
      const { status, json } = await (await contract.as(ann.email)).send(method, path, { body });
      expect([status, json.error]).toEqual([403, expect.stringContaining("not your task")]);
    }
    expect(await contract.status()).toBe("sent");
  });

  test("an approver has no one else's fields, and no signature", async () => {
    const contract = await sentContract(service, [ann, sam, lee], { signing_order: "parallel" });
    const one = await contract.as(lee.email);
    const { status, json } = await one.send("PUT", "/fields", { body: { values: [{ field_id: "f1", value: true }] } });
    expect([status, ...codes(json)]).toEqual([422, "values[0].field_id unknown_field"]);
    const adopted = await one.send("PUT", "/fields", { body: { adopt: { signature: { kind: "typed", text: "Lee", font: "caveat" } } } });
    expect(adopted.status).toBe(403);
  });

  test("acts on what was shown: another state is 409 stale, for approve and confirm; a viewer needs page 1", async () => {
    const contract = await sentContract(service, [ann, sam, lee, vera], { signing_order: "parallel" });
    const [approver, viewer] = [await contract.as(lee.email), await contract.as(vera.email)];
    await approver.fill({ "Cost centre": "1" });
    const { state_sha256 } = (await viewer.open()).json.data.document;
    const unseen = await viewer.send("POST", "/confirm", { body: { state_sha256 } });
    expect([unseen.status, unseen.json.details[0].code]).toEqual([409, "document_not_rendered"]);
    await viewer.see();
    await act(contract, ann.email);
    for (const [one, path] of [
      [approver, "/approve"],
      [viewer, "/confirm"],
    ] as const) {
      const stale = await one.send("POST", path, { body: { state_sha256 } });
      expect([path, stale.status, stale.json.details[0].code]).toEqual([path, 409, "stale"]);
    }
    const overtaken = await approve(approver, { revision: 0 });
    expect([overtaken.status, overtaken.json.details[0].code]).toEqual([409, "stale"]);
    expect((await approve(approver)).status).toBe(200);
    expect((await approve(approver)).json.error).toBe("This recipient has already acted on the document");
    expect((await confirm(viewer)).status).toBe(200);
  });

  test("people of a later step cannot act early, and the database holds it too", async () => {
    const contract = await sentContract(service, inThreeSteps);
    const one = await contract.as(sam.email);
    expect((await one.see()).json.details[0].code).toBe("not_your_turn");
    const { [ann.email]: waiting } = await contract.now();
    await expect(
      service.database.owner("update signers set status = 'signed', signed_at = now() where slug = $1", [waiting?.slug]),
    ).rejects.toThrow(/out of turn/);
  });

  test("whatever the page of a later step sends, nothing is filled in, approved, confirmed or signed before its turn", async () => {
    const contract = await sentContract(service, [
      { ...ann, step: 1 },
      { ...lee, step: 2 },
      { ...vera, step: 2 },
      { ...sam, step: 3 },
    ]);
    const hash = (await (await contract.as(ann.email)).open()).json.data.document.state_sha256;
    const intent = { version: "2026-01", locale: "en", sha256: hash };
    const early = [
      [lee.email, "PUT", "/fields", { values: [{ field_id: "f0", value: "4711" }] }],
      [lee.email, "POST", "/approve", { state_sha256: hash }],
      [vera.email, "POST", "/confirm", { state_sha256: hash }],
      [sam.email, "PUT", "/fields", { values: [{ field_id: "f2", value: true }] }],
      [sam.email, "POST", "/complete", { revision: 0, prepared_sha256: hash, state_sha256: hash, intent }],
    ] as const;
    for (const [email, method, path, body] of early) {
      const { status, json } = await (await contract.as(email)).send(method, path, { body });
      expect([email, path, status, json.details?.[0].code]).toEqual([email, path, 409, "not_your_turn"]);
    }
    expect(Object.values(await contract.now()).map(({ status }) => status)).toEqual(["pending", "pending", "pending", "pending"]);
    await act(contract, ann.email);
    expect((await (await contract.as(lee.email)).open()).json.data.fields.map(({ value }: { value: unknown }) => value)).toEqual([null]);
  });
});

describe("messages and links", () => {
  test("the message to one person stands below the message to all, for that person only", async () => {
    const recipients = [{ ...ann, message: "Page 3 is new, Ann." }, sam, lee];
    const contract = await sentContract(service, recipients, { signing_order: "parallel", message: "To all." });
    const messageFor = async (email: string) => (await (await contract.as(email)).open()).json.data.envelope.message;
    expect(await messageFor(ann.email)).toBe("To all.\n\nPage 3 is new, Ann.");
    expect(await messageFor(sam.email)).toBe("To all.");
    const { json } = await contract.org.admin("GET", "/org/outbox");
    const texts: Record<string, string> = {};
    for (const { to, message_id } of json.data) texts[to] = (await contract.org.admin("GET", `/org/outbox/${message_id}`)).json.data.text;
    expect(texts[ann.email]).toContain("Page 3 is new, Ann.");
    expect(texts[sam.email]).not.toContain("Page 3");
    expect(texts[lee.email]).toContain("asks you to read a document and to approve or reject it");
    expect(texts[lee.email]).toContain("Review document");
  });

  test("with delivery link no mail goes out; the sender hands over a link, for every kind of recipient", async () => {
    const recipients = [ann, sam, lee, vera, { ...carl, step: 1 }].map((one) => ({ ...one, delivery: "link" }));
    const contract = await sentContract(service, recipients, { signing_order: "parallel" });
    expect(await contract.mail()).toEqual([]);
    const states: string[] = [];
    for (const { slug, kind } of Object.values(await contract.now())) {
      const { status, json } = await contract.key.send("POST", `/partner/envelopes/${contract.envelope_id}/signers/${slug}/link`);
      expect(status).toBe(201);
      const [, secret] = json.data.url.split("#k=");
      const one = signingSessionWith(service, contract.envelope_id, await linkTokenFor(service, slug, secret));
      states.push(`${kind} ${(await one.open()).json.data.state}`);
    }
    expect(states.sort()).toEqual(["approver ready", "cc read_only", "signer ready", "signer ready", "viewer ready"]);
    const reminded = await contract.key.send("POST", `/partner/envelopes/${contract.envelope_id}/remind`);
    expect(reminded.status).toBe(409);
  });

  test("reminders go to approvers and viewers whose turn it is, in words of their own", async () => {
    const contract = await sentContract(service, [
      { ...lee, step: 1 },
      { ...vera, step: 1 },
      { ...ann, step: 2 },
      { ...sam, step: 2 },
    ]);
    const { json } = await contract.key.send("POST", `/partner/envelopes/${contract.envelope_id}/remind`);
    expect(json.data.reminded).toEqual([lee.email, vera.email]);
    const link = await linkInOutbox(contract.org, vera.email);
    const one = signingSessionWith(service, contract.envelope_id, await linkTokenFor(service, link.slug, link.secret));
    expect((await one.open()).json.data.recipient).toEqual({ kind: "viewer", step: 1, delivery: "email" });
  });
});

describe("roles", () => {
  const placed = (role: string) => ({
    name: `Sign ${role}`,
    type: "signature",
    role,
    placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.05 }] },
  });

  test("of a document without tags are free: who has no field gets a signature page, and an approver needs none", async () => {
    const org = await service.newOrg();
    const { envelope_id } = (await org.admin("POST", "/partner/envelopes", { body: envelopeBody() })).json.data;
    await org.admin("POST", `/partner/envelopes/${envelope_id}/upload`, form({}, { bytes: plainPdf }));
    await org.admin("POST", `/partner/envelopes/${envelope_id}/fields`, { body: { fields: [placed("First")] } });
    const recipients = [
      { kind: "signer", email: ann.email, name: "Ann", role: "First" },
      { kind: "signer", email: sam.email, name: "Sam", role: "Second" },
      { kind: "approver", email: lee.email, name: "Lee", role: "Third" },
    ];
    const saved = await org.admin("PATCH", `/partner/envelopes/${envelope_id}`, { body: { recipients } });
    expect([saved.status, saved.json.details]).toEqual([200, undefined]);
    const sent = await org.admin("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} });
    expect([sent.status, sent.json.details]).toEqual([200, undefined]);
    const { fields, pages } = (await org.admin("GET", `/partner/envelopes/${envelope_id}/fields`)).json.data;
    expect(fields.filter(({ type }: { type: string }) => type === "signature").map(({ role }: { role: string }) => role)).toEqual([
      "First",
      "Second",
    ]);
    expect(pages.length).toBeGreaterThan(1);
  });
});

describe("the result", () => {
  test("goes to everyone who gets mail; a cc is notified once, and is then delivered", async () => {
    const late = { ...carl, email: "late@example.com", name: "Late" };
    const silent = { ...vera, email: "silent@example.com", delivery: "link" };
    const recipients = [ann, sam, lee, vera, { ...carl, step: 1 }, late, silent];
    const contract = await sentContract(service, recipients, { signing_order: "parallel" });
    for (const email of [lee.email, vera.email, silent.email, ann.email, sam.email]) expect((await act(contract, email)).status).toBe(200);
    await finishDocument(service.features.envelopes, { org_id: contract.org.org_id, envelope_id: contract.envelope_id });
    expect((await contract.mail()).filter((one) => one.startsWith("signing_completed")).sort()).toEqual(
      [ann, sam, lee, vera, carl, late].map(({ email }) => `signing_completed ${email}`).sort(),
    );
    const now = await contract.now();
    expect([now[carl.email]?.status, now[late.email]?.status]).toEqual(["delivered", "delivered"]);
    const notified = (await chainOf(service, contract.org.org_id, contract.envelope_id)).filter(
      ({ type }) => type === "recipient.notified",
    );
    expect(notified.map(({ data }) => [data.user_email, data.what])).toEqual([
      [carl.email, "step"],
      [late.email, "result"],
    ]);
    const link = await linkInOutbox(contract.org, late.email);
    const reader = signingSessionWith(service, contract.envelope_id, await linkTokenFor(service, link.slug, link.secret));
    expect((await reader.open()).json.data).toMatchObject({
      state: "read_only",
      recipient: { kind: "cc", step: null },
      copy: { ready: true },
    });
    const copy = await reader.send("GET", "/document");
    const { bytes } = await contract.key.send("GET", `/partner/envelopes/${contract.envelope_id}/document`);
    expect(copy.bytes.equals(bytes)).toBe(true);
    const text = (await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ");
    expect(text, "what the approver filled in").toContain("4711");
  });
});

describe("identity questions", () => {
  const kba = {
    questions: [
      { text: "The first word?", answer: "first" },
      { text: "The second word?", answer: "second" },
    ],
  };

  test("are for everyone who acts; a cc has none and reads nothing before the result", async () => {
    const recipients = [
      { ...lee, kba },
      { ...ann, kba },
      { ...sam, kba },
      { ...carl, step: 1 },
    ];
    const contract = await sentContract(service, recipients, { signing_order: "parallel", kba_required: true });
    expect(await contract.mail()).not.toContain(`recipient_copy ${carl.email}`);
    expect((await (await contract.as(carl.email)).open()).json.data).toMatchObject({ state: "waiting", document: null });
    const approver = await contract.as(lee.email);
    expect((await approver.open()).json.data).toMatchObject({ document: null, identity: { state: "required" } });
    expect((await approver.see()).json.details[0].code).toBe("identity_required");
    const { challenge_id, questions } = (await approver.send("GET", "/kba")).json.data;
    const answers = questions.map(({ id }: { id: number }, index: number) => ({ id, value: ["first", "second"][index] }));
    expect((await approver.send("POST", "/kba", { body: { challenge_id, answers } })).json.data.state).toBe("passed");
    expect((await approver.fill({ "Cost centre": "1" })).status).toBe(200);
    expect((await approve(approver)).status).toBe(200);
    const { key, envelope_id } = await draftContract(service, { kba_required: true });
    const refused = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, {
      body: { recipients: [ann, sam, lee, { ...carl, kba }] },
    });
    expect([refused.status, ...codes(refused.json)]).toEqual([422, "recipients[3].kba conflict"]);
  });
});

test("an envelope of signers alone has the answers and the mail that it had", async () => {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  await key.send("POST", `/partner/envelopes/${envelope_id}/send`);
  const { signers } = (await key.send("GET", `/partner/envelopes/${envelope_id}/signers`)).json.data;
  expect(signers.map(({ email, order, status }: Record<string, unknown>) => [email, order, status])).toEqual([
    [tenant.email, 1, "pending"],
    [landlord.email, 2, "pending"],
  ]);
  const links = (await key.send("GET", `/partner/envelopes/${envelope_id}/signing-links`)).json.data.signers;
  expect(Object.keys(links[0]).sort()).toEqual(["email", "embed_url", "name", "slug", "status"]);
  expect(await tokenFor(org, envelope_id as never, tenant.email)).toEqual(expect.any(String));
});
