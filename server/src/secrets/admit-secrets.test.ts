import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoryFolder } from "../../../testing/memory-folder.ts";
import { testDatabase } from "../../test/database.ts";
import { readConfig, SAMPLE_SECRET, secretFileIn } from "../config.ts";
import { connectDb, type Db } from "../db/connect.ts";
import { encryptBody } from "../mail/body.ts";
import { type AppSecrets, deriveKeys } from "../shared/secrets.ts";
import { admitSecrets } from "./admit-secrets.ts";
import { reWrap } from "./re-wrap.ts";
import { retireVersion } from "./retire-version.ts";
import { writeSecrets } from "./write-secrets.ts";

const database = testDatabase();
let db: Db;
beforeAll(() => {
  db = connectDb({ url: database.appUrl });
});
afterAll(() => db.end());
beforeEach(() => database.owner("truncate secret_versions, mail_messages"));

const one = { version: 1, secret: "1".repeat(32) };
const two = { version: 2, secret: "2".repeat(32) };
const other = { version: 1, secret: "3".repeat(32) };

let recorded: number[] = [];
beforeEach(() => {
  recorded = [];
});
const admit = (...secrets: AppSecrets) =>
  admitSecrets(db, secrets, async (_tx, version) => {
    recorded.push(version);
  });
const versions = () =>
  database.owner("select version, used_from is not null as used, retired_at is not null as retired from secret_versions order by 1");
const retire = (secrets: AppSecrets, version: number, more: object) =>
  retireVersion(db, secrets, { version, now: false, lost: false, record: async () => undefined, ...more });

async function mail(secrets: AppSecrets): Promise<void> {
  const { body_context, body_enc } = encryptBody(deriveKeys(secrets).mail, { subject: "s", text: "t", html: "h" } as never);
  await database.owner(
    "insert into mail_messages (message_id, kind, to_address, body_context, body_enc, expires_at) values (gen_random_uuid()::text, 'x', 'x', $1, $2, now() + interval '1 day')",
    [body_context, body_enc],
  );
}

describe("a start", () => {
  test("records the first secret, and one with another is refused and changes nothing", async () => {
    expect(await admit(one)).toEqual([one]);
    const before = await database.owner("select * from secret_versions");
    expect(await admit(one)).toEqual([one]);
    await expect(admit(other)).rejects.toThrow(/^APP_SECRET is not the one that this database was made with$/);
    await expect(admit(two, other)).rejects.toThrow(/^Version 1 in APP_SECRETS is not the one that this database was made with$/);
    expect(await database.owner("select * from secret_versions")).toEqual(before);
    expect(recorded).toEqual([]);
  });

  test("on a database from before versions is refused with another secret than that of its values", async () => {
    await mail([one]);
    await database.owner("update mail_messages set body_enc = substring(body_enc from 7)");
    await expect(admit(other)).rejects.toThrow("APP_SECRET is not the one that this database was made with");
    expect(await versions()).toEqual([]);
    expect(await admit(two, one)).toEqual([two, one]);
  });

  test("of twenty processes at once records a version once", async () => {
    await Promise.all(Array.from({ length: 20 }, () => admit(one)));
    await Promise.all(Array.from({ length: 20 }, () => admit(two, one)));
    expect(recorded).toEqual([2]);
    expect(await versions()).toHaveLength(2);
  });

  test("with different secrets at once: those of the first are accepted, the others are refused", async () => {
    const starts = await Promise.allSettled([admit(one), admit(other), admit(one), admit(other)]);
    expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });

  test("takes a new version in second place, then first; the audit trails say it once, and again after going back", async () => {
    await admit(one);
    await admit(one, two);
    expect([recorded, await versions()]).toEqual([
      [],
      [
        { version: 1, used: true, retired: false },
        { version: 2, used: false, retired: false },
      ],
    ]);
    await admit(two, one);
    await admit(two, one);
    await admit(one, two);
    expect(recorded).toEqual([2, 1]);
  });

  test("without a version that is in use is refused; one that was never used can be left out, but not be another secret", async () => {
    await admit(one);
    await admit(one, two);
    await expect(admit(two)).rejects.toThrow("Version 1 of APP_SECRET is missing");
    expect(await admit(one)).toEqual([one]);
    await expect(admit(one, { ...two, secret: "4".repeat(32) })).rejects.toThrow(
      "Version 2 in APP_SECRETS is not the one that another process was started with",
    );
  });

  test("does not accept a retired version, and is refused if that is the first", async () => {
    await admit(one);
    await admit(two, one);
    await retire([two, one], 1, { now: true });
    expect(await admit(two, one)).toEqual([two]);
    expect(await admit(two)).toEqual([two]);
    await expect(admit(one, two)).rejects.toThrow("Version 1 of APP_SECRET is retired");
    await expect(admit(other, two)).rejects.toThrow("Version 1 in APP_SECRETS is not the one");
  });
});

describe("values", () => {
  test("350 are encrypted again in transactions of 100; those that cannot be read stay, are named, and prevent the retirement", async () => {
    await admit(one);
    for (let i = 0; i < 350; i++) await mail([one]);
    await database.owner("update mail_messages set body_context = 'another' where mail_id in (select mail_id from mail_messages limit 2)");
    await admit(two, one);
    const keys = deriveKeys([two, one]);
    let transactions = 0;
    const counted: Db = { ...db, system: (run) => db.system(run).finally(() => transactions++) };
    const { renewed, unreadable } = await reWrap({ db: counted, keys });
    expect([renewed, unreadable.map(({ place }) => place), transactions]).toEqual([348, Array(2).fill("mail_messages.body_enc"), 4]);
    expect(await database.owner("select version, n::int from count_secret_values()")).toEqual([
      { version: 1, n: 2 },
      { version: 2, n: 348 },
    ]);
    await expect(retire([two, one], 1, { now: true })).rejects.toThrow("2 values are still encrypted under version 1");
  });

  test("two workers at once encrypt each value again, and each can be read", async () => {
    await admit(one);
    for (let i = 0; i < 120; i++) await mail([one]);
    await admit(two, one);
    const keys = deriveKeys([two, one]);
    const runs = await Promise.all([reWrap({ db, keys }), reWrap({ db, keys })]);
    expect(runs.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(120);
    expect((await reWrap({ db, keys: deriveKeys([two]) })).unreadable).toEqual([]);
  });

  test("under a lost secret are given up, and the installation starts with another version", async () => {
    await admit(one);
    await mail([one]);
    await expect(admit(two)).rejects.toThrow("Version 1 of APP_SECRET is missing");
    await expect(retire([two], 1, {})).rejects.toThrow(/in use|new values/);
    expect(await retire([two], 1, { lost: true })).toBe(1);
    expect(await admit(two)).toEqual([two]);
    expect(recorded).toEqual([2]);
  });
});

test("a secret that was lost before there were versions is given up too", async () => {
  await mail([one]);
  await database.owner("update mail_messages set body_enc = substring(body_enc from 7)");
  await expect(admit(two)).rejects.toThrow("Version 2 in APP_SECRETS is not the one that this database was made with");
  expect(await retire([two], 1, { lost: true })).toBe(1);
  expect(await admit(two)).toEqual([two]);
});

describe("the settings", () => {
  const secretsOf = (env: Record<string, string>) => readConfig({ DATA_DIR: folder, ...env }).appSecrets;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(memoryFolder(), "countersign-secrets-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("APP_SECRET alone is version 1; APP_SECRETS lists versions; both together are refused", () => {
    expect(secretsOf({ APP_SECRET: one.secret })).toEqual([one]);
    expect(secretsOf({ APP_SECRETS: `2:${two.secret},1:${one.secret}` })).toEqual([two, one]);
    expect(() => secretsOf({ APP_SECRET: one.secret, APP_SECRETS: `1:${one.secret}` })).toThrow("APP_SECRET and APP_SECRETS are both set");
    for (const APP_SECRETS of [one.secret, `1:${one.secret},1:${two.secret}`, `0:${one.secret}`])
      expect(() => secretsOf({ APP_SECRETS })).toThrow("APP_SECRETS must be versions with their secrets, such as 2:<secret>,1:<secret>");
    expect(() => secretsOf({ APP_SECRETS: "1:short" })).toThrow("Each secret in APP_SECRETS must have at least 32 characters");
    expect(() => secretsOf({ APP_SECRETS: `2:${two.secret},1:${SAMPLE_SECRET}`, PUBLIC_URL: "https://sign.example.com" })).toThrow(
      "A secret in APP_SECRETS is a sample or too simple",
    );
  });

  test("the file has a secret alone, and after a rotation a line for each version; its rights stay, and a damaged one is refused", () => {
    const [first] = secretsOf({});
    expect(first).toEqual({ version: 1, secret: readFileSync(secretFileIn(folder), "utf8").trim() });
    writeSecrets(secretFileIn(folder), [two, first]);
    expect(secretsOf({})).toEqual([two, first]);
    expect(statSync(secretFileIn(folder)).mode & 0o777).toBe(0o600);
    writeFileSync(secretFileIn(folder), `2:${two.secret}\n2:${one.secret}\n`);
    expect(() => secretsOf({})).toThrow("app.secret in DATA_DIR is damaged");
  });
});
