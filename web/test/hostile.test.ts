import { en } from "../i18n/en.ts";
import { expect, type Page, test } from "./browser.ts";
import { named } from "./documents.ts";
import { elementsFrom, payloads, withoutTurning } from "./payloads.ts";
import { adoptTyped, agree, button, choice, dialog, menu, placeToSign, sign, title } from "./person.ts";
import { buyer, testSigning } from "./signing.ts";

/** Texts and colours by people who mean no good: shown as they are, and nothing else happens. */

const signing = await testSigning();

/** Each place gets another one each time, and the message all of them. */
const rounds = payloads.map((_, index) => [...payloads.slice(index), ...payloads.slice(0, index)]).filter((_, index) => index % 5 === 0);

test.each(rounds)(
  "%s and others are text in every place that people can fill",
  async (...[name, sender, signer, inField, inOption, typed]) => {
    // What a tag cannot hold, and what would end it.
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
  },
);

const withTheme = (address: string, theme: object): string =>
  `${address}&theme=${Buffer.from(JSON.stringify(theme)).toString("base64url")}`;
const primary = (page: Page) => button(page, en.continue);

test("an organization's colours are worn, and the host's go before them", async () => {
  const sent = await signing.send({ settings: { branding: { accent: "#8a1538", accent_text: "#ffffff", radius: "0px", font: "serif" } } });
  const page = await signing.open(await sent.link(buyer.email));
  await expect(primary(page)).toHaveCSS("background-color", "rgb(138, 21, 56)");
  await expect(primary(page)).toHaveCSS("border-radius", "0px");
  await page.goto(withTheme(await sent.embedUrl(buyer.email), { accent: "#00553a", "accent-text": "#ffffff" }));
  await expect(primary(page)).toHaveCSS("background-color", "rgb(0, 85, 58)");
});

test("a theme that cannot be read, or is no theme, is dropped: consent and intent stay as they are", async () => {
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
    // What can be seen through, and what turns the page around under words that keep their own colour.
    { text: "#0000" },
    { accent: "rgb(0 0 0 / 0)", "accent-text": "#00000000" },
    { background: "#000000", surface: "#000000", text: "#ffffff" },
  ]) {
    // Else only the fragment would be new.
    await page.goto("about:blank");
    await page.goto(withTheme(await sent.embedUrl(buyer.email), theme));
    expect(await look(page), JSON.stringify(theme)).toEqual(plain);
  }
});
