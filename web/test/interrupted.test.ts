import { en } from "../i18n/en.ts";
import { expect, test, watchOf } from "./browser.ts";
import { adoptTyped, agree, button, field, fillOrder, placeToSign, saved, sign, signed, title } from "./person.ts";
import { buyer, type Sent, testSigning } from "./signing.ts";

/** What happens to people in the middle of it. */

const signing = await testSigning();

async function signaturesOf({ key, envelope_id }: Sent): Promise<number> {
  const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=100`);
  return json.data.filter(({ type }: { type: string }) => type === "signature.applied").length;
}

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
  expect(await signaturesOf(sent)).toBe(1);
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
  // Whoever is told that there is no connection presses again, unless the page finds out by itself before.
  await expect(page.getByText(en.offline).or(title(page, en.doneTitle)).first()).toBeVisible();
  await expect(async () => {
    if (await button(page, en.sign).isVisible()) await button(page, en.sign).click({ timeout: 1_000 });
    await expect(title(page, en.doneTitle)).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
  expect([await sent.status(), await signaturesOf(sent)]).toEqual(["completed", 1]);
});
