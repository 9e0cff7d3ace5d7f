import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { startKmsPeer } from "../../test/kms-peer.ts";
import { newId } from "../shared/ids.ts";
import { deriveKeys } from "../shared/secrets.ts";
import { awsKms } from "./kms/aws.ts";
import { fileKms } from "./kms/file.ts";
import { localKms } from "./kms/local.ts";
import { CannotUnwrap, type Kms, KmsUnavailable } from "./kms.ts";

const peer = await startKmsPeer();
afterAll(() => peer.close());
const hasty = { attempts: 3, pauseMs: 1, answerMs: 5_000 };
const secret = () => randomBytes(32).toString("hex");
const context = { org: newId("org"), key_no: 1 };
const key = randomBytes(32);

const services: [string, () => Kms][] = [
  ["local", () => localKms(deriveKeys([{ version: 1, secret: secret() }]).wrap)],
  ["file", () => fileKms(secret())],
  ["aws", () => awsKms(peer.settings, hasty)],
];

describe.each(services)("the key service %s", (_name, open) => {
  const kms = open();

  test("unwraps what it wrapped, and the wrapped key does not contain the key", async () => {
    const wrapped = await kms.wrap(key, context);
    expect(wrapped.includes(key) || wrapped.includes(key.toString("hex"))).toBe(false);
    expect((await kms.unwrap(wrapped, context)).equals(key)).toBe(true);
    expect((await kms.wrap(key, context)).equals(wrapped)).toBe(false);
  });

  test("refuses a wrapped key that was changed, or that belongs to another org or number", async () => {
    const wrapped = await kms.wrap(key, context);
    const changed = Buffer.from(wrapped);
    changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1);
    await expect(kms.unwrap(changed, context)).rejects.toBeInstanceOf(CannotUnwrap);
    await expect(kms.unwrap(wrapped, { ...context, org: newId("org") })).rejects.toBeInstanceOf(CannotUnwrap);
    await expect(kms.unwrap(wrapped, { ...context, key_no: 2 })).rejects.toBeInstanceOf(CannotUnwrap);
  });
});

test("with another secret in the file, nothing that was wrapped before can be unwrapped", async () => {
  const [one, two] = [fileKms(secret()), fileKms(secret())];
  expect(one.id).toMatch(/^file:[0-9a-f]{16}$/);
  expect(one.id).not.toBe(two.id);
  await expect(two.unwrap(await one.wrap(key, context), context)).rejects.toBeInstanceOf(CannotUnwrap);
});

describe("AWS KMS", () => {
  const kms = awsKms(peer.settings, hasty);

  test("gets ids alone as encryption context", async () => {
    peer.requests.splice(0);
    await kms.unwrap(await kms.wrap(key, context), context);
    const sent = { org_id: context.org, key_no: "1" };
    expect(peer.requests).toEqual([
      { operation: "Encrypt", context: sent },
      { operation: "Decrypt", context: sent },
    ]);
  });

  test.each(["throttled", "500", "drop", "page"] as const)(
    "is asked again after a temporary failure (%s), three times in total",
    async (fault) => {
      peer.fail(fault, 2);
      const wrapped = await kms.wrap(key, context);
      peer.fail(fault, 3);
      await expect(kms.unwrap(wrapped, context)).rejects.toBeInstanceOf(KmsUnavailable);
      expect((await kms.unwrap(wrapped, context)).equals(key)).toBe(true);
    },
  );

  test.each(["denied", "disabled"] as const)("that refuses (%s) is unavailable and not asked again", async (fault) => {
    const wrapped = await kms.wrap(key, context);
    peer.fail(fault, 1);
    await expect(kms.unwrap(wrapped, context)).rejects.toBeInstanceOf(KmsUnavailable);
    expect((await kms.unwrap(wrapped, context)).equals(key)).toBe(true);
  });

  test("that cannot be reached, or does not answer in time, is unavailable", async () => {
    const nobody = awsKms({ ...peer.settings, endpoint: "http://127.0.0.1:2" }, hasty);
    await expect(nobody.wrap(key, context)).rejects.toBeInstanceOf(KmsUnavailable);
    peer.fail("silent", 1);
    const impatient = awsKms(peer.settings, { attempts: 1, pauseMs: 1, answerMs: 200 });
    await expect(impatient.wrap(key, context)).rejects.toBeInstanceOf(KmsUnavailable);
  });

  test.each([
    ["another secret", { secretAccessKey: "wrong" }],
    ["another access key", { accessKeyId: "wrong" }],
    ["another region", { region: "us-east-1" }],
  ])("refuses a request that is signed with %s", async (_what, wrong) => {
    const stranger = awsKms({ ...peer.settings, ...wrong }, hasty);
    await expect(stranger.wrap(key, context)).rejects.toThrow(/KMS answered 400/);
  });
});
