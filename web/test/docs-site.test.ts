import { testService } from "../../server/test/service.ts";
import { addAxe, expectAccessible } from "./axe.ts";
import { type BrowserContext, expect, newContext, type Page, test, testBrowser, watchOf } from "./browser.ts";

/** The documentation as readers use it: with a keyboard, on a phone, in the dark, without a script and without a network. */

testBrowser();
const service = testService();

const looks = [
  { device: "desktop", colorScheme: "light", width: 1280 },
  { device: "desktop", colorScheme: "dark", width: 1280 },
  { device: "phone", colorScheme: "light", width: 320 },
  { device: "phone", colorScheme: "dark", width: 320 },
] as const;
const PAGES = [
  "",
  "first-steps",
  "guides/webhooks",
  "reference/webhook-endpoints",
  "errors/envelope_wrong_status",
  "errors",
  "guides/no-such-page",
];

const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${service.url}/docs/${path}`);
};
const opened = (visit: Parameters<typeof newContext>[1] = {}): Promise<BrowserContext> => newContext([service.url], visit);

test.for(looks)("pages are accessible and fit the screen: $device, $colorScheme", async ({ device, colorScheme, width }) => {
  const context = await opened({ device, colorScheme });
  await addAxe(context);
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 800 });
  for (const path of PAGES) {
    await open(page, path);
    await expectAccessible(page, `${path} ${device} ${colorScheme}`);
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect.soft(overflow, `${path} at ${width} px`).toBeLessThanOrEqual(0);
    if (device !== "phone") continue;
    const code = page.locator("pre:not(.as-is):visible");
    const scrolling = await code.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect.soft(scrolling, `code that scrolls sideways on ${path}`).toBe(0);
  }
});

test("a reader with a keyboard finds a page, filters its operations and chooses the language of its examples", async () => {
  const context = await opened();
  const page = await context.newPage();
  await open(page, "");
  const isSearchLoaded = () => watchOf(context).requests.some(({ url }) => /\/search-/.test(url));
  expect(isSearchLoaded()).toBe(false);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search the documentation" })).toBeFocused();
  await page.keyboard.type("create a webhook endpoint");
  await expect(page.locator(".results li").first()).toContainText("webhook endpoint");
  expect(isSearchLoaded()).toBe(true);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/reference\/webhook-endpoints#create_/);

  const filter = page.getByLabel(/^Filter the \d+ operations/);
  await filter.focus();
  await page.keyboard.type("rotate");
  await expect(page.locator(".operation:visible h2")).toHaveText(["Rotate the secret of a webhook endpoint"]);
  await expect(page.locator(".filter [role=status]")).toHaveText(/^1 of \d+ operations$/);

  const example = page.locator(".operation:visible fieldset");
  await expect(example.locator("pre:visible")).toContainText("curl");
  await example.getByLabel("curl").focus();
  await page.keyboard.press("ArrowRight");
  await expect(example.locator("pre:visible")).toContainText("await cs.");
  // The next page shows the same language first.
  await open(page, "errors/envelope_wrong_status");
  await expect(page.locator("pre:visible").nth(1)).toContainText("@countersign/client");
  await open(page, "reference/api-keys");
  await expect(page.locator(".operation").first().getByLabel("TypeScript")).toBeChecked();

  await page.keyboard.press("/");
  await page.keyboard.type("xyzzyqwertz");
  await expect(page.locator(".results [role=status]")).toHaveText("Nothing found for “xyzzyqwertz”");
  await page.keyboard.press("Escape");
  await expect(page.locator(".results")).toBeHidden();
});

test("without a script everything but search can be read: languages, folded fields and the menu of a phone", async () => {
  const context = await opened({ device: "phone", javaScriptEnabled: false });
  const page = await context.newPage();
  await open(page, "guides/quick-start");
  await expect(page.getByRole("searchbox")).toBeHidden();
  const sample = page.locator("fieldset").first();
  await sample.getByText("Python", { exact: true }).click();
  await expect(sample.locator("pre:visible")).toContainText("from countersign import");
  await expect(page.locator(".side")).toBeHidden();
  await page.getByText("Menu", { exact: true }).click();
  await page.locator(".side").getByRole("link", { name: "API reference" }).click();
  await page.getByRole("link", { name: "Templates", exact: true }).last().click();
  await expect(page).toHaveURL(/\/docs\/reference\/templates$/);
  const folded = page.locator("#create_template details").first();
  await expect(folded.locator("table").first()).toBeHidden();
  await folded.locator("summary").first().click();
  await expect(folded.locator("table").first()).toBeVisible();
});

test("an address without a page says so, and leads to the search", async () => {
  const page = await (await opened()).newPage();
  await open(page, "guides/no-such-page");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await page.getByRole("link", { name: "Search the documentation" }).click();
  await expect(page.getByRole("searchbox", { name: "Search the documentation" })).toBeFocused();
  await page.keyboard.type("create a webhook endpoint");
  await page.locator(".results a").first().click();
  await expect(page).toHaveURL(/\/docs\/reference\/webhook-endpoints#create_/);
});

test("old links to an operation lead to its page", async () => {
  const page = await (await opened()).newPage();
  await open(page, "#/Vault exports/get_vault_export");
  await expect(page).toHaveURL(/\/docs\/reference\/vault-exports#get_vault_export$/);
});
