import { expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import { locales } from "../shared/locales.ts";

const service = testService();

test("the current legal texts are listed in every language, each with the mark that no lawyer has read it", async () => {
  const org = await service.newOrg();
  const { status, json } = await org.admin("GET", "/org/legal-texts");
  expect(status).toBe(200);
  const disclosures = json.data.texts.filter(({ kind }: { kind: string }) => kind === "disclosure");
  expect(disclosures.map(({ locale }: { locale: string }) => locale)).toEqual([...locales]);
  expect(json.data.texts.map(({ review }: { review: unknown }) => review)).toEqual(json.data.texts.map(() => null));
});
