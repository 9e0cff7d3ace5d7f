import { expect, test } from "vitest";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { PASSWORD, testService } from "../../test/service.ts";

const service = testService();
testJobs(service);

// With Unicode case folding, U+0130 becomes i (and a dot), and U+212A (the Kelvin sign) becomes k.
const lookAlikes = (email: string) => [email.replace("i", "\u0130"), email.replace("k", "\u212a")].filter((other) => other !== email);

async function personWithKnownAddress(): Promise<string> {
  const org = await service.newOrg();
  const email = `nikita.${org.user_id}@example.com`;
  await service.database.owner("update users set email = $1 where user_id = $2", [email, org.user_id]);
  return email;
}

test("a look-alike address has no account, so it gets no reset mail", async () => {
  const email = await personWithKnownAddress();
  for (const other of lookAlikes(email))
    expect((await service.send("POST", "/auth/password-reset", { body: { email: other } })).status).toBe(202);
  await jobsDone(service);
  expect(await service.database.owner("select to_address from mail_messages where kind = 'password_reset'")).toEqual([]);
});

test("a reset mail goes to the stored address, however the request spelled it", async () => {
  const email = await personWithKnownAddress();
  await service.send("POST", "/auth/password-reset", { body: { email: email.toUpperCase() } });
  await jobsDone(service);
  expect(await service.database.owner("select to_address from mail_messages where kind = 'password_reset'")).toEqual([
    { to_address: email },
  ]);
});

test("a look-alike address does not log in, and gives no extra attempts for the same person", async () => {
  const email = await personWithKnownAddress();
  for (const other of lookAlikes(email)) {
    expect((await service.send("POST", "/auth/login", { body: { email: other, password: PASSWORD } })).status).toBe(401);
  }
});
