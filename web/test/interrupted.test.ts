import { en } from "../i18n/en.ts";
import { expect, test, watchOf } from "./browser.ts";
import { adoptTyped, agree, button, field, fillOrder, placeToSign, saved, sign, signed, title } from "./person.ts";
import { buyer, testSigning } from "./signing.ts";

/** What happens to people in the middle of it. */

const signing = await testSigning();

test("a page that is loaded again at any step goes on where it was", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.embedUrl(buyer.email));
  await page.reload();
  await agree(page);
  await page.reload();
  await field(page, "Full name").fill("Ann Example");
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(field(page, "Full name")).toHaveValue("Ann Example");
  await placeToSign(page, "Buyer signature").click();
  await adoptTyped(page, "signature", "Ann Example");
  await expect(title(page, en.reviewTitle)).toBeVisible();
  await page.reload();
  await expect(signed(page, "Buyer signature")).toBeVisible();
  await button(page, en.review).click();
  await sign(page);
});

test("what is typed right before the page is left was saved", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(buyer.email));
  await agree(page);
  await field(page, "Full name").fill("Ann in a hurry");
  await page.goto("about:blank");
  await page.goto(await sent.link(buyer.email));
  await expect(field(page, "Full name")).toHaveValue("Ann in a hurry");
});

test("of two tabs the one that changed something last counts, and nobody signs what they did not see", async () => {
  const sent = await signing.send();
  const context = await signing.newContext();
  const one = await context.newPage();
  await one.goto(await sent.link(buyer.email));
  await agree(one);
  await fillOrder(one);
  const other = await context.newPage();
  await other.goto(await sent.link(buyer.email));
  await expect(field(other, "Full name")).toHaveValue("Ann Example");
  await field(other, "Full name").fill("Ann B. Example");
  await field(other, "Full name").blur();
  await expect(saved(other)).toBeVisible();
  await one.bringToFront();
  await button(one, en.sign).click();
  await expect(one.getByText(en.stale)).toBeVisible();
  expect(await sent.status()).toBe("viewed");
  await expect(one.getByText("Ann B. Example").or(field(one, "Full name")).first()).toBeVisible();
});

test("without a connection nothing that was typed is lost", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(buyer.email));
  watchOf(page.context()).expect(/ERR_INTERNET_DISCONNECTED/);
  await agree(page);
  await page.context().setOffline(true);
  await field(page, "Full name").fill("Ann on a train");
  await expect(page.getByText(en.notSaved).or(page.getByText(en.offline)).first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(field(page, "Full name")).toHaveValue("Ann on a train");
});

test("a double click on Sign signs once", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(buyer.email));
  await agree(page);
  await fillOrder(page);
  await button(page, en.sign).dblclick();
  await expect(title(page, en.doneTitle)).toBeVisible();
  const { json } = await sent.key.send("GET", `/partner/envelopes/${sent.envelope_id}/audit-trail?limit=100`);
  expect(json.data.filter(({ type }: { type: string }) => type === "signature.applied")).toHaveLength(1);
  const completions = watchOf(page.context()).requests.filter(({ url }) => url.endsWith("/complete"));
  expect(new Set(completions.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

test("an answer to Sign that got lost is asked for again, and the document is signed once", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.link(buyer.email));
  watchOf(page.context()).expect(/ERR_FAILED|ERR_CONNECTION/);
  await agree(page);
  await fillOrder(page);
  // The service gets it; the answer is lost on the way.
  await page.route(
    "**/complete",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await button(page, en.sign).click();
  await expect(button(page, en.sign).or(title(page, en.doneTitle))).toBeVisible();
  if (await button(page, en.sign).isVisible()) await button(page, en.sign).click();
  await expect(title(page, en.doneTitle)).toBeVisible();
  expect(await sent.status()).toBe("completed");
});
