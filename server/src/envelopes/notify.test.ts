import { expect, test } from "vitest";
import { linkTokenFor, page } from "../../test/envelopes.ts";
import { envelopeBody, landlord, newTemplate, tenant } from "../../test/lease.ts";
import { testService } from "../../test/service.ts";
import type { Tx } from "../db/sql.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import type { Slug } from "../shared/slugs.ts";
import { listSigners } from "../signing/store.ts";
import { remind } from "./notify.ts";
import { findEnvelope } from "./store.ts";

const service = testService();

const agent = { email: "agent@example.com", name: "Agent", role: "Agent" };

interface SentSigner {
  readonly slug: Slug;
}

/** Sent to three people, one of whom declines. */
async function sentToThree(signing_order: "sequential" | "parallel") {
  const org = await service.newOrg();
  const key = await org.newKey();
  const template_id = await newTemplate(key);
  const { envelope_id } = (await key.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id }) })).json.data;
  const field = { name: "Agent signature", type: "signature", role: agent.role };
  const placement = { mode: "absolute", areas: [{ page: 1, x: 0.5, y: 0.1, w: 0.3, h: 0.05 }] };
  await key.send("POST", `/partner/envelopes/${envelope_id}/fields`, { body: { fields: [{ ...field, placement }] } });
  const body = { signers: [tenant, landlord, agent], signing_order };
  const signers: SentSigner[] = (await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body })).json.data.signers;
  const pages = await Promise.all(signers.map(async ({ slug }) => page(service, await linkTokenFor(service, slug))));
  const decline = async (turn: number): Promise<number> => {
    const send = pages[turn] ?? expect.fail("no such signer");
    return (await send("POST", `/embed/sign/${envelope_id}/decline`, { body: { reason: "Ann says the roof leaks" } })).status;
  };
  const news = async () =>
    (
      await service.database.owner<{ to_address: string }>(
        "select to_address from mail_messages where org_id = $1 and kind = 'signing_declined' order by to_address",
        [org.org_id],
      )
    ).map(({ to_address }) => to_address);
  return { org, envelope_id, signers, decline, news };
}

test("a decline is reported to the other signers who were invited, once each, and to no one else", async () => {
  const { decline, news } = await sentToThree("parallel");
  expect(await decline(0)).toBe(200);
  expect(await news()).toEqual([agent.email, landlord.email]);
  expect(await decline(1), "one decline was enough").toBe(409);
  expect(await news()).toHaveLength(2);
});

test("a decline is reported to those who have signed, but not to signers whose turn had not come", async () => {
  const { org, envelope_id, signers, decline, news } = await sentToThree("sequential");
  await service.database.owner("update signers set status = 'signed', signed_at = now() where slug = $1", [signers[0]?.slug]);
  await service.database.owner("update signers set invited_at = now() where slug = $1", [signers[1]?.slug]);
  expect(await decline(1)).toBe(200);
  expect(await news()).toEqual([tenant.email]);
  const waiting = await service.database.owner("select from mail_messages where org_id = $1 and to_address = $2", [
    org.org_id,
    agent.email,
  ]);
  expect(waiting, `the agent was never told about ${envelope_id}`).toEqual([]);
});

test("the message about a decline names neither the signer who declined nor the reason", async () => {
  const { org, decline } = await sentToThree("parallel");
  await decline(0);
  const { json } = await org.admin("GET", "/org/outbox?limit=200");
  const [message_id] = json.data
    .filter((one: { kind: string }) => one.kind === "signing_declined")
    .map((one: { message_id: string }) => one.message_id);
  const { text } = (await org.admin("GET", `/org/outbox/${message_id}`)).json.data;
  expect(text).toContain("has declined a document that");
  expect(text).not.toMatch(/Ann|roof|ann@/);
});

test("the organization's name is read once for all signers", async () => {
  const { org, envelope_id } = await sentToThree("parallel");
  const statements: string[] = [];
  await service.db.tx(org.org_id, async (tx) => {
    const envelope = await findEnvelope(tx, org.org_id, envelope_id as EnvelopeId);
    const signers = await listSigners(tx, org.org_id, envelope.envelope_id);
    const query: Tx["query"] = (statement) => {
      statements.push(statement.text);
      return tx.query(statement);
    };
    await remind(service.features.envelopes, { ...tx, query }, org.org_id, envelope, signers);
  });
  expect(statements.filter((text) => text.includes("from orgs"))).toHaveLength(1);
  expect(statements.filter((text) => text.includes("insert into mail_messages"))).toHaveLength(3);
});
