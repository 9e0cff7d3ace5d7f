import { tenant } from "../../server/test/lease.ts";
import { draftOfThree, sendDraft } from "../../server/test/three-documents.ts";
import { expect, test } from "./browser.ts";
import { agree } from "./person.ts";
import { testSigning } from "./signing.ts";
import { en } from "./words.ts";

/** What signers see of an envelope with several documents. */

const signing = await testSigning();

test("the bar above the pages and the list of pages name each document", async () => {
  const one = await draftOfThree(signing.service);
  await sendDraft(one);
  const body = { envelope_id: one.envelope_id, user_email: tenant.email, widget_type: "sign" };
  const { json } = await one.key.send("POST", "/embed/token", { body });
  const page = await signing.newPage();
  await page.setViewportSize({ width: 1_400, height: 900 });
  await page.goto(json.data.embed_url);
  await agree(page);
  const bar = page.getByRole("toolbar", { name: en.reading });
  await expect(bar).toContainText("Lease");
  const list = page.getByRole("navigation", { name: en.pageList });
  for (const name of ["Lease", "House rules", "Handover"]) await expect(list).toContainText(name);
  await list.getByRole("button").nth(3).click();
  await expect(bar).toContainText("Handover");
  await expect(bar).not.toContainText("House rules");
});
