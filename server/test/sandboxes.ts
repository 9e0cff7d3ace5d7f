import { expect } from "vitest";
import type { OrgId } from "../src/shared/ids.ts";
import { type Scope, scopes } from "../src/shared/scopes.ts";
import { client } from "./client.ts";
import { PASSWORD, type TestOrg, type TestService } from "./service.ts";

/** A session of the person, with the token that switches it. */
export async function signedIn(service: TestService, email: string): Promise<{ readonly token: string; readonly refresh_token: string }> {
  await service.database.owner("delete from quotas where subject like 'login:%'");
  return (await service.send("POST", "/auth/login", { body: { email, password: PASSWORD, mode: "token" } })).json.data;
}

/** Creates a sandbox and switches its admin's session to it, as a person does it. */
export async function newSandbox(service: TestService, org: TestOrg, name = "Test"): Promise<TestOrg> {
  const made = await org.admin("POST", "/org/sandboxes", { body: { name } });
  expect(made.status).toBe(201);
  const org_id = made.json.data.org_id as OrgId;
  const { refresh_token } = await signedIn(service, org.email);
  const { json } = await service.send("POST", "/auth/refresh", { body: { refresh_token, org_id } });
  const token = json.data.token as string;
  const admin = client(service.url, { authorization: `Bearer ${token}` });
  const newKey = async (values: { scopes?: readonly Scope[]; rate_limit_rpm?: number } = {}) => {
    const body = { partner_name: "Partner", scopes, rate_limit_rpm: 1000, ...values };
    const { key_id, api_key } = (await admin("POST", "/partners/keys", { body })).json.data;
    return { key_id, api_key, send: client(service.url, { "x-api-key": api_key }) };
  };
  return { ...org, org_id, token, admin, newKey };
}
