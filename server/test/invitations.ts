import { expect } from "vitest";
import { type Answer, client, type Send } from "./client.ts";
import { PASSWORD, type TestOrg, type TestService } from "./service.ts";

let people = 0;

/** A new, unused address. */
export const newEmail = (): string => `person${++people}@example.com`;

/** The response's data and the token of its link. */
export async function invite(org: TestOrg, email: string, role = "member"): Promise<Answer["json"]> {
  const { status, json } = await org.admin("POST", "/org/invitations", { body: { email, role } });
  expect(status).toBe(201);
  return { ...json.data, token: json.data.accept_url.split("#token=")[1] };
}

export async function accept(service: TestService, token: string, values: object = {}): Promise<Answer> {
  await service.database.owner("delete from quotas where subject like 'login:%'");
  const body = { token, name: "Ben", password: PASSWORD, mode: "token", ...values };
  return service.send("POST", "/auth/invitations/accept", { body });
}

export const preview = (service: TestService, token: string): Promise<Answer> =>
  service.send("POST", "/auth/invitations/preview", { body: { token } });

export const revoke = (org: TestOrg, invitation_id: string): Promise<Answer> => org.admin("DELETE", `/org/invitations/${invitation_id}`);

export async function membersOf(org: TestOrg): Promise<[email: string, role: string][]> {
  const { json } = await org.admin("GET", "/org/members");
  return json.data.map(({ email, role }: Record<string, string>) => [email, role]);
}

/** A client with the session of a new member. */
export async function memberOf(service: TestService, org: TestOrg, role: string): Promise<Send> {
  const { token } = await invite(org, newEmail(), role);
  const { json } = await accept(service, token);
  return client(service.url, { authorization: `Bearer ${json.data.token}` });
}

/** A person with an account joins another org from a session. Returns the token of a session there. */
export async function joinInSession(service: TestService, org: TestOrg, person: { email: string; token: string }, role = "member") {
  const { token } = await invite(org, person.email, role);
  const headers = { authorization: `Bearer ${person.token}` };
  const joined = await service.send("POST", "/auth/invitations/accept", { body: { token }, headers });
  expect(joined.status).toBe(200);
  await service.database.owner("delete from quotas where subject like 'login:%'");
  const body = { email: person.email, password: PASSWORD, org_id: org.org_id, mode: "token" };
  const { json } = await service.send("POST", "/auth/login", { body });
  return client(service.url, { authorization: `Bearer ${json.data.token}` });
}
