import { createHash, X509Certificate } from "node:crypto";
import { type Facts2, type NamedFile, rules2 } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { readChain } from "../src/audit/read-chain.ts";
import { finishDocument } from "../src/envelopes/finish-document.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import { act, ann, carl, lee, type SentContract, sam, sentContract, vera } from "./recipients.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";

const service = testService();

const boss = { kind: "approver", email: "boss@example.com", name: "Boss", step: 2 };
const people = [
  { ...lee, step: 1 },
  { ...vera, step: 1 },
  { ...ann, step: 2 },
  { ...carl, step: 2 },
  { ...sam, step: 3 },
];

/** An approver is added and another replaced on the way. */
async function vaultedContract(): Promise<SentContract> {
  const contract = await sentContract(service, people, { auto_vault_enabled: false, secured_party: { name: "First Example Bank, N.A." } });
  const { key, envelope_id, org } = contract;
  const places = `/partner/envelopes/${envelope_id}/recipients`;
  expect((await key.send("POST", places, { body: boss })).status).toBe(201);
  const { recipient_id } = (await contract.now())[vera.email] ?? { recipient_id: "" };
  expect((await key.send("PATCH", `${places}/${recipient_id}`, { body: { email: "vic@example.com", name: "Vic" } })).status).toBe(200);
  for (const email of [lee.email, "vic@example.com", ann.email, boss.email, sam.email]) {
    const { status, json } = await act(contract, email);
    expect([email, status, json.error]).toEqual([email, 200, undefined]);
  }
  await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
  return contract;
}

async function store({ key, envelope_id, org }: SentContract): Promise<void> {
  const certification = { accepted: true, terms_version: "2026-01" };
  const vaulting = key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-signed`, { body: { certification } });
  await until("the accepted terms", async () => {
    const rows = await service.database.owner("select 1 from certification_acceptances where envelope_id = $1", [envelope_id]);
    return rows.length === 1;
  });
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
  expect((await vaulting).status).toBe(200);
}

let contract: SentContract;
let root: string;
let files: readonly NamedFile[];
let completion: string;
beforeAll(async () => {
  contract = await vaultedContract();
  const { bytes } = await contract.key.send("GET", `/partner/envelopes/${contract.envelope_id}/completion-certificate`);
  completion = await textOf(bytes);
  await store(contract);
  const trust = await fetch(`${service.url}/.well-known/countersign-trust.json`);
  const { root_certificate } = (await trust.json()) as { root_certificate: string };
  root = createHash("sha256")
    .update(new X509Certificate(Buffer.from(root_certificate, "base64")).raw)
    .digest("hex");
  files = unzipBundle((await contract.key.send("GET", `/partner/envelopes/${contract.envelope_id}/vault/evidence`)).bytes);
});

async function textOf(bytes: Uint8Array): Promise<string> {
  const { pages } = await service.features.pdf.inspect(Buffer.from(bytes), {});
  const texts: string[] = [];
  for (let page = 1; page <= pages; page++) texts.push(...(await service.features.pdf.text(Buffer.from(bytes), { page })).blocks);
  return texts.join(" ").replace(/\s+/g, " ");
}

const outcomeOf = async (all: readonly NamedFile[]) => (await verifyBundle(() => all, { root, tsa_roots: null })).outcome;
const factsIn = (all: readonly NamedFile[]): Facts2 =>
  JSON.parse(Buffer.from(all.find(({ name }) => name === "certificates/r1/facts.json")?.bytes ?? []).toString("utf8"));

describe("the evidence of an envelope with approvers, viewers and copies", () => {
  test("verifies offline, and check 4 says that everyone acted on what they saw", async () => {
    expect(await outcomeOf(files)).toBe("VERIFIED");
    const { checks } = rules2.evaluate(factsIn(files));
    expect(checks.find(({ id }) => id === "signatures_complete")).toMatchObject({
      satisfied: true,
      grade: "proven",
      detail: expect.stringMatching(/^2 of 2 required signers signed version .*; 2 approvers approved and 1 viewer confirmed\.$/),
    });
  });

  test("lists the people who do not sign, with step, act and the state that they saw; signers have their step", () => {
    const facts = factsIn(files);
    expect(facts.envelope.signing_order).toBe("steps");
    expect(facts.signers.map(({ email, step, order }) => [email, step, order])).toEqual([
      [ann.email, 2, 1],
      [sam.email, 3, 2],
    ]);
    expect(facts.recipients?.map(({ kind, email, step, status }) => [kind, email, step, status])).toEqual([
      ["approver", lee.email, 1, "approved"],
      ["viewer", "vic@example.com", 1, "confirmed"],
      ["cc", carl.email, 2, "delivered"],
      ["approver", boss.email, 2, "approved"],
    ]);
    for (const { kind, state_sha256, found_state_sha256, sessions } of facts.recipients ?? []) {
      expect(state_sha256).toBe(found_state_sha256);
      expect(sessions.length).toBe(kind === "cc" ? 0 : 1);
    }
  });

  test("is refused when the facts say something else about them than the chain", async () => {
    const links = await service.db.tx(contract.org.org_id, (tx) => readChain(tx, contract.org.org_id, contract.envelope_id));
    const facts = factsIn(files);
    expect(rules2.firstContradiction(facts, links)).toBeNull();
    const recipients = facts.recipients ?? [];
    const [first, second, third, fourth] = recipients;
    if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error("four people");
    const forged: readonly (readonly [string, Facts2["recipients"]])[] = [
      ["one is missing", [first, second, third]],
      ["all are missing", undefined],
      ["another kind", [{ ...first, kind: "cc" }, second, third, fourth]],
      ["another step", [{ ...first, step: 3 }, second, third, fourth]],
      ["another name", [{ ...first, name: "Mallory" }, second, third, fourth]],
      ["another address", [first, { ...second, email: vera.email }, third, fourth]],
      ["another time", [{ ...first, acted_at: "2026-01-01T00:00:00.000Z" }, second, third, fourth]],
      ["another state", [{ ...first, state_sha256: "0".repeat(64), found_state_sha256: "0".repeat(64) }, second, third, fourth]],
      ["no act", [{ ...first, status: "pending", acted_at: null, state_sha256: null }, second, third, fourth]],
      ["no visit", [{ ...first, sessions: [] }, second, third, fourth]],
    ];
    for (const [name, list] of forged) {
      const { recipients: _all, ...rest } = facts;
      const changed = list === undefined ? rest : { ...rest, recipients: list };
      expect([name, rules2.firstContradiction(changed as Facts2, links)]).toEqual([
        name,
        expect.objectContaining({ what: expect.any(String) }),
      ]);
    }
    const moved = { ...facts, signers: facts.signers.map((signer) => ({ ...signer, step: 1 })) };
    expect(rules2.firstContradiction(moved, links)?.what).toContain("the step of");
  });

  test("fails check 4 if an approver did not approve, approved another state, or acted before their step", () => {
    const facts = factsIn(files);
    const detailOf = (change: (one: NonNullable<Facts2["recipients"]>[number]) => object) => {
      const recipients = (facts.recipients ?? []).map((one) => ({ ...one, ...change(one) }));
      return rules2.evaluate({ ...facts, recipients } as Facts2).checks[3]?.detail;
    };
    expect(detailOf(({ email }) => (email === lee.email ? { status: "pending" } : {}))).toBe(`${lee.email} has not approved.`);
    expect(detailOf(({ kind }) => (kind === "viewer" ? { status: "viewed" } : {}))).toContain("has not confirmed");
    expect(detailOf(({ email }) => (email === lee.email ? { found_state_sha256: "0".repeat(64) } : {}))).toContain("another version");
    expect(detailOf(({ email }) => (email === boss.email ? { acted_at: "2026-01-01T00:00:00.000Z" } : {}))).toContain(
      "before it was their turn",
    );
    expect(
      detailOf(({ kind }) => (kind === "cc" ? { status: "pending" } : {})),
      "a copy is judged nowhere",
    ).toContain("signed version");
  });

  test("the compliance certificate names who acted, and prints no part of a link", async () => {
    const printed = await textOf(Buffer.from(files.find(({ name }) => name === "certificates/r1/certificate.pdf")?.bytes ?? []));
    expect(printed).toMatch(/recipient\.approved Lee [0-9a-f]{16}/);
    expect(printed).toMatch(/recipient\.confirmed Vic [0-9a-f]{16}/);
    expect(printed, "of Carl").toContain("May see the result");
    expect(printed).toMatch(/mail\.\w+ the service|envelope\.\w+ the service|document\.sealed the service/);
    const { signers, recipients = [] } = factsIn(files);
    expect([...signers, ...recipients].filter(({ slug }) => slug !== null && printed.replaceAll(" ", "").includes(slug))).toEqual([]);
  });

  test("the completion certificate names each person with what they did", () => {
    for (const sentence of [
      "Other recipients",
      "Lee lee@example.com",
      "Approver",
      "Approved the document",
      "Vic vic@example.com",
      "Confirmed that they have read the document",
      "Gets a copy",
      "An e-mail with access to the document was queued for them",
      "Queued an e-mail with access to the document for carl@example.com",
      "2 of 2 approvers approved.",
      "1 of 1 viewer confirmed that they have read it.",
      "Added Boss as an approver",
      "Gave the place of Vera to Vic",
    ]) {
      expect(completion).toContain(sentence);
    }
    expect(completion).not.toContain("Vera vera@example.com");
  });
});

describe("a row that is changed in the database", () => {
  test.each([
    ["the value of an approver", "update signed_values set value = '9999', value_sealed = null where envelope_id = $1"],
    ["that an approver approved", "update signers set status = 'viewed' where envelope_id = $1 and kind = 'approver' and role is not null"],
    ["when an approver approved", "update signers set acted_at = now() + interval '1 hour' where envelope_id = $1 and role = 'Controller'"],
    ["the kind of a recipient", "update signers set kind = 'cc' where envelope_id = $1 and kind = 'viewer' and removed_at is null"],
    ["the step of a recipient", "update signers set step = 1 where envelope_id = $1 and role = 'Landlord'"],
    ["that a recipient was removed", "update signers set removed_at = now() where envelope_id = $1 and role = 'Landlord'"],
  ])("is noticed: %s", async (_what, statement) => {
    const one = await sentContract(service, people);
    for (const email of [lee.email, vera.email]) expect((await act(one, email)).status).toBe(200);
    await service.database.owner(statement, [one.envelope_id]);
    const opened = await (await one.as(ann.email)).open();
    expect([opened.status, opened.headers["x-error-code"]]).toEqual([409, "record_mismatch"]);
  });
});
