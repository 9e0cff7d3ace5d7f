import { describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { makeReady, signingSessionWith } from "../../test/ceremony.ts";
import { chainOf, linkInOutbox, linkTokenFor, page, sentEnvelope, tokenFor } from "../../test/envelopes.ts";
import { mailTo } from "../../test/mail.ts";
import {
  act,
  ann,
  approve,
  carl,
  confirm,
  lee,
  type SentContract,
  type SentRecipient,
  sam,
  sentContract,
  vera,
} from "../../test/recipients.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type Answer, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { newId } from "../shared/ids.ts";
import { currentText } from "../texts/current-texts.ts";
import { storeEnvelope } from "../vault/store-envelope.ts";
import { finishDocument } from "./finish-document.ts";

const service = testService();

const places = ({ envelope_id }: SentContract) => `/partner/envelopes/${envelope_id}/recipients`;
const add = (contract: SentContract, body: object) => contract.key.send("POST", places(contract), { body });
const change = async (contract: SentContract, email: string, body: object) =>
  contract.key.send("PATCH", `${places(contract)}/${(await contract.now())[email]?.recipient_id}`, { body });
const remove = async (contract: SentContract, email: string) =>
  contract.key.send("DELETE", `${places(contract)}/${(await contract.now())[email]?.recipient_id}`);
const codes = (json: { details?: { field: string; code: string }[] }) => (json.details ?? []).map(({ field, code }) => `${field} ${code}`);

const signers = [
  { ...ann, step: 1 },
  { ...sam, step: 2 },
];
/** without fields */
const boss = { kind: "approver", email: "boss@example.com", name: "Boss" };
const withLee = [{ ...lee, step: 1 }, ...signers];

describe("a person who is added to a sent envelope", () => {
  test("is asked at once if their step is running, otherwise when it begins; completion waits for them", async () => {
    const contract = await sentContract(service, withLee);
    const added = await add(contract, { ...boss, step: 1 });
    expect([added.status, added.json.data]).toEqual([
      201,
      {
        recipient_id: expect.stringMatching(/^rcp_/),
        kind: "approver",
        email: boss.email,
        name: "Boss",
        role: null,
        step: 1,
        status: "pending",
        slug: expect.stringMatching(/^[0-9a-f]{32}$/),
        delivery: "email",
        acted_at: null,
        locale: null,
        message: null,
      },
    ]);
    expect((await add(contract, { ...vera, step: 90 })).json.data.step, "gaps are closed").toBe(3);
    expect((await contract.mail()).sort()).toEqual([
      `signing_invitation ${ann.email}`,
      `signing_invitation ${lee.email}`,
      `signing_turn ${boss.email}`,
    ]);
    for (const email of [lee.email, ann.email, boss.email, sam.email]) expect((await act(contract, email)).status).toBe(200);
    expect(await contract.status()).toBe("viewed");
    expect(await contract.mail()).toContain(`signing_turn ${vera.email}`);
    expect((await act(contract, vera.email)).json.data.envelope_status).toBe("completed");
    const entries = await chainOf(service, contract.org.org_id, contract.envelope_id);
    const added_ = entries.filter(({ type }) => type === "recipient.added").map(({ data }) => data);
    expect(added_).toEqual([
      expect.objectContaining({ kind: "approver", email: boss.email, signers_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }),
      expect.objectContaining({ kind: "viewer", step: 3 }),
    ]);
  });

  test("gets a copy at their step or only the result, and delays nothing", async () => {
    const contract = await sentContract(service, withLee);
    expect((await add(contract, { ...carl, step: 1 })).status).toBe(201);
    expect((await add(contract, { ...carl, email: "late@example.com" })).json.data).toMatchObject({ kind: "cc", step: null });
    expect((await contract.mail()).filter((one) => one.startsWith("recipient_copy"))).toEqual([`recipient_copy ${carl.email}`]);
    for (const email of [lee.email, ann.email, sam.email]) await act(contract, email);
    expect(await contract.status()).toBe("completed");
  });

  test("422: a signer, a role, an address that is there, no step, a step that is over; 409 for a draft and an ended envelope", async () => {
    const contract = await sentContract(service, withLee);
    const refused = async (body: object) => {
      const { status, json } = await add(contract, body);
      return [status, ...codes(json)];
    };
    expect(await refused({ ...ann, email: "x@example.com", step: 1 })).toEqual([422, "role unknown_field", "kind invalid_value"]);
    expect(await refused({ ...boss, step: 1, email: "ANN@example.com" })).toEqual([422, "email duplicate"]);
    expect(await refused(boss)).toEqual([422, "step step_missing"]);
    await act(contract, lee.email);
    await act(contract, ann.email);
    expect(await refused({ ...boss, step: 1 })).toEqual([422, "step too_small"]);
    await contract.key.send("POST", `/partner/envelopes/${contract.envelope_id}/void`, { body: { reason: "x" } });
    expect((await refused({ ...boss, step: 2 }))[0]).toBe(409);
    const draft = await contract.key.send("POST", "/partner/envelopes", {
      body: { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" },
    });
    const early = await contract.key.send("POST", `/partner/envelopes/${draft.json.data.envelope_id}/recipients`, {
      body: { ...boss, step: 1 },
    });
    expect(early.status).toBe(409);
  });
});

describe("a person who takes another's place", () => {
  test("gets a link of their own; the old token and link are 403 at once, and consent and entries start again", async () => {
    const contract = await sentContract(service, withLee);
    const old = page(service, await tokenFor(contract.org, contract.envelope_id, ann.email));
    const link = await linkInOutbox(contract.org, ann.email);
    const byLink = page(service, await linkTokenFor(service, link.slug, link.secret));
    const one = await contract.as(ann.email);
    await makeReady(one);
    const { status, json } = await change(contract, ann.email, { email: "eva@example.com", name: "Eva" });
    expect([status, json.data]).toMatchObject([200, { email: "eva@example.com", name: "Eva", role: "Tenant", status: "pending", step: 1 }]);
    for (const path of ["", "/pages/1", "/pages/1/text", "/document", "/progress"]) {
      for (const send of [old, byLink]) {
        const answer = await send("GET", `/embed/sign/${contract.envelope_id}${path}`);
        expect([path, answer.status, answer.headers["x-error-code"]]).toEqual([path, 403, "not_your_task"]);
      }
    }
    expect((await one.complete()).status).toBe(403);
    const exchanged = await service.send("POST", `/embed/links/${link.slug}/token`, { body: { secret: link.secret } });
    expect([exchanged.status, exchanged.headers["x-error-code"]]).toEqual([403, "not_your_task"]);
    const guessed = await service.send("POST", `/embed/links/${link.slug}/token`, { body: { secret: "0".repeat(32) } });
    expect([guessed.status, guessed.headers["x-error-code"]]).toEqual([404, "link_not_found"]);

    const fresh = await linkInOutbox(contract.org, "eva@example.com");
    const eva = signingSessionWith(service, contract.envelope_id, await linkTokenFor(service, fresh.slug, fresh.secret));
    const { data } = (await eva.open()).json;
    expect([data.consent.accepted_at, data.signature, data.progress.done, data.recipient]).toEqual([
      null,
      null,
      0,
      { kind: "signer", step: 1, delivery: "email" },
    ]);
    for (const email of ["eva@example.com", lee.email, sam.email]) expect((await act(contract, email)).status).toBe(200);
    expect(await contract.status()).toBe("completed");
  });

  test("of the first step is not told that others have acted before them", async () => {
    const contract = await sentContract(service, withLee);
    await change(contract, ann.email, { email: "first@example.com" });
    const [mail] = await mailTo(service, "first@example.com", "signing_turn");
    expect(mail?.text).toContain("sent you a document to read and sign.");
    expect(mail?.text).not.toContain("The people before you");
    await act(contract, lee.email);
    await act(contract, "first@example.com");
    await change(contract, sam.email, { email: "second@example.com" });
    expect((await mailTo(service, "second@example.com", "signing_turn"))[0]?.text).toContain("The people before you have finished.");
  });

  test("has the same recipient_id; signer and recipient lists show the new person", async () => {
    const contract = await sentContract(service, withLee);
    const before = await contract.now();
    await change(contract, lee.email, { email: "lea@example.com" });
    const after = await contract.now();
    expect(Object.keys(after).sort()).toEqual([ann.email, "lea@example.com", sam.email]);
    expect(after["lea@example.com"]?.recipient_id).toBe(before[lee.email]?.recipient_id);
    const listed = (await contract.key.send("GET", `/partner/envelopes/${contract.envelope_id}/signers`)).json.data.signers;
    expect(listed.map(({ email, order }: Record<string, unknown>) => [email, order])).toEqual([
      [ann.email, 1],
      [sam.email, 2],
    ]);
    const again = await add(contract, { ...boss, email: lee.email, step: 1 });
    expect(again.status, "the old address can be added again").toBe(201);
    expect((await (await contract.as(lee.email)).open()).status).toBe(200);
  });
});

/** Stores the record in the vault, and looks at its check of the signatures. */
async function expectActedInTurn(contract: SentContract): Promise<void> {
  const ids = { org_id: contract.org.org_id, envelope_id: contract.envelope_id };
  const at = `/partner/envelopes/${contract.envelope_id}`;
  await finishDocument(service.features.envelopes, ids);
  const vaulting = contract.key.send("POST", `${at}/vault-in-signed`, {
    body: { certification: { accepted: true, terms_version: "2026-01" } },
  });
  await until("the record", async () => {
    await storeEnvelope(service.features.vault, ids);
    return (await contract.status()) === "vaulted";
  });
  expect((await vaulting).status).toBe(200);
  const { checks } = (await contract.key.send("GET", `${at}/compliance`)).json.data;
  expect(checks[3]).toMatchObject({ number: 4, satisfied: true, detail: expect.stringContaining("2 of 2 required signers signed") });
}

describe("a change of name, step or message", () => {
  test("keeps the link; a person moved into the running step is asked at once, one moved out of it when their step begins", async () => {
    const contract = await sentContract(service, withLee);
    const { slug } = (await contract.now())[sam.email] ?? { slug: "" };
    expect((await change(contract, sam.email, { name: "Samuel", message: "Sorry for the change.", step: 1 })).json.data).toMatchObject({
      name: "Samuel",
      slug,
      step: 1,
      message: "Sorry for the change.",
    });
    expect(await contract.mail()).toContain(`signing_turn ${sam.email}`);
    expect((await contract.key.send("GET", `/partner/envelopes/${contract.envelope_id}/recipients`)).json.data.recipients).toHaveLength(3);
    await change(contract, lee.email, { step: 2 });
    expect((await (await contract.as(lee.email)).open()).json.data.state).toBe("waiting");
    const mails = (await contract.mail()).length;
    await act(contract, ann.email);
    await act(contract, sam.email);
    expect((await contract.mail()).slice(mails)).toEqual([`signing_turn ${lee.email}`]);
    expect((await act(contract, lee.email)).json.data.envelope_status).toBe("completed");
  });

  test("when the last open person of a step moves on, the next step begins", async () => {
    const contract = await sentContract(service, [
      { ...lee, step: 1 },
      { ...ann, step: 2 },
      { ...sam, step: 3 },
    ]);
    await change(contract, lee.email, { step: 3 });
    expect(await contract.mail()).toEqual([`signing_invitation ${lee.email}`, `signing_turn ${ann.email}`]);
  });

  test("into a step with others shows the steps, which a duplicate keeps, and the record says that everyone acted in turn", async () => {
    const contract = await sentContract(service, [...signers, { ...lee, step: 3 }]);
    const at = `/partner/envelopes/${contract.envelope_id}`;
    const order = async () => (await contract.key.send("GET", at)).json.data.metadata.signing_order;
    expect(await order()).toBe("sequential");
    await change(contract, sam.email, { step: 1 });
    expect(await order()).toBe("steps");
    const { metadata } = (await contract.key.send("POST", `${at}/duplicate`, { body: {} })).json.data;
    const steps = metadata.recipients.map(({ email, step }: SentRecipient) => [email, step]);
    expect([metadata.signing_order, steps]).toEqual([
      "steps",
      [
        [ann.email, 1],
        [sam.email, 1],
        [lee.email, 2],
      ],
    ]);
    for (const email of [sam.email, ann.email, lee.email]) expect((await act(contract, email)).status).toBe(200);
    await expectActedInTurn(contract);
  });

  test("behind everyone else changes whose turn it is, and the record says that everyone acted in turn", async () => {
    const contract = await sentContract(service, [...signers, { ...lee, step: 3 }]);
    await change(contract, ann.email, { step: 4 });
    for (const email of [sam.email, lee.email, ann.email]) expect((await act(contract, email)).status).toBe(200);
    await expectActedInTurn(contract);
  });

  test("is shown to the person before they act under another name, whatever they save meanwhile", async () => {
    const contract = await sentContract(service, [
      { ...ann, step: 1 },
      { ...lee, step: 2 },
      { ...vera, step: 3 },
      { ...sam, step: 4 },
    ]);
    const stale = [409, "signing_stale"];
    const refused = ({ status, headers }: Answer) => [status, headers["x-error-code"]];

    const signer = await contract.as(ann.email);
    await makeReady(signer, {}, "Ann Example");
    const { revision, document } = (await signer.open()).json.data;
    const { version, locale, sha256 } = currentText(service.features.texts, "intent");
    const seen = { prepared_sha256: document.prepared_sha256, state_sha256: document.state_sha256, intent: { version, locale, sha256 } };
    const sign = (latest: number) => signer.send("POST", "/complete", { body: { revision: latest, ...seen } });
    await change(contract, ann.email, { message: "Only a message" });
    await change(contract, ann.email, { name: "Mallory Other" });
    expect(refused(await sign(revision))).toEqual(stale);
    const saved = await signer.save({ values: [] });
    expect(refused(await sign(saved.json.data.revision))).toEqual(stale);
    expect((await signer.open()).json.data.you.name).toBe("Mallory Other");
    expect((await sign(saved.json.data.revision)).status).toBe(200);

    const approver = await contract.as(lee.email);
    await approver.fill({ "Cost centre": "4711" });
    const { state_sha256 } = (await approver.open()).json.data.document;
    await change(contract, lee.email, { name: "Lea" });
    expect(refused(await approver.send("POST", "/approve", { body: { state_sha256 } }))).toEqual(stale);
    expect((await approve(approver)).status).toBe(200);

    const viewer = await contract.as(vera.email);
    await viewer.see();
    const read = (await viewer.open()).json.data.document;
    await change(contract, vera.email, { name: "Vero" });
    expect(refused(await viewer.send("POST", "/confirm", { body: { state_sha256: read.state_sha256 } }))).toEqual(stale);
    expect((await confirm(viewer)).status).toBe(200);
  });

  test("that changes nothing leaves no trace; another's address is 422, a step that is over too, and an acted person is 409", async () => {
    const contract = await sentContract(service, withLee);
    const trail = async () => (await chainOf(service, contract.org.org_id, contract.envelope_id)).length;
    const before = await trail();
    expect((await change(contract, sam.email, { name: sam.name, step: 2 })).status).toBe(200);
    expect(await trail()).toBe(before);
    expect(codes((await change(contract, sam.email, { email: ann.email })).json)).toEqual(["email duplicate"]);
    await act(contract, lee.email);
    for (const answer of [await change(contract, lee.email, { name: "x" }), await remove(contract, lee.email)]) {
      expect([answer.status, answer.headers["x-error-code"]]).toEqual([409, "recipient_has_acted"]);
    }
    await act(contract, ann.email);
    expect(codes((await change(contract, sam.email, { step: 1 })).json)).toEqual(["step too_small"]);
    const missing = await contract.key.send("PATCH", `${places(contract)}/${newId("recipient")}`, { body: { name: "x" } });
    expect([missing.status, missing.json]).toEqual([404, refusedWith("Recipient not found")]);
  });
});

describe("a person who is removed", () => {
  test("is refused at once with token and link; the next step begins if they were the last of theirs", async () => {
    const contract = await sentContract(service, [
      { ...vera, step: 1 },
      { ...lee, step: 2 },
      { ...ann, step: 2 },
      { ...sam, step: 3 },
    ]);
    const link = await linkInOutbox(contract.org, vera.email);
    const viewer = await contract.as(vera.email);
    expect((await viewer.see()).status).toBe(200);
    const { status, json } = await remove(contract, vera.email);
    expect([status, json.data]).toEqual([
      200,
      { envelope_id: contract.envelope_id, recipient_id: expect.any(String), status: "sent", warnings: [] },
    ]);
    expect((await viewer.open()).status).toBe(403);
    expect((await confirm(viewer)).status).toBe(403);
    expect((await service.send("POST", `/embed/links/${link.slug}/token`, { body: { secret: link.secret } })).status).toBe(403);
    expect((await contract.mail()).filter((one) => one.startsWith("signing_turn")).sort()).toEqual([
      `signing_turn ${ann.email}`,
      `signing_turn ${lee.email}`,
    ]);
    expect(Object.keys(await contract.now())).not.toContain(vera.email);
  });

  test("was the last who had to act: the envelope is completed, and the signed document is made", async () => {
    const contract = await sentContract(service, [
      { ...ann, step: 1 },
      { ...sam, step: 1 },
      { ...lee, step: 1 },
      { ...vera, step: 2 },
    ]);
    for (const email of [ann.email, sam.email, lee.email]) await act(contract, email);
    expect(await contract.status()).toBe("viewed");
    expect((await remove(contract, vera.email)).json.data.status).toBe("completed");
    const entries = await chainOf(service, contract.org.org_id, contract.envelope_id);
    expect(entries.slice(-2).map(({ type, actor }) => `${type} ${actor.kind}`)).toEqual([
      "recipient.removed key",
      "envelope.completed key",
    ]);
  });

  test("leaves fields that no one else fills in: the answer names them, but not what the sender filled in", async () => {
    const twoOfLee = writePdf(
      onePage({
        content: [
          text("{{Cost centre;role=Controller;required=true}} {{Budget;role=Controller}}", 72, 700),
          text("{{Tenant signature;role=Tenant;type=signature}}", 72, 560),
          text("{{Landlord signature;role=Landlord;type=signature}}", 72, 500),
        ].join(" "),
      }),
    );
    const contract = await sentContract(service, withLee, { prefilled_data: { Budget: "7,000" } }, twoOfLee);
    const warnings = async (email: string) => (await remove(contract, email)).json.data.warnings;
    const said = (name: string) => [
      { code: "fields_left_empty", message: `Stay on the page and stay empty, because no one else fills them in: "${name}"` },
    ];
    expect(await warnings(lee.email)).toEqual(said("Cost centre"));
    expect(await warnings(sam.email)).toEqual(said("Landlord signature"));
  });

  test("is never the last signer", async () => {
    const contract = await sentContract(service, withLee);
    expect((await remove(contract, sam.email)).status).toBe(200);
    const refused = await remove(contract, ann.email);
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "last_signer"]);
    await act(contract, lee.email);
    expect((await act(contract, ann.email)).json.data).toMatchObject({ envelope_status: "completed", signed: 1, total: 1 });
  });
});

describe("races", () => {
  const winners = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status < 300).length;

  test("of approve, reject and remove one wins, and the trail has one of them", async () => {
    for (let round = 0; round < 6; round++) {
      const contract = await sentContract(service, [
        { ...vera, step: 1 },
        { ...boss, step: 1 },
        { ...lee, step: 2 },
        { ...ann, step: 2 },
        { ...sam, step: 2 },
      ]);
      const approver = await contract.as(boss.email);
      const { state_sha256 } = (await approver.open()).json.data.document;
      const { recipient_id } = (await contract.now())[boss.email] ?? { recipient_id: "" };
      const answers = await Promise.all([
        approver.send("POST", "/approve", { body: { state_sha256 } }),
        approver.send("POST", "/decline", { body: { reason: "no" } }),
        contract.key.send("DELETE", `${places(contract)}/${recipient_id}`),
      ]);
      expect(winners(answers), JSON.stringify(answers.map(({ status }) => status))).toBe(1);
      const acts = (await chainOf(service, contract.org.org_id, contract.envelope_id)).filter(({ type }) =>
        ["recipient.approved", "envelope.declined", "recipient.removed"].includes(type),
      );
      expect(acts).toHaveLength(1);
    }
  });

  test("an approval against a void: the trail never has an approval after the end", async () => {
    for (let round = 0; round < 6; round++) {
      const contract = await sentContract(service, [
        { ...boss, step: 1 },
        { ...lee, step: 1 },
        { ...ann, step: 2 },
        { ...sam, step: 2 },
      ]);
      const approver = await contract.as(boss.email);
      const { state_sha256 } = (await approver.open()).json.data.document;
      const [approved, voided] = await Promise.all([
        approver.send("POST", "/approve", { body: { state_sha256 } }),
        contract.key.send("POST", `/partner/envelopes/${contract.envelope_id}/void`, { body: { reason: "x" } }),
      ]);
      expect(voided.status).toBe(200);
      expect([200, 409]).toContain(approved.status);
      const types = (await chainOf(service, contract.org.org_id, contract.envelope_id)).map(({ type }) => type);
      expect(types.at(-1)).toBe("envelope.voided");
      expect(types.includes("recipient.approved")).toBe(approved.status === 200);
    }
  });

  test("two last people of a step at once: the next step begins once, each invitation once", async () => {
    for (let round = 0; round < 6; round++) {
      const other = { ...boss, email: "other@example.com" };
      const contract = await sentContract(service, [
        { ...boss, step: 1 },
        { ...other, step: 1 },
        { ...lee, step: 2 },
        { ...ann, step: 2 },
        { ...sam, step: 3 },
      ]);
      const both = await Promise.all([contract.as(boss.email), contract.as(other.email)]);
      const answers = await Promise.all(both.map((one) => approve(one)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect((await contract.mail()).filter((one) => one.startsWith("signing_turn")).sort()).toEqual([
        `signing_turn ${ann.email}`,
        `signing_turn ${lee.email}`,
      ]);
    }
  });

  test("a change of address against signing: one wins, and the loser leaves no trace", async () => {
    for (let round = 0; round < 4; round++) {
      const contract = await sentContract(service, withLee);
      const one = await contract.as(ann.email);
      await makeReady(one);
      const { recipient_id } = (await contract.now())[ann.email] ?? { recipient_id: "" };
      const [signed, changed] = await Promise.all([
        one.complete(),
        contract.key.send("PATCH", `${places(contract)}/${recipient_id}`, { body: { email: "eva@example.com" } }),
      ]);
      expect(winners([signed, changed]), `${signed.status} ${changed.status}`).toBe(1);
      const types = (await chainOf(service, contract.org.org_id, contract.envelope_id)).map(({ type }) => type);
      expect([types.includes("signature.applied"), types.includes("recipient.replaced")]).toEqual([
        signed.status === 200,
        changed.status === 200,
      ]);
    }
  });
});

test("an envelope of the release before goes through its whole life, and its recipients have ids", async () => {
  const org = await service.newOrg();
  const envelope = await sentEnvelope(service, org, { signers: ["ann@example.com", "sam@example.com"] });
  const { recipients } = (await org.admin("GET", `/partner/envelopes/${envelope.envelope_id}/recipients`)).json.data;
  expect(recipients.map(({ kind, step, status }: Record<string, unknown>) => [kind, step, status])).toEqual([
    ["signer", 1, "pending"],
    ["signer", 2, "pending"],
  ]);
  const added = await org.admin("POST", `/partner/envelopes/${envelope.envelope_id}/recipients`, { body: { ...boss, step: 2 } });
  expect(added.status).toBe(201);
  // The hashes of that release do not cover kinds: a signer who becomes a copy in the database is noticed all the same.
  await service.database.owner("update signers set kind = 'cc', role = null where slug = $1", [envelope.signers[0].slug]);
  const refused = await page(service, await tokenFor(org, envelope.envelope_id, "sam@example.com"))(
    "GET",
    `/embed/sign/${envelope.envelope_id}`,
  );
  expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "record_mismatch"]);
});
