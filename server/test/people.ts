import { afterAll, beforeEach, expect } from "vitest";
import { type SoftwarePasskey, softwarePasskey, type Told } from "../../testing/software-authenticator.ts";
import { handleOf } from "../src/proofs/passkeys.ts";
import { newId, type PersonId } from "../src/shared/ids.ts";
import { ensurePerson } from "../src/vault/people/ensure-person.ts";
import { startSession } from "../src/vault/people/start-session.ts";
import { type Answer, client, type Send } from "./client.ts";
import { jobsDone, testJobs } from "./jobs.ts";
import { type TestService, testService } from "./service.ts";
import { type SmtpPeer, startSmtpPeer } from "./smtp.ts";

/** A service with a mail server and a worker, for people who log in with mailed codes. */
export async function peopleService(settings: Readonly<Record<string, string>> = {}): Promise<{ service: TestService; peer: SmtpPeer }> {
  const peer = await startSmtpPeer();
  const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com", ...settings });
  testJobs(service);
  afterAll(() => peer.stop());
  // All requests come from one IP address, whose quotas are meant for many people.
  beforeEach(async () => {
    await service.database.owner("delete from quotas where subject ~ '^(refused|login|person-(code|log-in|options|passkey)):'");
  });
  return { service, peer };
}

/** People who act for parties, as they use the service. It needs a mail server and a worker (`testJobs`). */
export interface TestPerson {
  readonly person_id: PersonId;
  readonly email: string;
}

export async function newPerson(service: TestService, email = `${newId("person")}@bank.example`): Promise<TestPerson> {
  return { person_id: await service.db.system((tx) => ensurePerson(tx, email)), email };
}

/** The session of a new person, for tests that need no log-in. Paths are those of endpoints. */
export async function newPersonSession(service: TestService): Promise<Send> {
  const { person_id } = await newPerson(service);
  const { token } = await service.db.system((tx) => startSession(tx, person_id, null));
  return client(service.url, { authorization: `Bearer ${token}` });
}

/** A call of people's pages: `ask(service, "POST", "code", …)`. */
export const ask = (service: TestService, method: string, path: string, body?: object): Promise<Answer> =>
  service.send(method, `/p/api/${path}`, body === undefined ? {} : { body });

/** The code in the latest message with one to this address, after all jobs ran; null if there is none. */
export async function codeTo(service: TestService, peer: SmtpPeer, email: string): Promise<string | null> {
  await jobsDone(service);
  // Other messages to the same address may arrive after it.
  const codes = peer.messages.filter(({ to }) => to.includes(email)).flatMap(({ text }) => /^(\d{8})$/m.exec(text ?? "")?.[1] ?? []);
  return codes.at(-1) ?? null;
}

/** Requests a code and reads it from the mail. */
export async function mailedCode(service: TestService, peer: SmtpPeer, email: string, act_id?: string): Promise<string> {
  const { status, json } = await ask(service, "POST", "code", { email, ...(act_id !== undefined && { act_id }) });
  expect([status, json]).toEqual([202, { data: { done: true } }]);
  return (await codeTo(service, peer, email)) ?? expect.fail(`no code was mailed to ${email}`);
}

export const withToken = (service: TestService, token: string): Send => {
  const send = client(service.url, { authorization: `Bearer ${token}` });
  return (method, path, request) => send(method, `/p/api/${path}`, request);
};

/** A session that began with a code. */
export async function logInWithCode(service: TestService, peer: SmtpPeer, email: string): Promise<Send> {
  const { status, json } = await ask(service, "POST", "session", { email, code: await mailedCode(service, peer, email) });
  expect(status).toBe(200);
  return withToken(service, json.data.token);
}

/** What the browser at PUBLIC_URL tells a passkey. */
export const told = (service: TestService, challenge: string, changes: Partial<Told> = {}): Told => ({
  challenge,
  ...service.features.people.site,
  ...changes,
});

/** Adds a passkey in the given session. */
export async function addPasskey(service: TestService, send: Send, passkey: SoftwarePasskey = softwarePasskey()): Promise<SoftwarePasskey> {
  const options = await send("POST", "passkeys", { body: {} });
  const credential = passkey.register(told(service, options.json.data.challenge));
  const { status } = await send("POST", "passkeys/verify", { body: { credential, name: "Key of a test" } });
  expect([options.status, status]).toEqual([200, 201]);
  return passkey;
}

/** The answer to a log-in with the passkey. */
export async function tryPasskey(
  service: TestService,
  passkey: SoftwarePasskey,
  changes: Partial<Told> & { readonly person_id?: PersonId } = {},
): Promise<Answer> {
  const { json } = await ask(service, "POST", "session/passkey-options", {});
  const { person_id, ...rest } = changes;
  const handle = person_id === undefined ? {} : { user_handle: handleOf(person_id) };
  const credential = passkey.approve(told(service, json.data.challenge, { ...handle, ...rest }));
  return ask(service, "POST", "session/passkey", { credential });
}

/** A session that began with the passkey. */
export async function logInWithPasskey(service: TestService, passkey: SoftwarePasskey): Promise<Send> {
  const { status, json } = await tryPasskey(service, passkey);
  expect(status).toBe(200);
  return withToken(service, json.data.token);
}
