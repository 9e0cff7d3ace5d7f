import { expect, test } from "vitest";
import { testInAll } from "../../../../testing/all.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { flipBit, vaultedByPipeline } from "../../../test/vaulted.ts";

const service = testService();

async function damaged(org: TestOrg, which: "original" | "certificate" = "original") {
  const envelope_id = await vaultedByPipeline(service, org);
  const at = `/partner/envelopes/${envelope_id}`;
  const [row] = await service.database.owner<{ original: string; certificate: string }>(
    "select c.sha256 as original, k.pdf_sha256 as certificate from authoritative_copies c join certificates k using (envelope_id) where envelope_id = $1",
    [envelope_id],
  );
  await flipBit(service, org, row?.[which] ?? "");
  const state = async () => (await org.admin("GET", `${at}/vault`)).json.data.state;
  return { at, state };
}

test.each(["/vault/copy", "/document", "/vault/evidence"])(
  "nothing is made from a damaged original: GET …%s returns 409 and marks it",
  async (path) => {
    const org = await service.newOrg();
    const { at, state } = await damaged(org);
    expect(await state(), "not verified yet").toBe("active");
    const { status, json } = await org.admin("GET", `${at}${path}`);
    expect([status, json.error, await state()]).toEqual([409, "The authoritative copy is tampered, which does not allow this", "tampered"]);
  },
);

test("it cannot be exported, and an evaluation marks it and reports the damage", async () => {
  const org = await service.newOrg();
  const leaving = await damaged(org);
  const body = { recipient: { name: "Bank", email: "vault@example.com" }, reason: "Sold" };
  expect((await org.admin("POST", `${leaving.at}/vault-out`, { body })).status).toBe(409);
  expect(await leaving.state()).toBe("tampered");
  const judged = await damaged(org);
  const { json } = await org.admin("POST", `${judged.at}/compliance`, { body: {} });
  expect(json.data.missing_requirements).toContainEqual(expect.stringContaining("marked as tampered"));
  expect(await judged.state()).toBe("tampered");
});

test("a damaged certificate is not handed out either", async () => {
  const org = await service.newOrg();
  const { at, state } = await damaged(org, "certificate");
  expect([(await org.admin("GET", `${at}/vault/certificate`)).status, await state()]).toEqual([409, "tampered"]);
});

testInAll("concurrent evaluations each return one that was made after its request", async () => {
  const org = await service.newOrg();
  const at = `/partner/envelopes/${await vaultedByPipeline(service, org)}`;
  const asked_at = new Date().toISOString();
  const answers = await Promise.all(Array.from({ length: 6 }, () => org.admin("POST", `${at}/compliance`, { body: {} })));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  for (const { json } of answers) expect(json.data.evaluated_at >= asked_at).toBe(true);
});
