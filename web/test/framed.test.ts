import { afterAll } from "vitest";
import { expectAccessible } from "./axe.ts";
import { expect, keptPage, OFTEN, type Page, type Prepare, test, testInAll, watchOf } from "./browser.ts";
import { startHost } from "./host.ts";
import { adoptTyped, agree, button, field, fillOrder, menu, placeToSign, sign, title } from "./person.ts";
import { buyer, type Sent, testSigning } from "./signing.ts";
import { en } from "./words.ts";

/** The signing page embedded in the page of a partner on another site. */

const signing = await testSigning();
const host = await startHost(signing.embedUrl);
afterAll(() => host.close());

const partner = host.url("partner.localhost").slice(0, -1);
const other = host.url("other.localhost").slice(0, -1);

const sendFramed = (): Promise<Sent> => signing.send({ settings: { embed_origins: [partner] } });

/** Records messages in the host page and in the frame. */
const listen: Prepare = (context) =>
  context.addInitScript({ content: "window.heard = []; addEventListener('message', (event) => heard.push(JSON.stringify(event.data)))" });

/** Opens the partner's page with the element. */
async function visit(origin: string): Promise<Page> {
  const page = await keptPage({ origins: [...signing.origins, partner, other], visit: { clock: "moved" }, prepare: listen });
  await page.goto(`${origin}/`);
  return page;
}

// A few seconds before the page requests a new token, which has 900 s. The clocks of page and host are moved one after the other. If the page
// requested the token in between, moving the host's clock would end the host's timeout for its backend.
const UNTIL_RENEWAL_MS = 713_000;

interface Seen {
  readonly events: readonly { readonly type: string; readonly detail: Record<string, unknown> | null }[];
  readonly messages: readonly string[];
}

const seenBy = (page: Page): Promise<Seen> => page.evaluate<Seen>("seen");
const eventsOf = async (page: Page): Promise<string[]> => (await seenBy(page)).events.map(({ type }) => type);
const signingPage = (page: Page) => page.frameLocator("countersign-sign iframe");
const frameOf = (page: Page) => page.frames().find((frame) => frame.url().startsWith(signing.embedUrl));

test("the host gets the progress of the signer, but never who they are or what they sign", async () => {
  const sent = await sendFramed();
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email));
  const page = await visit(partner);
  const frame = signingPage(page);
  await expect(title(frame, en.consentTitle)).toBeVisible();
  await expect.poll(() => eventsOf(page), OFTEN).toEqual(["ready"]);
  await agree(frame);
  await fillOrder(frame, "Ann Secret");
  await expect.poll(async () => (await seenBy(page)).events.at(-1)?.detail, OFTEN).toMatchObject({ done: 2, total: 2 });
  await sign(frame);
  await expect.poll(async () => (await eventsOf(page)).at(-1), OFTEN).toBe("completed");
  const { events, messages } = await seenBy(page);
  const types = events.map(({ type }) => type).filter((type) => type !== "field");
  expect(types.filter((type, index, all) => type !== all[index - 1])).toEqual(["ready", "progress", "completed"]);
  expect(events.at(-1)?.detail).toMatchObject({ envelope_id: sent.envelope_id, envelope_status: "completed" });
  const heard = (await frameOf(page)?.evaluate<string[]>("heard")) ?? [];
  expect(heard.length).toBeGreaterThan(0);
  const said = [...messages, ...heard, JSON.stringify(events)].join("\n");
  for (const secret of ["eyJ", "token=", buyer.email, buyer.name, "Ann Secret", "Order", "Example Company"])
    expect(said).not.toContain(secret);
});

test("the host hides parts, allows ways to sign, fills in values, changes the theme, and learns which fields are filled in", async () => {
  const sent = await sendFramed();
  const chosen =
    'hide="header decline download" methods="type upload" completed-url="/done" prefill=\'{"Full name": "Ann of the host", "Unknown": "x"}\'';
  // A listener of the host can keep its page from going on.
  const stay = 'document.querySelector("countersign-sign").addEventListener("completed", (event) => event.preventDefault())';
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email), chosen);
  const page = await visit(partner);
  const frame = signingPage(page);
  await expect(title(frame, en.consentTitle)).toBeVisible();
  await expect(frame.locator(".top-title .title")).toHaveCount(0);
  await frame.getByRole("button", { name: en.menu }).click();
  await expect(frame.getByRole("button", { name: en.paper, exact: true })).toBeVisible();
  await expect(frame.getByRole("button", { name: en.decline, exact: true })).toHaveCount(0);

  const accent = () => frameOf(page)?.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()");
  const before = await accent();
  const setTheme = (theme: object) =>
    page.evaluate(`document.querySelector("countersign-sign").setAttribute("theme", ${JSON.stringify(JSON.stringify(theme))})`);
  await setTheme({ accent: "#7a1fa2", scheme: "light" });
  await expect.poll(accent, OFTEN).toBe("#7a1fa2");
  await setTheme({});
  await expect.poll(accent, OFTEN).toBe(before);

  await frame.getByRole("button", { name: en.menu }).press("Escape");
  const setHidden = (parts: string) => page.evaluate(`document.querySelector("countersign-sign").hide = ${parts}`);
  await setHidden("null");
  await expect(frame.locator(".top-title .title")).toHaveCount(1);
  await setHidden('["header", "decline", "download"]');
  await expect(frame.locator(".top-title .title")).toHaveCount(0);
  await agree(frame);
  await expect(field(frame, "Full name")).toHaveValue("Ann of the host");
  await field(frame, "Full name").fill("Ann Example");
  await placeToSign(frame, "Buyer signature").click();
  await expect(frame.getByRole("tab")).toHaveText([en.type, en.upload]);
  await adoptTyped(frame, "signature", "Ann Example");
  await title(frame, en.reviewTitle).waitFor();
  await page.evaluate(stay);
  await sign(frame);
  await expect(frame.getByText(sent.envelope_id)).toBeVisible();
  for (const name of [en.download, en.downloadSoFar]) await expect(button(frame, name)).toHaveCount(0);
  await expect(frame.getByText(en.closePage)).toHaveCount(0);
  expect(page.url()).toBe(`${partner}/`);
  const { events, messages } = await seenBy(page);
  expect(events.filter(({ type }) => type === "field").map(({ detail }) => detail)).toEqual([
    { name: "Full name", filled: true },
    { name: "Buyer signature", filled: true },
  ]);
  expect(messages.join(), "the page sends no value").not.toMatch(/Ann of the host|Ann Example/);
});

test("on a phone, the button is visible below a heading of the host, and after signing the host's page goes on", async () => {
  const sent = await sendFramed();
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email), 'completed-url="/done"');
  const page = await visit(partner);
  await page.setViewportSize({ width: 390, height: 664 });
  const frame = signingPage(page);
  await title(frame, en.consentTitle).waitFor();
  expect((await page.locator("countersign-sign").boundingBox())?.y).toBeGreaterThan(40);
  const bottom = async () => {
    const { y = 0, height = 0 } = (await button(frame, en.continue).boundingBox()) ?? {};
    return height > 0 && y + height <= 664;
  };
  await expect.poll(bottom, OFTEN).toBe(true);
  expect(await page.evaluate<number>("scrollY")).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await agree(frame);
  await fillOrder(frame);
  await button(frame, en.sign).click();
  await page.waitForURL(`${partner}/done`);
});

test("with height=auto the element is as high as the content of the page, at most the host's screen, and does not grow any further", async () => {
  const sent = await sendFramed();
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email), 'height="auto"');
  const page = await visit(partner);
  const frame = signingPage(page);
  const element = page.locator("countersign-sign");
  const box = async () => (await element.boundingBox()) ?? { y: 0, height: 0 };
  const height = async () => Math.round((await box()).height);
  const reported = async () =>
    (await seenBy(page)).messages.map((message) => JSON.parse(message)).flatMap(({ type, height: px }) => (type === "height" ? [px] : []));
  const settled = () => expect.poll(async () => (await height()) === (await reported()).at(-1), OFTEN).toBe(true);
  const scrolls = () => frameOf(page)?.evaluate<boolean>("document.documentElement.scrollHeight > innerHeight");
  const frames = "new Promise((done) => { let n = 0; const next = () => (++n > 20 ? done() : requestAnimationFrame(next)); next(); })";

  // The document is higher than the screen: the buttons stay at the bottom of the screen.
  await page.setViewportSize({ width: 1280, height: 800 });
  await title(frame, en.consentTitle).waitFor();
  await expect.poll(async () => Math.round((await box()).y + (await box()).height), OFTEN).toBe(800);
  await expect(button(frame, en.continue)).toBeInViewport({ ratio: 1 });
  expect((await reported()).at(-1)).toBeGreaterThan(800);

  // A screen with room for all of it, also after its width has changed.
  await page.setViewportSize({ width: 1280, height: 2000 });
  await settled();
  expect(await scrolls()).toBe(false);
  const wide = await height();
  await page.setViewportSize({ width: 390, height: 2000 });
  await expect.poll(async () => (await reported()).at(-1), OFTEN).not.toBe(wide);

  // The reported height does not follow that of the frame: otherwise the two would drive each other, here without a maximum.
  const setStyle = (style: string) => element.evaluate((one, text) => one.setAttribute("style", text), style);
  await setStyle("max-height: none");
  await settled();
  const count = (await reported()).length;
  for (const px of [500, 1900]) {
    await setStyle(`max-height: none; height: ${px}px`);
    expect(await height()).toBe(px);
    await Promise.all([page.evaluate(frames), frameOf(page)?.evaluate(frames)]);
    expect((await reported()).slice(count)).toEqual([]);
  }

  // What the host sets as its minimum and maximum, and a message of another window.
  await setStyle("max-height: 500px");
  expect(await height()).toBe(500);
  await setStyle("");
  const before = await height();
  const forged = JSON.stringify({ source: "countersign", v: 1, type: "height", envelope_id: sent.envelope_id, height: 300 });
  await page.evaluate(`new Promise((done) => { addEventListener("message", done, { once: true }); postMessage(${forged}, "*"); })`);
  expect(await height()).toBe(before);

  // A state with less content.
  await menu(frame, en.decline);
  await button(frame, en.declineDo).click();
  await title(frame, en.declinedTitle).waitFor();
  await settled();
  expect(await height()).toBeLessThan(500);
  expect(await scrolls()).toBe(false);
  await setStyle("min-height: 700px");
  expect(await height()).toBe(700);

  // Without it, as high as before.
  await setStyle("");
  await element.evaluate((one) => one.removeAttribute("height"));
  expect(await height()).toBe(900);
  await page.setViewportSize({ width: 1280, height: 800 });
});

testInAll("after declining, the host's page goes on to another address", async () => {
  const sent = await sendFramed();
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email), 'declined-url="/done"');
  const page = await visit(partner);
  const frame = signingPage(page);
  await title(frame, en.consentTitle).waitFor();
  await menu(frame, en.decline);
  await button(frame, en.declineDo).click();
  await page.waitForURL(`${partner}/done`);
});

test.each([
  ["that is not in the list", sendFramed, other],
  ["of an organization that has no list", () => signing.send(), partner],
] as const)("a page %s cannot frame it", async (_which, send, origin) => {
  const sent = await send();
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email));
  const page = await visit(origin);
  const { faults, expect: expectFault } = watchOf(page.context());
  expectFault(/frame-ancestors/);
  await expect.poll(() => faults.filter((fault) => /frame-ancestors/.test(fault)).length, OFTEN).toBeGreaterThan(0);
  await expect(signingPage(page).getByRole("heading")).toHaveCount(0);
  expect([(await seenBy(page)).messages, await sent.status()]).toEqual([[], "sent"]);
});

testInAll("an expiring token is renewed through the host, without a reload and without losing entries", async () => {
  const sent = await sendFramed();
  await sent.agreed(buyer.email);
  const fresh = await sent.embedUrl(buyer.email);
  host.show(await sent.shortEmbedUrl(buyer.email, 899), async () => fresh);
  const page = await visit(partner);
  const frame = signingPage(page);
  await title(frame, en.fieldsTitle).waitFor();
  await frameOf(page)?.evaluate("window.notReloaded = true");
  const history = await page.evaluate<number>("history.length");
  await field(frame, "Full name").pressSequentially("Ann");
  await page.clock.fastForward(UNTIL_RENEWAL_MS);
  await expect.poll(() => eventsOf(page), OFTEN).toContain("expiring");
  const token = fresh.split("#token=")[1];
  const withFresh = () => watchOf(page.context()).requests.filter(({ headers }) => headers.authorization === `Bearer ${token}`).length;
  await expect.poll(withFresh, OFTEN).toBeGreaterThan(0);
  await field(frame, "Full name").pressSequentially(" Example");
  await expect(field(frame, "Full name")).toHaveValue("Ann Example");
  expect(await frameOf(page)?.evaluate("window.notReloaded")).toBe(true);
  expect(frameOf(page)?.url()).not.toContain("token");
  expect(await page.evaluate<number>("history.length")).toBe(history);
});

testInAll("a token of another person starts over: nothing of the previous person stays on the page", async () => {
  const sent = await sendFramed();
  const theirs = await sent.embedUrl("viewer@example.com");
  await sent.agreed(buyer.email);
  host.show(await sent.embedUrl(buyer.email), async () => theirs);
  const page = await visit(partner);
  const frame = signingPage(page);
  // The entries are not saved yet when the other token arrives.
  watchOf(page.context()).expect(/ERR_FAILED/);
  await page.route("**/fields", (route) => route.abort());
  const token = `Bearer ${theirs.split("#token=")[1]}`;
  // The answer to whom the new token belongs is delayed, long enough for a retry of the save.
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/v2/embed/sign/*?lang=*", async (route) => {
    if (route.request().headers().authorization === token) await answered;
    await route.continue();
  });
  await field(frame, "Full name").fill("Ann Example");
  await page.clock.fastForward(UNTIL_RENEWAL_MS);
  const asked = () => watchOf(page.context()).requests.filter(({ headers }) => headers.authorization === token).length;
  await expect.poll(asked, OFTEN).toBeGreaterThan(0);
  await field(frame, "Full name").fill("Ann Example, once more");
  await page.clock.fastForward(60_000);
  answer();
  await expect(frame.getByText(en.viewing("viewer@example.com"))).toBeVisible();
  await expect(frame.getByText("Ann Example")).toHaveCount(0);
  const saves = watchOf(page.context()).requests.filter(({ url }) => url.endsWith("/fields"));
  expect(saves.length).toBeGreaterThan(0);
  expect(saves.filter(({ headers }) => headers.authorization === token)).toEqual([]);
  expect(await frameOf(page)?.evaluate("[...document.querySelectorAll('input, textarea')].map(({ value }) => value)")).toEqual([]);
});

testInAll("a reloaded frame requests a token from its host and continues; a function of the host goes before its address", async () => {
  const sent = await sendFramed();
  await sent.agreed(buyer.email);
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email));
  const page = await visit(partner);
  const frame = signingPage(page);
  await title(frame, en.fieldsTitle).waitFor();
  await frameOf(page)?.evaluate("location.reload()");
  await expect.poll(async () => (await seenBy(page)).messages.some((message) => message.includes('"token-needed"')), OFTEN).toBe(true);
  await expect(title(frame, en.fieldsTitle)).toBeVisible();
  const fresh = await sent.embedUrl(buyer.email);
  await page.evaluate(
    `document.querySelector("countersign-sign").renew = async () => { window.asked = true; return ${JSON.stringify(fresh)} }`,
  );
  host.show("", async () => "");
  await frameOf(page)?.evaluate("location.reload()");
  await page.waitForFunction("window.asked === true");
  await expect(title(frame, en.fieldsTitle)).toBeVisible();
});

testInAll("an expired token is reported to the host, which can provide a new one", async () => {
  const sent = await sendFramed();
  host.show(await sent.shortEmbedUrl(buyer.email, -5), () => Promise.reject(new Error("no token yet")).catch(() => ""));
  const page = await visit(partner);
  watchOf(page.context()).expect(/countersign|renew|embed_url/i);
  const frame = signingPage(page);
  await expect(title(frame, en.endedTitle)).toBeVisible();
  await expectAccessible(frameOf(page) ?? page, "session ended in a frame");
  expect((await seenBy(page)).events).toContainEqual({ type: "expired", detail: expect.objectContaining({ what: "token" }) });
  const failed = { type: "problem", detail: { code: "renewal_failed" } };
  await frame.getByRole("button", { name: en.continue }).click();
  await expect.poll(async () => (await seenBy(page)).events, OFTEN).toContainEqual(failed);
  host.show("", () => sent.embedUrl(buyer.email));
  await frame.getByRole("button", { name: en.continue }).click();
  await expect(title(frame, en.consentTitle)).toBeVisible();
});

testInAll("the element uses the language and colours of the host, also when they change", async () => {
  const sent = await sendFramed();
  const theme = JSON.stringify({ accent: "#8a1538", "accent-text": "#ffffff", radius: "0px" }).replaceAll('"', "&quot;");
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email), `locale="de" label="Vertrag" theme="${theme}"`);
  const page = await visit(partner);
  const { de } = await import("./words.ts");
  const go = signingPage(page).getByRole("button", { name: de.continue, exact: true });
  await expect(go).toHaveCSS("background-color", "rgb(138, 21, 56)");
  await expect(go).toHaveCSS("border-radius", "0px");
  await frameOf(page)?.evaluate("window.notReloaded = true");
  const changed = {
    theme: JSON.stringify({ accent: "#00553a", "accent-text": "#ffffff" }),
    src: await sent.shortEmbedUrl(buyer.email, 800),
  };
  await page.evaluate(`Object.assign(document.querySelector("countersign-sign"), ${JSON.stringify(changed)})`);
  await expect(go).toHaveCSS("background-color", "rgb(0, 85, 58)");
  const iframe = page.locator("countersign-sign iframe");
  await expect(iframe).toHaveAttribute("title", "Vertrag");
  await page.evaluate(`Object.assign(document.querySelector("countersign-sign"), { locale: "fr", label: "Contrat" })`);
  await expect(iframe).toHaveAttribute("title", "Contrat");
  const { fr } = await import("../i18n/fr.ts");
  await expect(title(signingPage(page), fr.consentTitle)).toBeVisible();
  expect(await frameOf(page)?.evaluate("window.notReloaded")).toBe(true);
  const reloaded = page.waitForEvent("framenavigated");
  await frameOf(page)?.evaluate("location.reload()");
  await reloaded;
  await expect(title(signingPage(page), fr.consentTitle), "a reloaded frame keeps the language of the host").toBeVisible();
  watchOf(page.context()).expect(/height is ignored|contains an API key/);
  await page.evaluate(`document.querySelector("countersign-sign").setAttribute("height", "80vh")`);
  await expect(iframe).toHaveCount(1);
  await page.evaluate(`document.querySelector("countersign-sign").label = "lk_${"0a".repeat(20)}"`);
  await expect(iframe).toHaveCount(0);
  const said = watchOf(page.context()).faults.join();
  expect(said).toContain("height is ignored");
  expect(said).toContain("contains an API key");
});

const FRAME_CODE = /\/assets\/watch-frame-.*\.js$/;

test("a host that speaks before the page can listen is heard, and gets everything that the page had to say", async () => {
  const sent = await sendFramed();
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email), 'hide="header"');
  const page = await keptPage({ origins: [...signing.origins, partner, other], visit: { clock: "moved" }, prepare: listen });
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(FRAME_CODE, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${partner}/`);
  const frame = signingPage(page);
  await agree(frame);
  await expect.poll(async () => (await frameOf(page)?.evaluate<string[]>("heard"))?.length ?? 0, OFTEN).toBeGreaterThan(0);
  await expect(frame.locator(".top-title .title")).toHaveCount(1);
  expect(await eventsOf(page)).toEqual([]);
  release();
  await expect(frame.locator(".top-title .title")).toHaveCount(0);
  await expect.poll(async () => (await eventsOf(page)).slice(0, 2), OFTEN).toEqual(["ready", "progress"]);
  await page.unroute(FRAME_CODE);
});

testInAll("a page in a frame that could not load its part for the host is loaded anew", async () => {
  const sent = await sendFramed();
  host.show(await sent.embedUrl(buyer.email), () => sent.embedUrl(buyer.email));
  const page = await keptPage({ origins: [...signing.origins, partner, other], visit: { clock: "moved" }, prepare: listen });
  watchOf(page.context()).expect(/net::ERR_FAILED|Failed to load/);
  await page.route(FRAME_CODE, (route) => route.abort(), { times: 1 });
  await page.goto(`${partner}/`);
  const frame = signingPage(page);
  await expect.poll(() => eventsOf(page), OFTEN).toContain("ready");
  await agree(frame);
  await expect.poll(async () => (await eventsOf(page)).at(-1), OFTEN).toBe("progress");
});
