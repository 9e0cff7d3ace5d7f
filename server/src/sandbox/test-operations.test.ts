import { describe, expect, test } from "vitest";
import { newEnvelope, newTemplate } from "../../test/lease.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { testService } from "../../test/service.ts";
import { declaredEndpoints } from "../main.ts";

const service = testService();

const operations = declaredEndpoints().filter(({ testOnly }) => testOnly);

describe("an operation for tests", () => {
  test.each(operations)("does not exist in an organization: $name answers like an unknown path, whatever the key may do", async (one) => {
    const org = await service.newOrg();
    for (const scopes of [undefined, ["customers:read"] as const]) {
      const { send } = await org.newKey(scopes === undefined ? {} : { scopes });
      const path = one.path.replaceAll(/:\w+/g, "x");
      const [answer, unknown] = [await send(one.method, path), await send(one.method, `${path}-x`)];
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
      expect(answer.headers["x-error-code"]).toBe(unknown.headers["x-error-code"]);
    }
  });

  test.each(operations)("needs its scope in a sandbox: $name", async (one) => {
    const sandbox = await newSandbox(service, await service.newOrg());
    const { send } = await sandbox.newKey({ scopes: ["customers:read"] });
    expect((await send(one.method, one.path)).headers["x-error-code"]).toBe("scope_missing");
    expect((await service.send(one.method, one.path)).status).toBe(401);
  });
});

describe("captured e-mails", () => {
  test("are read with their text and the link to sign, by address and envelope, newest first", async () => {
    const sandbox = await newSandbox(service, await service.newOrg("Acme"), "Acme – Test");
    const key = await sandbox.newKey();
    const template_id = await newTemplate(key);
    const send = async () => {
      const envelope_id = await newEnvelope(key, template_id);
      const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, {
        body: { signing_order: "parallel" },
      });
      expect([status, json.error]).toEqual([200, undefined]);
      return envelope_id;
    };
    const [first, second] = [await send(), await send()];
    const asked = async (query: string) => (await key.send("GET", `/test/messages${query}`)).json;
    const all = await asked("");
    expect(all.meta.total).toBe(4);
    expect(all.data.map(({ envelope_id }: { envelope_id: string }) => envelope_id)).toEqual([second, second, first, first]);
    const { data } = await asked(`?to=ANN@example.com&envelope_id=${first}`);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      to: "ann@example.com",
      kind: "signing_invitation",
      envelope_id: first,
      subject: "Acme – Test asks you to sign: Lease",
    });
    const [link] = data[0].links;
    expect(data[0].text).toContain(link);
    expect((await fetch(link.replace(/^https?:\/\/[^/]+/, service.url))).status).toBe(200);
    expect((await asked("?to=nobody@example.com")).data).toEqual([]);
    expect((await key.send("GET", "/test/messages?to=nobody")).status).toBe(422);
  });

  test("of another sandbox of the organization are not among them", async () => {
    const org = await service.newOrg();
    const [one, other] = [await newSandbox(service, org), await newSandbox(service, org)];
    const key = await one.newKey();
    const template_id = await newTemplate(key);
    const sent = await newEnvelope(key, template_id);
    await key.send("POST", `/partner/envelopes/${sent}/send`, { body: {} });
    expect((await key.send("GET", "/test/messages")).json.meta.total).toBe(1);
    const { send } = await other.newKey();
    expect((await send("GET", "/test/messages")).json.meta.total).toBe(0);
    expect((await send("GET", `/test/messages?envelope_id=${sent}`)).json.meta.total).toBe(0);
  });
});
