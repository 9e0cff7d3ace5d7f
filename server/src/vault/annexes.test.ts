import { rules2 } from "@countersign/evidence";
import { expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import type { Send } from "../../test/client.ts";
import { chainOf } from "../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { keyOfAnother, vaultedByPipeline } from "../../test/vaulted.ts";
import { currentText } from "../texts/current-texts.ts";

const service = testService();
testJobs(service);

interface Clause {
  readonly clause: string;
  readonly fact: string;
  readonly grade: string;
  readonly entries: readonly number[];
}

const annexesOf = async (org: TestOrg, envelope_id: string) =>
  (await org.admin("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data.annexes as { id: string; clauses: Clause[] }[];

/** Proposes an act, which another person or organization confirms. */
async function took(propose: Send, decide: Send, envelope_id: string, act: object) {
  const { control_version } = (await propose("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
  const body = { reason: "Sale of the loan", present_version: control_version, ...act };
  const { act_id, sha256 } = (await propose("POST", `/partner/envelopes/${envelope_id}/acts`, { body })).json.data;
  const decided = await decide("POST", `/partner/acts/${act_id}/decision`, { body: { decision: "confirm", sha256 } });
  expect([decided.status, decided.json.data?.state]).toEqual([200, "effective"]);
  return act_id as string;
}

test("chattel paper has facts by clause in the response, the certificate and the bundle, with the custodian's statement once it is made", {
  timeout: 60_000,
}, async () => {
  const org = await service.newOrg("Acme Leasing");
  const other = await keyOfAnother(service, org);
  const secured_party = { name: "First Example Bank" };
  const envelope_id = await vaultedByPipeline(service, org, { record_type: "chattel_paper", secured_party });
  const find = async (wanted: string) => {
    const clauses = (await annexesOf(org, envelope_id)).flatMap((annex) => annex.clauses);
    return clauses.find(({ clause }) => clause === wanted) ?? expect.fail(wanted);
  };
  expect((await annexesOf(org, envelope_id)).map(({ id }) => id)).toEqual(["ucc_9_105_b", "ucc_9_105_2022"]);
  expect(await find("9-105(b)(2)")).toMatchObject({ grade: "attested", fact: expect.stringContaining("names First Example Bank") });
  expect((await find("9-105(g)(1)")).grade).toBe("not_shown");

  const act_id = await took(other.send, org.admin, envelope_id, { kind: "acknowledge_control", user_id: org.user_id });
  await jobsDone(service);
  const stated = await find("9-105(g)(1)");
  expect(stated).toMatchObject({ grade: "attested", fact: expect.stringContaining(`stated in ${act_id} that they hold the record`) });

  const zip = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  const files = unzipBundle(zip.bytes);
  const { outcome, steps } = await verifyBundle(() => files, { root: null, tsa_roots: null });
  expect([outcome, steps.filter(({ passed }) => !passed)]).toEqual(["CONSISTENT, SIGNER NOT PINNED", []]);
  const read = (name: string) => JSON.parse(Buffer.from(files.find((file) => file.name === name)?.bytes ?? []).toString());
  const { annexes } = read("certificates/r2/compliance.json");
  expect(annexes).toEqual(await annexesOf(org, envelope_id));
  expect(annexes).toEqual(rules2.evaluate(read("certificates/r2/facts.json")).annexes);
});

test("a transferable record whose maker agreed shows it, with the text in the bundle; without makers it has a warning", {
  timeout: 60_000,
}, async () => {
  const org = await service.newOrg();
  const envelope_id = await vaultedByPipeline(service, org, { record_type: "transferable_record", maker_roles: ["Buyer"] });
  const { warnings } = (await org.admin("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data;
  expect(warnings.map(({ code }: { code: string }) => code)).not.toContain("transferable_record_not_agreed");
  const entry = (await chainOf(service, org.org_id, envelope_id)).findIndex(({ type }) => type === "agreement.accepted") + 1;
  const [usc, ueta] = await annexesOf(org, envelope_id);
  expect([usc?.clauses[0]?.clause, ueta?.clauses[0]?.clause]).toEqual(["7021(a)(1)(B)", "16(a)(2)"]);
  const { sha256 } = currentText(service.features.texts, "agreement");
  const fact = expect.stringMatching(
    new RegExp(`^Ann \\(Buyer\\) accepted at .*, before signing, a published text with SHA-256 ${sha256}, `),
  );
  expect(usc?.clauses[0]).toMatchObject({ grade: "attested", entries: [entry], fact });
  const zip = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  const files = unzipBundle(zip.bytes);
  const names = files.map(({ name }) => name);
  expect(names).toContain("texts/agreement-2026-01.en.md");
  const outcomeOf = async (all: typeof files) => (await verifyBundle(() => all, { root: null, tsa_roots: null })).outcome;
  expect(await outcomeOf(files)).toBe("CONSISTENT, SIGNER NOT PINNED");
  expect(await outcomeOf(files.filter(({ name }) => !name.startsWith("texts/agreement")))).toBe("FAILED");

  const body = { envelope_name: "Note", customer_email: "ann@example.com", customer_name: "Ann", record_type: "transferable_record" };
  const { envelope_id: other } = (await org.admin("POST", "/partner/envelopes", { body })).json.data;
  expect((await org.admin("GET", `/partner/envelopes/${other}/compliance`)).json.data.warnings).toContainEqual({
    code: "transferable_record_not_agreed",
    message: "No agreement of a maker that the document is a transferable record is recorded.",
  });
});

test("a record of no declared type has no annexes", async () => {
  const org = await service.newOrg();
  const body = { envelope_name: "Contract", customer_email: "ann@example.com", customer_name: "Ann" };
  const { envelope_id } = (await org.admin("POST", "/partner/envelopes", { body })).json.data;
  expect(await annexesOf(org, envelope_id)).toEqual([]);
});
