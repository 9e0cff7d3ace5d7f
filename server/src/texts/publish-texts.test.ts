import { expect, test } from "vitest";
import { startProcess, stopProcess } from "../../test/process.ts";
import { testService } from "../../test/service.ts";
import { sql } from "../db/sql.ts";
import { publishTexts } from "./publish-texts.ts";

const service = testService();
const inOrder = () => [...service.features.texts.files].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
const stored = () => service.database.owner("select sha256, kind, version, locale, text from published_texts order by sha256");

test("twenty processes that start at once store every text once; a later start changes nothing", async () => {
  const { texts } = service.features;
  await service.database.owner("delete from published_texts");
  await Promise.all(Array.from({ length: 20 }, () => publishTexts(service.db, texts)));
  expect(await stored()).toEqual(inOrder());
  const times = () => service.database.owner("select sha256, published_at from published_texts order by sha256");
  const before = await times();
  await publishTexts(service.db, texts);
  expect(await times()).toEqual(before);
});

test.each(["serve", "worker"] as const)("the program stores every text when it starts as %s", async (role) => {
  await service.database.owner("delete from published_texts");
  const { appSecrets, dataDir } = service.config;
  const running = await startProcess(role, { ...service.database.env, APP_SECRET: appSecrets[0].secret, DATA_DIR: dataDir });
  try {
    expect(await stored()).toEqual(inOrder());
  } finally {
    await stopProcess(running);
  }
});

test("the service cannot change or delete a text, nor store one under another hash", async () => {
  const refused = (statement: ReturnType<typeof sql>) =>
    service.db.system((tx) => tx.query(statement)).catch((error: Error) => error.message);
  expect(await refused(sql`update published_texts set text = ''`)).toContain("permission denied");
  expect(await refused(sql`delete from published_texts`)).toContain("permission denied");
  const sha256 = "0".repeat(64);
  expect(
    await refused(sql`insert into published_texts (sha256, kind, version, locale, text) values (${sha256}, 'terms', '2', 'en', 'other')`),
  ).toContain("violates check constraint");
});
