import { expect, type Page, test } from "./browser.ts";
import { named } from "./documents.ts";
import { elementsFrom, payloads, withoutTurning } from "./payloads.ts";
import { adoptTyped, agree, button, choice, dialog, menu, placeToSign, sign, title } from "./person.ts";
import { buyer, testSigning } from "./signing.ts";
import { en } from "./words.ts";

/** Hostile texts and colours: shown as text, without any other effect. */

const signing = await testSigning();

/** Each round puts different payloads into the fields; the message contains all of them. */
const rounds = payloads.map((_, index) => [...payloads.slice(index), ...payloads.slice(0, index)]).filter((_, index) => index % 5 === 0);

test.each(rounds)("%s and others are shown as text in every field", async (...[name, sender, signer, inField, inOption, typed]) => {
  // Characters that a tag cannot contain or that would end it.
  const inTag = (text = "") => text.replaceAll(/[{}();=,\\]/g, "");
  const sent = await signing.send({
    document: named(inTag(inField), inTag(inOption)),
    name: name ?? "",
    sender: withoutTurning(sender ?? ""),
    message: payloads.join("\n"),
    signers: [{ ...buyer, name: withoutTurning(signer ?? "") }],
  });
  const page = await signing.open(await sent.link(buyer.email));
  await expect(page.getByText(name ?? "", { exact: true }).first()).toBeVisible();
  await expect(page.getByText(payloads[1]).first()).toBeVisible();
  await agree(page);
  await page
    .getByRole("textbox")
    .first()
    .fill(withoutTurning(typed ?? ""));
  await choice(page, "Kind").selectOption({ index: 1 });
  await placeToSign(page, "Buyer signature").click();
  await adoptTyped(page, "signature", "Ann");
  await expect(title(page, en.reviewTitle)).toBeVisible();
  expect(await elementsFrom(page)).toBe(0);
  await menu(page, en.decline);
  await dialog(page, en.declineTitle).getByRole("textbox").fill(payloads.join("\n"));
  await button(dialog(page, en.declineTitle), en.cancel).click();
  await sign(page);
  expect(await elementsFrom(page)).toBe(0);
});

const withTheme = (address: string, theme: object): string =>
  `${address}&theme=${Buffer.from(JSON.stringify(theme)).toString("base64url")}`;
const primary = (page: Page) => button(page, en.continue);

test("the organization's colours are applied, and the host's take precedence", async () => {
  const sent = await signing.send({ settings: { branding: { accent: "#8a1538", accent_text: "#ffffff", radius: "0px", font: "serif" } } });
  const page = await signing.open(await sent.link(buyer.email));
  await expect(primary(page)).toHaveCSS("background-color", "rgb(138, 21, 56)");
  await expect(primary(page)).toHaveCSS("border-radius", "0px");
  await page.goto(withTheme(await sent.embedUrl(buyer.email), { accent: "#00553a", "accent-text": "#ffffff" }));
  await expect(primary(page)).toHaveCSS("background-color", "rgb(0, 85, 58)");
});

test("an unreadable or invalid theme is ignored: consent and intent stay readable", async () => {
  const sent = await signing.send();
  const look = async (page: Page): Promise<string[]> => {
    await expect(primary(page)).toBeVisible();
    return page.evaluate<string[]>(`[...document.querySelectorAll("body, h1, [role=region], button")].map((one) => {
      const { color, backgroundColor } = getComputedStyle(one);
      return color + " on " + backgroundColor;
    })`);
  };
  const page = await signing.open(await sent.embedUrl(buyer.email));
  const plain = await look(page);
  for (const theme of [
    { text: "#fefefe", background: "#ffffff" },
    { surface: "#222222" },
    { accent: "#777777", "accent-text": "#888888" },
    { accent: "url(https://example.com/x)", background: "var(--x)", text: "red;}*{display:none}" },
    [1, 2],
    // Transparent colours, and a dark background under text whose colour cannot be changed.
    { text: "#0000" },
    { accent: "rgb(0 0 0 / 0)", "accent-text": "#00000000" },
    { background: "#000000", surface: "#000000", text: "#ffffff" },
  ]) {
    // Otherwise only the fragment would change.
    await page.goto("about:blank");
    await page.goto(withTheme(await sent.embedUrl(buyer.email), theme));
    expect(await look(page), JSON.stringify(theme)).toEqual(plain);
  }
});
