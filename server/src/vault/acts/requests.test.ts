import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { ask, logInWithCode, mailedCode } from "../../../test/people.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { startSmtpPeer } from "../../../test/smtp.ts";
import { vaultedEnvelope } from "../../../test/vaulted.ts";

/** What those who are asked read about an act: in words, whose it is, and for which party they decide. */

const inbox = await startSmtpPeer();
afterAll(() => inbox.stop());
const service = testService({ SMTP_URL: inbox.url });
testJobs(service);

let org: TestOrg;
let bank: TestOrg;
let act_id: string;
let parties: { people: string; org: string };
const summary = "Assign the record “Contract” to First Example Bank";

beforeAll(async () => {
  org = await service.newOrg("Example Company");
  bank = await service.newOrg("Second Example Bank");
  const create = async (body: object) => (await org.admin("POST", "/partner/parties", { body })).json.data.party_id as string;
  const person = (email: string, rights: string) => ({ email, name: "Ann Example", rights });
  const people = [person("ann@first.example", "approve"), person("vic@first.example", "view")];
  parties = {
    people: await create({ kind: "people", name: "First Example Bank", people }),
    org: await create({ kind: "org", name: "Second Example Bank", org_id: bank.org_id }),
  };
  const { envelope_id } = await vaultedEnvelope(service, org);
  const at = `/partner/envelopes/${envelope_id}`;
  const propose = async (kind: string, party_id: string) => {
    const present_version = (await org.admin("GET", `${at}/vault`)).json.data.control_version;
    const { status, json } = await org.admin("POST", `${at}/acts`, { body: { kind, reason: "Sale", present_version, party_id } });
    expect([status, json.error]).toEqual([201, undefined]);
    return json.data;
  };
  ({ act_id } = await propose("assign", parties.people));
  await propose("assign", parties.org);
});

describe("an act", () => {
  test("names its organization to a person of a party, and the parties for which they decide", async () => {
    const send = await logInWithCode(service, inbox, "ann@first.example");
    const [request, ...more] = (await send("GET", "requests")).json.data;
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      summary,
      parties: [{ party_id: parties.people, name: "First Example Bank" }],
      act: { act_id, summary, org_name: "Example Company", state: "proposed" },
    });
    expect((await send("GET", `acts/${act_id}`)).json.data).toEqual(request);
  });

  test("has a code of which a person learns whether its e-mail has left; of a code for log-in no one does", async () => {
    const send = await logInWithCode(service, inbox, "ann@first.example");
    const state = async (query = `?act_id=${act_id}`) => (await send("GET", `code${query}`)).json;
    expect(await state()).toEqual({ data: { state: null } });
    inbox.fail("451 at RCPT");
    await ask(service, "POST", "code", { email: "ann@first.example", act_id });
    await jobsDone(service);
    expect(await state()).toEqual({ data: { state: "queued" } });
    await mailedCode(service, inbox, "ann@first.example", act_id);
    expect(await state()).toEqual({ data: { state: "sent" } });
    expect(await state("?act_id=act_unknown")).toEqual({ data: { state: null } });
    expect((await send("GET", "code")).status).toBe(422);
    expect((await ask(service, "GET", `code?act_id=${act_id}`)).status).toBe(401);
    const viewer = await logInWithCode(service, inbox, "vic@first.example");
    expect((await viewer("GET", `code?act_id=${act_id}`)).json).toEqual({ data: { state: null } });
  });

  test("is 404 for a person who only sees records", async () => {
    const send = await logInWithCode(service, inbox, "vic@first.example");
    expect((await send("GET", "requests")).json.data).toEqual([]);
    expect((await send("GET", `acts/${act_id}`)).status).toBe(404);
  });

  test("names its organization to another organization that it asks, also in the answer to its decision", async () => {
    const [request] = (await bank.admin("GET", "/partner/act-requests")).json.data;
    expect(request).toMatchObject({ summary: "Assign the record “Contract” to Second Example Bank", org_name: "Example Company" });
    const read = await bank.admin("GET", `/partner/acts/${request.act_id}`);
    expect(read.json.data).toEqual(request);
    const body = { decision: "confirm", sha256: request.sha256 };
    // Programs that send a key with every request can decide too.
    const headers = { "idempotency-key": "decision-1" };
    const decided = await bank.admin("POST", `/partner/acts/${request.act_id}/decision`, { body, headers });
    expect(decided.json.data).toMatchObject({ state: "effective", org_name: "Example Company" });
  });

  test("has no name of an organization for its own members", async () => {
    const { data } = (await org.admin("GET", "/partner/acts")).json;
    expect(data.map(({ org_name }: { org_name: string | null }) => org_name)).toEqual([null, null]);
    expect((await org.admin("GET", `/partner/acts/${act_id}`)).json.data).toMatchObject({ summary, org_name: null });
  });
});
