import { beforeAll, describe, expect, test } from "vitest";
import { chainOf } from "../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { ann, carl, lee, sam, sentContract, vera } from "../../test/recipients.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import type { EnvelopeId } from "../shared/ids.ts";

const service = testService();
let sandbox: TestOrg;
let key: TestKey;
let template_id: string;
beforeAll(async () => {
  sandbox = await newSandbox(service, await service.newOrg());
  key = await sandbox.newKey();
  template_id = await newTemplate(key);
});

async function sentLease(): Promise<EnvelopeId> {
  const envelope_id = await newEnvelope(key, template_id);
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
  expect(sent.status).toBe(200);
  return envelope_id as EnvelopeId;
}

const decline = (envelope_id: EnvelopeId, body: object, by = key) => by.send("POST", `/test/envelopes/${envelope_id}/decline`, { body });

describe("declining by a test operation", () => {
  test("ends the envelope for everyone, with the reason, and the entries say who did it", async () => {
    const envelope_id = await sentLease();
    const { status, json } = await decline(envelope_id, { email: "SAM@example.com", reason: "The rent is too high" });
    expect([status, json.error]).toEqual([200, undefined]);
    expect(json.data).toEqual((await key.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data);
    expect(json.data.status).toBe("declined");
    const entries = (await chainOf(service, sandbox.org_id, envelope_id)).slice(-2);
    expect(entries.map(({ type, actor, data }) => [type, actor.kind, data.by])).toEqual([
      ["signer.opened", "signer", "test_operation"],
      ["envelope.declined", "signer", "test_operation"],
    ]);
    expect(entries.at(-1)?.data.reason).toBe("The rent is too high");
    const mails = (await key.send("GET", `/test/messages?envelope_id=${envelope_id}&to=ann@example.com`)).json.data;
    expect(mails.map(({ kind }: { kind: string }) => kind)).toContain("signing_declined");
  });

  test("is for an approver with a reason, and not for people who cannot decline", async () => {
    const recipients = [lee, { ...ann }, { ...sam }, vera, carl];
    const contract = await sentContract(service, recipients, {}, undefined, sandbox);
    const at = contract.envelope_id;
    const without = await decline(at, { email: lee.email }, contract.key);
    expect([without.status, without.json.details[0]]).toMatchObject([422, { field: "reason", code: "required" }]);
    expect((await decline(at, { email: vera.email }, contract.key)).headers["x-error-code"]).toBe("not_your_task");
    expect((await decline(at, { email: carl.email }, contract.key)).headers["x-error-code"]).toBe("read_only");
    const unknown = await decline(at, { email: "nobody@example.com" }, contract.key);
    expect([unknown.status, unknown.json.details[0]]).toMatchObject([422, { field: "email", code: "not_found" }]);
    expect(await contract.status(), "nothing has happened").toBe("sent");
    expect((await decline(at, { email: lee.email, reason: "Over budget" }, contract.key)).json.data.status).toBe("declined");
  });

  test("is 409 for an envelope that has ended, and 404 for one of another sandbox", async () => {
    const envelope_id = await sentLease();
    const body = { email: tenant.email };
    expect((await decline(envelope_id, body)).status).toBe(200);
    expect((await decline(envelope_id, body)).headers["x-error-code"]).toBe("envelope_wrong_status");
    const other = await (await newSandbox(service, await service.newOrg())).newKey();
    expect((await decline(envelope_id, body, other)).headers["x-error-code"]).toBe("envelope_not_found");
    expect((await decline(envelope_id, { reason: "x" })).status).toBe(422);
  });
});
