import { beforeAll, describe, expect, test } from "vitest";
import { jobsDone } from "../../../test/jobs.ts";
import { logInWithCode, peopleService } from "../../../test/people.ts";
import type { TestKey, TestOrg } from "../../../test/service.ts";
import { headerOf } from "../../../test/smtp.ts";
import { vaultedCopy } from "../../../test/vaulted.ts";
import { newId } from "../../shared/ids.ts";

const TOKEN = "a-token-of-the-tests-4b1d9c2e7f4b1d9c2e7f";
const { service, peer } = await peopleService({ MAIL_EVENTS_TOKEN: TOKEN });

let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg("Acme Leasing");
  key = await org.newKey();
});

const newAddress = () => `${newId("person")}@bank.example`;

/** An act that asks a party with these people. */
async function asked(...emails: string[]): Promise<string> {
  const people = emails.map((email) => ({ email, name: "Ann", rights: "approve" }));
  const party = await key.send("POST", "/partner/parties", { body: { kind: "people", name: "First Example Bank", people } });
  const { envelope_id } = await vaultedCopy(service, org);
  const body = { kind: "designate", reason: "x", present_version: 1, party_id: party.json.data.party_id };
  const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
  expect([status, json.data.needs[0].unreachable]).toEqual([201, []]);
  await jobsDone(service);
  return json.data.act_id;
}

const read = async (act_id: string) => (await key.send("GET", `/partner/acts/${act_id}`)).json.data;
const mailsToAdmins = (act_id: string) =>
  peer.messages.filter(({ to, text }) => to.includes(org.email) && text?.includes(act_id)).map(({ text }) => text);
const messageTo = (address: string, act_id: string): string => {
  const got = peer.messages.find(({ to, text }) => to.includes(address) && text?.includes(act_id)) ?? expect.fail("nothing came");
  return /^<(msg_\w+)@/.exec(headerOf(got, "message-id") ?? "")?.[1] ?? "";
};
const report = (message_id: string, event = "bounced") =>
  service.send("POST", "//mail-events", {
    headers: { authorization: `Bearer ${TOKEN}` },
    body: { message_id, event, at: "2026-05-01T12:00:00.000Z" },
  });

describe("a request that does not reach a party", () => {
  test("because its mail server refuses the address is on the act, and the admins are told once", async () => {
    const [good, bad] = [newAddress(), newAddress()];
    peer.refuse(bad);
    const before = new Date().toISOString();
    const act_id = await asked(good, bad);
    const act = await read(act_id);
    expect([act.state, act.needs[0].unreachable]).toEqual(["proposed", [bad]]);
    expect(mailsToAdmins(act_id)).toHaveLength(1);
    expect(mailsToAdmins(act_id)[0]).toContain(`The e-mail to ${bad} that asks First Example Bank to decide came back or was refused`);
    const changed = (await key.send("GET", `/partner/acts?updated_since=${before}`)).json.data;
    expect(changed.map((one: { act_id: string }) => one.act_id)).toContain(act_id);
    const send = await logInWithCode(service, peer, good);
    const seen = (await send("GET", `acts/${act_id}`)).json.data.act;
    expect(seen.needs[0].unreachable, "other people of the party do not see it").toEqual([]);
  });

  test("because it bounces later is on the act, and reports that come again change nothing", async () => {
    const email = newAddress();
    const act_id = await asked(email);
    const message_id = messageTo(email, act_id);
    expect((await report(message_id, "delivered")).status).toBe(202);
    expect((await read(act_id)).needs[0].unreachable).toEqual([]);
    for (const _time of [1, 2]) expect((await report(message_id)).status).toBe(202);
    await jobsDone(service);
    expect((await read(act_id)).needs[0].unreachable).toEqual([email]);
    expect(mailsToAdmins(act_id)).toHaveLength(1);
  });

  test("tells no one about an act that is closed", async () => {
    const email = newAddress();
    const act_id = await asked(email);
    await key.send("POST", `/partner/acts/${act_id}/cancel`);
    expect((await report(messageTo(email, act_id))).status).toBe(202);
    await jobsDone(service);
    expect(mailsToAdmins(act_id)).toEqual([]);
  });
});
