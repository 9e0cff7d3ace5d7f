import { until } from "../../server/test/until.ts";
import { expect, fail, OFTEN, type Page, test, watchOf } from "./browser.ts";
import { agree, button, dialog, field, menu, saved, sign, title } from "./person.ts";
import { buyer, type Sent, testSigning } from "./signing.ts";
import { en } from "./words.ts";

/** Token expiry on top-level pages. */

const signing = await testSigning();
const ann = buyer.email;

const moved = { clock: "moved" } as const;
// In the last minute the page shows a warning.
const WARNED_SECONDS = 55;

const renewal = "**/embed/links/*/token";

/** Opens a signing link with a token that expires soon. */
async function openWithOldToken(page: Page, sent: Sent, secondsLeft: number): Promise<string> {
  const token = await sent.shortToken(ann, secondsLeft, "email_link");
  const data = { envelope_id: sent.envelope_id, token, expires_at: new Date(Date.now() + secondsLeft * 1_000).toISOString() };
  let isFirst = true;
  // The route stays. While a browser stops intercepting, the answer to a request that it just sent can be missing in what was seen.
  await page.route(renewal, (route) => {
    const wasFirst = isFirst;
    isFirst = false;
    return wasFirst ? route.fulfill({ json: { data } }) : route.fallback();
  });
  await page.goto(await sent.link(ann));
  return token;
}

/** Opens a page whose renewal fails until the route is removed. */
async function openUnrenewable(sent: Sent): Promise<Page> {
  const page = await signing.open("about:blank", moved);
  watchOf(page.context()).expect(/ERR_FAILED/);
  await page.route(renewal, (route) => route.abort());
  await openWithOldToken(page, sent, WARNED_SECONDS);
  // The page tries to renew, fails, and reads the state again. The test waits for that.
  await expect.poll(() => readings(page, sent), OFTEN).toBe(2);
  return page;
}

const readings = (page: Page, { envelope_id }: Sent): number =>
  watchOf(page.context()).answers.filter(({ path }) => path.endsWith(envelope_id)).length;
const askedBy = (page: Page) => watchOf(page.context()).requests;
/** Not counting the first exchange, which opened the page. */
const renewals = (page: Page): number => askedBy(page).filter(({ url }) => /\/links\/[0-9a-f]+\/token$/.test(url)).length - 1;
const closing = (page: Page) => page.getByText(/^Your session ends in \d+ seconds?\. Saved entries are kept\.$/);

test("a signing link renews its token automatically and without a notice", async () => {
  const sent = await signing.send();
  const page = await signing.open("about:blank", moved);
  const first = await openWithOldToken(page, sent, 240);
  await title(page, en.consentTitle).waitFor();
  expect(renewals(page)).toBe(0);
  await page.clock.fastForward(65_000);
  await expect.poll(() => readings(page, sent), OFTEN).toBe(2);
  expect(renewals(page)).toBe(1);
  await agree(page);
  await expect(page.getByText(en.stay)).toHaveCount(0);
  const { headers } = askedBy(page).find(({ url }) => url.endsWith("/consent")) ?? fail("no consent was sent");
  expect(headers.authorization).toMatch(/^Bearer ey/);
  expect(headers.authorization).not.toBe(`Bearer ${first}`);
});

test("if the renewal fails, the signer is warned and loses nothing when the session ends", async () => {
  const sent = await signing.send();
  await sent.agreed(ann);
  const page = await openUnrenewable(sent);
  await title(page, en.fieldsTitle).waitFor();
  await expect(closing(page)).toBeVisible();
  await field(page, "Full name").fill("Ann at the last moment");
  await page.clock.fastForward(60_000);
  await expect(title(page, en.endedTitle)).toBeVisible();
  await expect(closing(page)).toBeHidden();
  expect(await page.evaluate<boolean>("document.querySelector('input')?.closest('[inert]') !== null")).toBe(true);
  await page.unroute(renewal);
  await button(page, en.continue).click();
  await expect(title(page, en.endedTitle)).toBeHidden();
  await expect(field(page, "Full name")).toHaveValue("Ann at the last moment");
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(field(page, "Full name")).toHaveValue("Ann at the last moment");
});

test("Stay renews the session any number of times", async () => {
  const sent = await signing.send();
  const page = await openUnrenewable(sent);
  await button(page, en.stay).click();
  await expect(button(page, en.stay)).toBeVisible();
  await page.unroute(renewal);
  await button(page, en.stay).click();
  await expect(button(page, en.stay)).toBeHidden();
});

test("an open dialog hides neither the warning nor the end of the session, and stays open", async () => {
  const sent = await signing.send();
  const page = await openUnrenewable(sent);
  await menu(page, en.decline);
  const asked = dialog(page, en.declineTitle);
  await asked.getByRole("textbox", { name: en.declineReason }).fill("Too dear");
  await expect(button(asked, en.stay)).toBeVisible();
  await page.clock.fastForward(60_000);
  await expect(title(page, en.endedTitle)).toBeVisible();
  await page.unroute(renewal);
  await button(page.getByRole("alertdialog"), en.continue).click();
  await expect(title(page, en.endedTitle)).toBeHidden();
  await expect(asked.getByRole("textbox", { name: en.declineReason })).toHaveValue("Too dear");
});

test("entries that are rejected because of an expired token are saved with the next token", async () => {
  const sent = await signing.send();
  await sent.agreed(ann);
  const dead = await sent.shortToken(ann, -5, "email_link");
  const page = await signing.open(await sent.link(ann), moved);
  await title(page, en.fieldsTitle).waitFor();
  await page.route("**/fields", (route) => route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${dead}` } }));
  await field(page, "Full name").fill("Ann Example");
  await expect(title(page, en.endedTitle)).toBeVisible();
  await page.unroute("**/fields");
  await button(page, en.continue).click();
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(field(page, "Full name")).toHaveValue("Ann Example");
});

test("after signing, the end of the session is not shown and the copy can still be downloaded", async () => {
  const sent = await signing.send();
  await sent.filled(ann);
  const page = await signing.open(await sent.link(ann), moved);
  await button(page, en.review).click();
  await sign(page);
  await until("the sealed document", async () => (await sent.document()).subarray(0, 5).toString() === "%PDF-");
  await page.clock.fastForward(4_000);
  await expect(button(page, en.download)).toBeVisible();
  await page.clock.fastForward(1_000_000);
  await expect(title(page, en.doneTitle)).toBeVisible();
  await expect(title(page, en.endedTitle)).toHaveCount(0);
  const download = page.waitForEvent("download");
  await button(page, en.download).click();
  await download;
});

test("a rate-limited link says so, and opens automatically later", async () => {
  const sent = await signing.send();
  const link = await sent.link(ann);
  const slug = await sent.slug(ann);
  const body = { secret: link.split("#k=")[1] };
  let status = 200;
  while (status === 200) ({ status } = await signing.service.send("POST", `/embed/links/${slug}/token`, { body }));
  expect(status).toBe(429);
  const page = await signing.open(link, moved);
  await expect(page.getByText(en.busy(60))).toBeVisible();
  await signing.service.database.owner("delete from quotas");
  await page.clock.fastForward(61_000);
  await expect(title(page, en.consentTitle)).toBeVisible();
});

test("an embed_url opened as a top-level page cannot be renewed: it warns, ends, and says what to do", async () => {
  const sent = await signing.send();
  await sent.agreed(ann);
  const page = await signing.open(await sent.shortEmbedUrl(ann, WARNED_SECONDS), moved);
  await title(page, en.fieldsTitle).waitFor();
  await expect(closing(page)).toBeVisible();
  await expect(button(page, en.stay)).toHaveCount(0);
  await field(page, "Full name").fill("Ann");
  await page.clock.fastForward(60_000);
  await expect(title(page, en.endedTitle)).toBeVisible();
  await expect(page.getByText(en.endedOpenAgain)).toBeVisible();
  await expect(saved(page)).toBeVisible();
  await page.goto("about:blank");
  await page.goto(await sent.embedUrl(ann));
  await expect(field(page, "Full name")).toHaveValue("Ann");
});

test.each([
  ["without a token", ""],
  ["with a forged token", "#token=eyJhbGciOiJIUzI1NiJ9.e30.AAAA"],
])("a page %s says that the session has ended", async (_how, fragment) => {
  const sent = await signing.send();
  const page = await signing.open(`${signing.embedUrl}/sign/${sent.envelope_id}${fragment}`, moved);
  await expect(title(page, en.endedTitle)).toBeVisible();
  await expect(page.getByText(en.endedOpenAgain)).toBeVisible();
});
