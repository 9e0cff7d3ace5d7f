import { setupLink } from "../../server/src/orgs/setup.ts";
import { expect, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { adoptTyped, agree, field, placeToSign, sign } from "./person.ts";

/** The complete flow with the console and its outbox only: no API calls, no mail server. */

const console = await testConsole();
const { service } = console;

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, words: string) => page.getByLabel(label, { exact: true }).fill(words);
const step = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true }).waitFor();

/** Counts presses of the mouse and typed fields on all pages that the window opens. */
async function countUse(page: Page): Promise<() => { readonly clicks: number; readonly fields: number; readonly seconds: number }> {
  const begun = performance.now();
  let [clicks, fields] = [0, 0];
  await page.exposeFunction("noteUse", (kind: string) => {
    if (kind === "click") clicks += 1;
    else fields += 1;
  });
  await page.addInitScript(`{
    const typed = new Set();
    addEventListener("pointerdown", ({ isTrusted }) => isTrusted && noteUse("click"), true);
    addEventListener("input", ({ target }) => {
      if (target.type === "checkbox" || target.type === "radio" || typed.has(target)) return;
      typed.add(target);
      noteUse("field");
    }, true);
  }`);
  return () => ({ clicks, fields, seconds: Math.round((performance.now() - begun) / 1_000) });
}

test("from the set-up link to a sent, signed and vaulted document", async () => {
  const link = (await setupLink(service.features.orgs)) ?? "";
  const page = await console.visit("/login");
  const used = await countUse(page);
  await page.goto(link);
  await type(page, "Organization", "First Company");
  await type(page, "Your name", "Ann Example");
  await type(page, "E-mail address", "ann@example.com");
  await type(page, "Password", "seven green kettles hum");
  await press(page, "Create organization");
  await press(page, "Try it with a sample first");
  await step(page, "Review and send");
  await page.getByRole("link", { name: "Options" }).click();
  await step(page, "Options");
  await page.getByLabel("Store in vault automatically after everyone has signed").check();
  await page.getByLabel(/^I accept the certification terms/).check();
  await press(page, "Save and continue");
  await step(page, "Review and send");
  await press(page, "Send");
  // The sender signs: their own page opens.
  await page.waitForURL((url) => url.origin === console.embedUrl);
  await agree(page);
  await field(page, "Name").fill("Ann Example");
  await field(page, "Date").fill("2026-11-15");
  await placeToSign(page, "Signature").click();
  await adoptTyped(page, "signature", "Ann Example");
  await sign(page);

  await page.goto(`${console.url}/console/envelopes`);
  await page.getByRole("link", { name: "Sample agreement" }).click();
  // The screen updates itself.
  await expect(page.getByText("Everyone has signed. The vault keeps the authoritative copy.")).toBeVisible({ timeout: 30_000 });
  const { clicks, fields, seconds } = used();
  process.stdout.write(`from the set-up link to a vaulted document: ${clicks} clicks, ${fields} fields typed, ${seconds} s by machine\n`);
  await page.getByRole("link", { name: "Vaulted documents", exact: true }).click();
  await page.getByRole("link", { name: "Sample agreement" }).click();
  await expect(page.getByText(/^100 of 100, attested\./)).toBeVisible();
  await page.getByRole("tab", { name: "Record", exact: true }).click();
  const [evidence] = await Promise.all([page.waitForEvent("download"), press(page, "Download the evidence bundle as ZIP")]);
  expect(evidence.suggestedFilename()).toBe("Sample agreement – evidence.zip");
});
