import { createHash, createHmac } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hashOfJson } from "@countersign/evidence";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Send } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { type Receiver, startReceiver } from "../../../test/receiver.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { type Vaulted, vaultedCopy } from "../../../test/vaulted.ts";
import { expireActs } from "../acts/end-act.ts";
import { resendRegistrations } from "./send-registration.ts";

// Requests run when a test says so, because no worker runs here.
const service = testService();
let receiver: Receiver;
let org: TestOrg;
let [first, second] = [] as unknown as [TestBank, TestBank];
let secret: string;

/** A party that is another organization of the installation, so that it decides without mail. */
interface TestBank {
  readonly party_id: string;
  readonly send: Send;
}

async function newBank(name: string): Promise<TestBank> {
  const bank = await service.newOrg(name);
  const { json } = await org.admin("POST", "/partner/parties", { body: { kind: "org", name, org_id: bank.org_id } });
  return { party_id: json.data.party_id, send: bank.admin };
}

const set = (more: object = {}) =>
  org.admin("PUT", "/org/registry", { body: { url: receiver.url, mode: "gate", kinds: ["assign"], ...more } });

beforeAll(async () => {
  receiver = await startReceiver();
  org = await service.newOrg("Acme Leasing");
  [first, second] = [await newBank("First Example Bank"), await newBank("Second Example Bank")];
  secret = (await set({ kinds: ["assign", "pledge"] })).json.data.secret;
});
beforeEach(async () => {
  // What earlier tests left waiting is not asked about again.
  await service.database.owner(
    "update registrations set next_attempt_at = null, outcome = 'ignored', settled_at = now() where outcome is null",
  );
  receiver.requests.length = 0;
  receiver.always(200);
  await set({ kinds: ["assign", "pledge"] });
});
afterAll(() => receiver.close());

const recordOf = async ({ envelope_id }: Vaulted) => (await org.admin("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
const actOf = async (act_id: string) => (await org.admin("GET", `/partner/acts/${act_id}`)).json.data;

interface Proposed {
  readonly act_id: string;
  readonly sha256: string;
}

async function propose(one: Vaulted, kind: string, { party_id }: TestBank, more: object = {}): Promise<Proposed> {
  const { control_version } = await recordOf(one);
  const body = { kind, reason: "Sale of the loan", present_version: control_version, party_id, ...more };
  const { status, json } = await org.admin("POST", `/partner/envelopes/${one.envelope_id}/acts`, { body });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data;
}

const confirm = async ({ send }: TestBank, { act_id, sha256 }: Proposed) =>
  (await send("POST", `/partner/acts/${act_id}/decision`, { body: { decision: "confirm", sha256 } })).json.data.state;

/** A record of the first bank, and its assignment to the second, which both have confirmed. */
async function confirmedAssignment() {
  const one = await vaultedCopy(service, org);
  await confirm(first, await propose(one, "designate", first));
  const act = await propose(one, "assign", second);
  await confirm(first, act);
  return { one, act, state: await confirm(second, act) };
}

const answer = (value: object) => ({ status: 200, body: JSON.stringify(value) });
const resend = () => resendRegistrations(service.features.vault);
const registrationOf = async ({ act_id }: Proposed) =>
  (await service.database.owner("select outcome, last_error, attempts, reference from registrations where act_id = $1", [act_id]))[0];
const makeDue = ({ act_id }: Proposed) =>
  service.database.owner("update registrations set next_attempt_at = now() where act_id = $1 and outcome is null", [act_id]);
const entriesOf = async ({ envelope_id }: Vaulted, { act_id }: Proposed) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ data }) => data.act_id === act_id);

/** A registry that answers when the test lets it. */
async function startSlow(value: object) {
  let arrived: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (arrived = resolve));
  let waiting: ServerResponse | null = null;
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      waiting = response;
      arrived();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, asked, answer: () => waiting?.writeHead(200).end(JSON.stringify(value)) };
}

describe("with mode gate, an act that everyone has confirmed", () => {
  test("waits, and takes effect with the registry's answer, whose reference and hash are in the chain", async () => {
    const { one, act, state } = await confirmedAssignment();
    expect(state).toBe("registering");
    expect((await recordOf(one)).secured_party).toEqual({ name: "First Example Bank" });
    const accepted = { accepted: true, reference: "REG-2026-000117" };
    receiver.next(answer(accepted));
    expect(await resend()).toBe(1);
    expect((await actOf(act.act_id)).state).toBe("effective");
    expect(await recordOf(one)).toMatchObject({ secured_party: { name: "Second Example Bank" }, registry_reference: "REG-2026-000117" });
    const entries = await entriesOf(one, act);
    const types = ["act.proposed", "act.confirmed", "act.confirmed", "act.registered", "act.effective"];
    expect(entries.map(({ type }) => type)).toEqual(types);
    expect(entries[3]?.data).toMatchObject({
      sha256: act.sha256,
      registry: new URL(receiver.url).host,
      reference: accepted.reference,
      answer_sha256: createHash("sha256").update(JSON.stringify(accepted)).digest("hex"),
    });
    expect(await resend(), "it is settled").toBe(0);
  });

  test("is sent with its document and hash, signed as webhooks are, with the same idempotency key and bytes in every attempt", async () => {
    const { one, act } = await confirmedAssignment();
    receiver.next("reset");
    await resend();
    expect(await registrationOf(act)).toMatchObject({ outcome: null, last_error: "connection_error", attempts: 1 });
    const [{ pause } = { pause: 0 }] = await service.database.owner<{ pause: number }>(
      "select extract(epoch from next_attempt_at - created_at)::float8 as pause from registrations where act_id = $1",
      [act.act_id],
    );
    expect(pause, "the first pause of webhooks, less a fifth").toBeGreaterThanOrEqual(4);
    await makeDue(act);
    receiver.next(answer({ accepted: true, reference: "R1" }));
    await resend();
    const [lost, again] = receiver.requests;
    expect(lost?.body.equals(again?.body ?? Buffer.alloc(0))).toBe(true);
    expect([lost?.headers["idempotency-key"], again?.headers["idempotency-key"]]).toEqual([act.act_id, act.act_id]);
    const body = again?.body.toString() ?? "";
    const signed = `${act.act_id}.${again?.headers["webhook-timestamp"]}.${body}`;
    const mac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
      .update(signed)
      .digest("base64");
    expect([again?.headers["webhook-id"], again?.headers["webhook-signature"]]).toEqual([act.act_id, `v1,${mac}`]);
    const asked = JSON.parse(body);
    const { sha256 } = one;
    expect(asked).toMatchObject({ type: "countersign/registration/1", registration_id: act.act_id, mode: "gate", copy_sha256: sha256 });
    expect([hashOfJson(asked.act), asked.act_sha256]).toEqual([act.sha256, act.sha256]);
    expect((await actOf(act.act_id)).state).toBe("effective");
  });

  test("is refused by the registry's answer, in an entry of the system that names the registry", async () => {
    const { one, act } = await confirmedAssignment();
    receiver.next(answer({ accepted: false, reason: "Another controller is registered" }));
    await resend();
    expect((await actOf(act.act_id)).state).toBe("refused");
    expect(await recordOf(one)).toMatchObject({ secured_party: { name: "First Example Bank" }, registry_reference: null });
    const last = (await entriesOf(one, act)).at(-1);
    expect([last?.type, last?.actor.kind]).toEqual(["act.refused", "system"]);
    expect(last?.data).toMatchObject({
      registry: new URL(receiver.url).host,
      role: "registry",
      reason: "Another controller is registered",
    });
  });

  test.each([
    ["an answer that is not JSON", { status: 200, body: "<html>" }, "answer_not_json"],
    ["a list", { status: 200, body: "[]" }, "answer_not_json"],
    ["no body", 200, "answer_not_json"],
    ["an answer without a decision", answer({ reference: "R1" }), "answer_not_understood"],
    ["an acceptance without a reference", answer({ accepted: true, reference: "" }), "answer_not_understood"],
    ["a word for the decision", answer({ accepted: "true", reference: "R1" }), "answer_not_understood"],
    ["a reference that is too long", answer({ accepted: true, reference: "R".repeat(201) }), "answer_not_understood"],
    ["an answer that is too big", answer({ accepted: true, reference: "R1", more: "x".repeat(20_000) }), "answer_too_big"],
    ["half an answer", "half a body", "answer_too_big"],
    ["a redirect", { status: 307, headers: { location: "/elsewhere" }, body: '{"accepted":true,"reference":"R1"}' }, "redirect"],
    ["an error with a body that accepts", { status: 500, body: '{"accepted":true,"reference":"R1"}' }, "http_error"],
  ] as const)("goes on waiting after %s", async (_, treatment, last_error) => {
    const { act } = await confirmedAssignment();
    receiver.next(treatment);
    await resend();
    expect((await actOf(act.act_id)).state).toBe("registering");
    expect(await registrationOf(act)).toMatchObject({ outcome: null, last_error, attempts: 1 });
    expect((await org.admin("GET", "/org/registry")).json.data.last_error).not.toBeNull();
    expect(receiver.requests).toHaveLength(1);
  });

  test("expires when the registry is silent for seven days, and an answer after that changes nothing", async () => {
    const { one, act } = await confirmedAssignment();
    const { expires_at } = await actOf(act.act_id);
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000)).toBe(7);
    await service.database.owner("update control_acts set expires_at = now() where act_id = $1", [act.act_id]);
    expect((await actOf(act.act_id)).state).toBe("expired");
    receiver.always(answer({ accepted: true, reference: "R1" }));
    await resend();
    expect(receiver.requests, "an act that ended is not asked about").toEqual([]);
    await expireActs(service.features.vault);
    expect((await entriesOf(one, act)).at(-1)?.type).toBe("act.expired");
    expect((await recordOf(one)).registry_reference).toBeNull();
  });

  test("is superseded by another change of control, and the late answer changes nothing", async () => {
    const slow = await startSlow({ accepted: true, reference: "late" });
    await set({ url: slow.url });
    const { one, act } = await confirmedAssignment();
    const sending = resend();
    await slow.asked;
    // A share is not one of the registry's kinds, so it takes effect at once.
    expect(await confirm(first, await propose(one, "participate", second, { share_bp: 100 }))).toBe("effective");
    expect((await actOf(act.act_id)).state).toBe("superseded");
    const before = (await chainOf(service, org.org_id, one.envelope_id)).length;
    slow.answer();
    await sending;
    expect((await actOf(act.act_id)).state).toBe("superseded");
    expect(await registrationOf(act)).toMatchObject({ outcome: "ignored", reference: "late" });
    expect((await recordOf(one)).registry_reference).toBeNull();
    expect(await chainOf(service, org.org_id, one.envelope_id)).toHaveLength(before);
  });

  test("that the record does not allow any more ends when the registry accepts it, and the registry is not asked again", async () => {
    await set({ kinds: ["paper_out"] });
    const one = await vaultedCopy(service, org);
    const body = { kind: "paper_out", reason: "x", present_version: 1, recipient: { name: "A", email: "a@example.com" } };
    const act = (await org.admin("POST", `/partner/envelopes/${one.envelope_id}/acts`, { body })).json.data;
    expect(act.state).toBe("registering");
    await org.admin("POST", `/partner/envelopes/${one.envelope_id}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    receiver.next(answer({ accepted: true, reference: "REG-1" }));
    await resend();
    expect([(await actOf(act.act_id)).state, (await recordOf(one)).state]).toEqual(["cancelled", "active"]);
    expect((await entriesOf(one, act)).at(-1)).toMatchObject({ type: "act.cancelled", data: { reason: "copy_on_hold" } });
    expect([await resend(), (await registrationOf(act))?.outcome, receiver.requests.length]).toEqual([0, "ignored", 1]);
  });

  test("cannot be avoided by an export or the end of a hold without an act", async () => {
    await set({ kinds: ["export_out", "release_hold"] });
    const { envelope_id } = await vaultedCopy(service, org);
    const at = `/partner/envelopes/${envelope_id}`;
    const out = await org.admin("POST", `${at}/vault-out`, { body: { recipient: { name: "A", email: "a@example.com" }, reason: "x" } });
    expect([out.status, out.headers["x-error-code"]]).toEqual([409, "registration_required"]);
    const hold = await org.admin("POST", `${at}/vault/legal-hold`, { body: { reason: "Lawsuit" } });
    const lifted = await org.admin("DELETE", `${at}/vault/legal-hold/${hold.json.data.hold_id}`);
    expect([lifted.status, lifted.headers["x-error-code"]]).toEqual([409, "registration_required"]);
  });

  test("can be cancelled, and cannot be decided again", async () => {
    const { act } = await confirmedAssignment();
    const again = await second.send("POST", `/partner/acts/${act.act_id}/decision`, { body: { decision: "refuse", sha256: act.sha256 } });
    expect(again.status).toBe(403);
    expect((await org.admin("POST", `/partner/acts/${act.act_id}/cancel`)).json.data.state).toBe("cancelled");
    await resend();
    expect([receiver.requests, (await registrationOf(act))?.outcome]).toEqual([[], "ignored"]);
  });
});

describe("with mode gate", () => {
  test("a batch of such acts is refused, because its records could not wait one by one", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    const body = { kind: "assign", reason: "Sale of a pool", envelope_ids: [envelope_id], party_id: second.party_id };
    const { status, json } = await org.admin("POST", "/partner/control-batches", { body });
    expect([status, json.error]).toEqual([409, "The registry must accept this first. Propose an act on this record alone"]);
  });

  test("acts of other kinds take effect without the registry", async () => {
    const one = await vaultedCopy(service, org);
    expect(await confirm(first, await propose(one, "designate", first))).toBe("effective");
    expect(await resend()).toBe(0);
  });

  test("an assignment on the depositor's word is refused, because no act would wait", async () => {
    const one = await vaultedCopy(service, org);
    await org.admin("PUT", `/partner/envelopes/${one.envelope_id}/secured-party`, { body: { name: "Paper Example Bank" } });
    const consent = { method: "written", given_by: { name: "Ann" }, given_at: new Date().toISOString() };
    const body = { secured_party: { name: "Second Example Bank" }, consent, present_seq: 1 };
    const { status, json } = await org.admin("POST", `/partner/envelopes/${one.envelope_id}/assignments`, { body });
    expect([status, json.error]).toEqual([409, "The registry must accept this first. Propose an act on this record alone"]);
  });
});

test("with mode notify, the act takes effect at once and the registry is told until it has heard, whatever it says", async () => {
  await set({ mode: "notify" });
  const { one, act, state } = await confirmedAssignment();
  expect(state).toBe("effective");
  receiver.next(503, { status: 200, body: "thanks" });
  await resend();
  expect(await registrationOf(act)).toMatchObject({ outcome: null, last_error: "http_error" });
  await makeDue(act);
  await resend();
  expect(await registrationOf(act)).toMatchObject({ outcome: "told", attempts: 2 });
  expect(JSON.parse(receiver.requests[1]?.body.toString() ?? "")).toMatchObject({ mode: "notify", act_sha256: act.sha256 });
  expect((await entriesOf(one, act)).map(({ type }) => type)).not.toContain("act.registered");
});

test("while the installation is held, no attempt is used up and nothing is given up", async () => {
  await set({ mode: "notify" });
  const { act } = await confirmedAssignment();
  await service.database.owner("update registrations set give_up_at = now() where act_id = $1", [act.act_id]);
  const { registry, ...vault } = service.features.vault;
  await resendRegistrations({ ...vault, registry: { ...registry, outbound: { ...registry.outbound, mayLeave: async () => false } } });
  expect(await registrationOf(act)).toMatchObject({ outcome: null, attempts: 0, last_error: null });
  await resend();
  expect(await registrationOf(act)).toMatchObject({ outcome: "told", attempts: 1 });
});

test("with mode notify, a registry that never answers is given up after seven days", async () => {
  await set({ mode: "notify" });
  const { act } = await confirmedAssignment();
  receiver.always(500);
  await service.database.owner("update registrations set give_up_at = now() where act_id = $1", [act.act_id]);
  await resend();
  expect((await registrationOf(act))?.outcome).toBe("given_up");
});

describe("the registry of an organization", () => {
  test("is set and shown by admins; its secret is shown once, and again only if it is replaced", async () => {
    const own = await service.newOrg();
    const put = (more: object = {}) =>
      own.admin("PUT", "/org/registry", { body: { url: receiver.url, mode: "gate", kinds: ["assign"], ...more } });
    expect((await own.admin("GET", "/org/registry")).json.data).toEqual({ registry: null, waiting: 0, last_error: null });
    const made = (await put()).json.data;
    expect(made.secret).toMatch(/^whsec_/);
    expect((await put({ mode: "notify", kinds: ["pledge"] })).json.data).toMatchObject({
      registry: { mode: "notify", kinds: ["pledge"] },
      secret: null,
    });
    const replaced = (await put({ new_secret: true })).json.data.secret;
    expect(replaced).toMatch(/^whsec_/);
    expect(replaced).not.toBe(made.secret);
    expect((await own.admin("GET", "/org/registry")).text).not.toContain("whsec_");
    const [row] = await service.database.owner<{ secret_enc: Buffer }>("select secret_enc from registries where org_id = $1", [own.org_id]);
    expect(row?.secret_enc.includes(replaced)).toBe(false);
    expect((await own.admin("DELETE", "/org/registry")).json.data).toEqual({ removed: true });
    expect((await own.admin("DELETE", "/org/registry")).status, "again").toBe(200);
    expect((await own.admin("GET", "/org/registry")).json.data.registry).toBeNull();
  });

  test.each([
    ["url", { url: "http://10.0.0.1/registry" }],
    ["url", { url: "https://192.168.1.1/" }],
    ["url", { url: "https://user:secret@registry.example.com/" }],
    ["url", { url: "registry" }],
    ["mode", { mode: "ask" }],
    ["kinds", { kinds: [] }],
    ["kinds[0]", { kinds: ["change_people"] }],
    ["kinds", { kinds: ["assign", "assign"] }],
  ])("is refused with a wrong %s: %j", async (field, wrong) => {
    const { status, json } = await set(wrong);
    expect([status, json.details[0].field]).toEqual([422, field]);
  });

  test("stays while acts wait for it", async () => {
    const { act } = await confirmedAssignment();
    const { waiting } = (await org.admin("GET", "/org/registry")).json.data;
    expect(waiting).toBeGreaterThan(0);
    const { status, json } = await org.admin("DELETE", "/org/registry");
    expect([status, json.error]).toEqual([409, `Acts wait for the registry: ${waiting}. Cancel them or wait for its answer first`]);
    await org.admin("POST", `/partner/acts/${act.act_id}/cancel`);
  });
});
