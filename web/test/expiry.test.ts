import { en } from "../i18n/en.ts";
import { expect, type Page, test, watchOf } from "./browser.ts";
import { agree, button, field, title } from "./person.ts";
import { buyer, type Sent, testSigning } from "./signing.ts";

/** The end of a token, on pages that stand for themselves. */

const signing = await testSigning();
const ann = buyer.email;

/** The page behind a mail's link as it was when it was loaded a while ago: its token has only this long left. */
async function openLinkLateBy(sent: Sent, secondsLeft: number, { renewable = true } = {}): Promise<Page> {
  const page = await (await signing.newContext()).newPage();
  if (!renewable) {
    // Before the page asks for the first time, which it does at once.
    watchOf(page.context()).expect(/ERR_FAILED/);
    await page.route("**/embed/links/*/token", (route) => route.abort());
  }
  const token = await sent.shortToken(ann, secondsLeft, "email_link");
  await page.route("**/s/*", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/"token":"[^"]+"/, `"token":"${token}"`) });
  });
  await page.goto(await sent.link(ann));
  return page;
}

const renewals = (page: Page): number =>
  watchOf(page.context()).requests.filter(({ url }) => /\/links\/[0-9a-f]+\/token$/.test(url)).length;

test("the link of a mail renews its token by itself, and nobody notices", async () => {
  const sent = await signing.send();
  const page = await openLinkLateBy(sent, 40);
  await expect.poll(() => renewals(page)).toBe(1);
  await agree(page);
  await expect(page.getByText(en.stay)).toHaveCount(0);
  const [, last] = [...watchOf(page.context()).requests].reverse().filter(({ url }) => url.includes("/embed/sign/"));
  expect(last?.headers.authorization).not.toContain(await sent.shortToken(ann, 40, "email_link"));
});

test("who cannot renew is warned, and loses nothing when the time ends", async () => {
  const sent = await signing.send();
  const page = await openLinkLateBy(sent, 20, { renewable: false });
  await agree(page);
  const bar = page.getByText(/^This page closes in \d+ seconds?\. Everything you entered is saved\.$/);
  await expect(bar).toBeVisible();
  await field(page, "Full name").fill("Ann at the last moment");
  await expect(title(page, en.endedTitle)).toBeVisible({ timeout: 40_000 });
  await expect(bar).toBeHidden();
  expect(await page.evaluate<boolean>("document.querySelector('input')?.closest('[inert]') !== null")).toBe(true);
  await page.unroute("**/embed/links/*/token");
  await button(page, en.continue).click();
  await expect(title(page, en.endedTitle)).toBeHidden();
  await expect(field(page, "Full name")).toHaveValue("Ann at the last moment");
  await page.unroute("**/s/*");
  await page.reload();
  await expect(field(page, "Full name")).toHaveValue("Ann at the last moment");
});

test("Stay renews, as often as one likes", async () => {
  const sent = await signing.send();
  const page = await openLinkLateBy(sent, 55, { renewable: false });
  await expect(button(page, en.stay)).toBeVisible();
  await button(page, en.stay).click();
  await expect(button(page, en.stay)).toBeVisible();
  await page.unroute("**/embed/links/*/token");
  await button(page, en.stay).click();
  await expect(button(page, en.stay)).toBeHidden();
});

test("an address from a partner that is opened by itself cannot renew: it warns, ends, and says where to go", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.shortEmbedUrl(ann, 20));
  await agree(page);
  await expect(page.getByText(/^This page closes in \d+ seconds?\./)).toBeVisible();
  await expect(button(page, en.stay)).toHaveCount(0);
  await field(page, "Full name").fill("Ann");
  await expect(title(page, en.endedTitle)).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText(en.endedOpenAgain)).toBeVisible();
  const again = await signing.open(await sent.embedUrl(ann));
  await expect(field(again, "Full name")).toHaveValue("Ann");
});

test.each([
  ["without a token", ""],
  ["with one that was forged", "#token=eyJhbGciOiJIUzI1NiJ9.e30.AAAA"],
])("the page %s says that the time has ended", async (_how, fragment) => {
  const sent = await signing.send();
  const page = await signing.open(`${signing.embedUrl}/sign/${sent.envelope_id}${fragment}`);
  await expect(title(page, en.endedTitle)).toBeVisible();
  await expect(page.getByText(en.endedOpenAgain)).toBeVisible();
});
