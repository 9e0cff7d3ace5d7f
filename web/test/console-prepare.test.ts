import { beforeAll } from "vitest";
import { text } from "../../pdf/fixtures/pages.ts";
import { signingSession } from "../../server/test/ceremony.ts";
import { client } from "../../server/test/client.ts";
import { form } from "../../server/test/form.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { expect, type Page, test, testInAll, watchOf } from "./browser.ts";
import { testConsole } from "./console.ts";
import { lease, paper } from "./documents.ts";
import { loadParts } from "./load-parts.ts";
import { loseAnswer } from "./lose-answer.ts";
import { look, tourDevices } from "./screens.ts";

/** The wizard: from a document to a sent envelope. */

const console = await testConsole();
const { service } = console;

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, label: string, words: string) => page.getByLabel(label, { exact: true }).fill(words);
const step = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true });
/** A step in the list, done or not. */
const follow = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^${name}(\\s*, done)?$`) }).click();
const state = (page: Page, words: string | RegExp) =>
  expect(page.getByRole("status").filter({ hasText: words }).filter({ visible: true }).first()).toBeVisible();
const isSaved = (page: Page) => state(page, /^Saved$/);
const signer = (page: Page, n: number) => page.getByRole("group", { name: `Recipient ${n}`, exact: true });

const plain = { name: "Contract.pdf", mimeType: "application/pdf", buffer: Buffer.from(paper([text("Contract of sale", 72, 720, 24)])) };

/** The page must not scroll sideways at 320 px, the narrowest width in WCAG 2.2. */
async function expectNarrow(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  await page.setViewportSize(before);
}

let org: TestOrg;

// biome-ignore lint/suspicious/noExplicitAny: the server tests check the shape of answers
async function call(method: string, path: string, body?: object): Promise<any> {
  const { status, json } = await org.admin(method, path, body === undefined ? {} : { body });
  expect([status < 300, json.error, json.details]).toEqual([true, undefined, undefined]);
  return json.data;
}

// Screenshots in two colour schemes are slow while other tests share two cores.
const TOUR_MS = 240_000;

const idOf = (page: Page): string => /env_[0-9a-z]+/.exec(page.url())?.[0] ?? "";
const draftCreated = async (page: Page): Promise<string> => {
  await expect(page).toHaveURL(/\/envelopes\/env_[0-9a-z]+\/prepare\?step=people$/);
  return idOf(page);
};

beforeAll(async () => {
  org = await service.newOrg("Example Company");
  await org.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: lease }));
  await call("POST", "/partner/customers", { name: "Ann Example", email: "ann@example.com", company: "First Company" });
});

/** Fields stay unsaved until the returned function is called. */
async function holdSaves(page: Page): Promise<() => Promise<void>> {
  let answer = (): void => undefined;
  const held = new Promise<void>((done) => {
    answer = done;
  });
  const url = /\/envelopes\/[^/]+\/fields$/;
  await page.route(url, async (route) => {
    if (route.request().method() === "PUT") await held;
    await route.fallback();
  });
  return async () => {
    answer();
    await page.unrouteAll({ behavior: "wait" });
  };
}

test("an uploaded file is prepared step by step and sent, with identity questions, signing order and vault storage", async () => {
  const page = await console.open(org, "/account");
  await page.getByLabel("Show API calls").check();
  await page.goto(`${console.url}/console/envelopes/new`);
  await press(page, "Continue");
  await expect(page.getByRole("alert").getByText("Choose a file first.")).toBeVisible();
  await page.getByLabel("PDF, PNG or JPEG").setInputFiles({ name: "Contract.pdf", mimeType: "application/pdf", buffer: Buffer.from("no") });
  await expect(page.getByLabel("Choose other files")).toHaveAccessibleDescription("Contract.pdf, 1 KB Choose another file");
  await expect(page.getByLabel("Envelope name")).toHaveValue("Contract");
  await type(page, "Find customer (optional)", "first comp");
  await page.getByRole("button", { name: /Ann Example, First Company/ }).click();
  await expect(page.getByLabel("Customer e-mail address")).toHaveValue("ann@example.com");
  await press(page, "Continue");
  await expect(page.getByRole("alert").getByText("The file is not a PDF, PNG or JPEG")).toBeVisible();
  await page.getByLabel("Choose other files").setInputFiles(plain);
  await press(page, "Continue");
  const envelope_id = await draftCreated(page);
  expect((await call("GET", `/partner/envelopes/${envelope_id}`)).status).toBe("uploaded");

  await expect(signer(page, 1).getByLabel("Name")).toHaveValue("Ann Example");
  // What is saved while the user types is said in the step, not below its buttons.
  await expect(page.locator(".form > .quiet", { hasText: "Complete entries are saved as you type." })).toBeVisible();
  await expect(page.locator(".form:has(> .prepare-bar:last-child)")).toHaveCount(1);
  expect(await page.locator(".form").evaluate((form) => form.nextElementSibling)).toBeNull();
  await press(page, "Add recipient");
  await press(page, "Add recipient");
  await press(page, "Remove recipient 3");
  await expect(signer(page, 2).getByLabel("Name")).toBeFocused();
  await signer(page, 2).getByLabel("Name").fill("Sam Sample");
  await signer(page, 2).getByLabel("E-mail address").fill("ann@example.com");
  await press(page, "More for Sam Sample");
  await signer(page, 2).getByLabel("Language").selectOption("de");
  await press(page, "Save and continue");
  await expect(page.getByText(/^E-mail address must be unique/)).toBeVisible();
  await expect(page.getByText(/Validation failed|Reference req_/), "the field says all of it").toHaveCount(0);
  await signer(page, 2).getByLabel("E-mail address").fill("sam@example.com");
  await press(page, "Move Sam Sample up");
  await expect(page.getByRole("button", { name: "Move Sam Sample down" })).toBeFocused();
  await page.getByLabel(/Ask identity questions of everyone who acts/).check();
  await page.getByText("Questions for Sam Sample").click();
  const questions = [
    ["Where did we first meet?", "Springfield"],
    ["What did we drink?", "tea"],
  ] as const;
  for (const [index, [question, answer]] of questions.entries()) {
    await signer(page, 1)
      .getByLabel(`Question ${index + 1}`, { exact: true })
      .fill(question);
    await signer(page, 1)
      .getByLabel(`Answer ${index + 1}`, { exact: true })
      .fill(answer);
    if (index === 0)
      await signer(page, 1)
        .getByLabel(`Answer ${index + 1} again`)
        .fill(answer);
  }
  await signer(page, 1).getByLabel("Identity check").selectOption("Access code");
  const accessCode = signer(page, 1).getByRole("textbox", { name: "Access code" });
  await accessCode.fill("tea");
  await press(page, "Save and continue");
  await expect(page.getByText("Answer 2 again must not be empty")).toBeVisible();
  await expect(page.getByText("Access code must have at least 6 characters")).toBeVisible();
  await signer(page, 1).getByLabel("Answer 2 again").fill("tea");
  await press(page, "Suggest a code");
  await expect(accessCode).toHaveValue(/^[2-9A-HJ-NP-Z]{8}$/);
  const code = await accessCode.inputValue();
  await state(page, "Not saved yet: access codes and identity questions");
  await press(page, "Save and continue");

  await step(page, "Fields").waitFor();
  await expect(page.getByText(/A signature page is added at the end for Sam Sample and Ann Example/)).toBeVisible();
  // It is about the fields on the screen, not about those that were saved last.
  const isAnswered = await holdSaves(page);
  await page.getByRole("button", { name: "Signature", exact: true }).press("Enter");
  await expect(page.getByText(/A signature page is added at the end for Ann Example, who has/)).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText(/A signature page is added at the end for Sam Sample and Ann Example/)).toBeVisible();
  await isAnswered();
  await press(page, "Skip fields");
  await step(page, "Options").waitFor();
  await type(page, "Message (optional)", "Please sign by Friday.");
  // Saved before the user leaves.
  await page.goBack();
  await step(page, "Fields").waitFor();
  await press(page, "Skip fields");
  await step(page, "Options").waitFor();
  await expect(page.getByLabel("Message (optional)")).toHaveValue("Please sign by Friday.");
  await type(page, "Expires after (days)", "400");
  await state(page, "Not saved yet: Expires after (days)");
  await page.goBack();
  await expect(page.getByRole("alert").getByText("You have unsaved changes in this step.")).toBeVisible();
  await press(page, "Stay here");
  await expect(page.getByText("Expires after (days) must be at most 365")).toBeVisible();
  await type(page, "Expires after (days)", "14");
  await page.getByLabel(/Store in vault automatically/).check();
  await page
    .getByRole("group", { name: /Secured party/ })
    .getByLabel("Name")
    .fill("First Example Bank, N.A.");
  await press(page, "Save and continue");
  await expect(page.getByText("Tick the box to accept the terms.")).toBeVisible();
  await expect(page.getByLabel(/I accept the certification terms/)).toBeFocused();
  await isSaved(page);

  await page.getByRole("link", { name: "Review and send" }).click();
  await step(page, "Review and send").waitFor();
  await expect(page.getByRole("button", { name: "Send", exact: true }), "without scrolling").toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("img", { name: /^Page 1 of / })).toBeInViewport();
  await press(page, "Send");
  await expect(page.getByRole("alert").getByText("Accept the vault-in certification terms first")).toBeVisible();
  await press(page, "Fix in Options");
  await expect(page.getByText("Tick the box to accept the terms.")).toBeVisible();
  await page.getByLabel(/I accept the certification terms/).check();
  await expect(page.getByText("Tick the box to accept the terms.")).toHaveCount(0);
  await press(page, "Save and continue");
  await expect(page.getByText(/terms 2026-01 accepted by/)).toBeVisible();
  await expect(page.getByText(/No questions are set for Ann Example/)).toBeVisible();
  await page.getByText("Show as API call").click();
  await expect(page.locator("pre")).toContainText("/send");
  await expect(page.locator("pre")).not.toContainText("Springfield");
  await expect(page.locator("pre")).not.toContainText(code);
  await expect(page.getByText("Before the document is shown: access code")).toBeVisible();
  await press(page, "Change recipients");
  await expect(signer(page, 1).getByText("An access code is set. It is not shown again.")).toBeVisible();
  await expect(accessCode).toHaveCount(0);
  await page.getByRole("link", { name: "Review and send" }).click();
  await step(page, "Review and send").waitFor();
  // What no one has reviewed is not sent, such as a field with a value that a program adds now.
  const added = {
    name: "Price",
    type: "text",
    role: "Signer",
    default_value: "EUR 900",
    placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.3, w: 0.3, h: 0.05 }] },
  };
  await call("POST", `/partner/envelopes/${envelope_id}/fields`, { fields: [added] });
  await expect(page.getByText("EUR 900")).toHaveCount(0);
  await press(page, "Send");
  await expect(
    page.getByRole("alert").getByText("Not sent. The draft has changed since this page showed it.", { exact: false }),
  ).toBeVisible();
  await expect(page.getByText("EUR 900")).toBeVisible();
  expect((await call("GET", `/partner/envelopes/${envelope_id}/status`)).status).toBe("preparing");
  await press(page, "Send");

  await expect(page.getByRole("status").getByText("Sent.")).toBeVisible();
  await expect(page.getByRole("status").getByRole("link", { name: "Mail outbox" })).toHaveAttribute("href", "/console/outbox");
  await expect(page).toHaveURL(`${console.url}/console/envelopes/${envelope_id}`);
  // Pressed at once, the button takes no code away.
  await press(page, "Change Sam Sample");
  await page.getByText("Identity check", { exact: true }).first().click();
  await expect(page.getByLabel("Identity check", { exact: true })).toHaveValue("access_code");
  await press(page, "Set identity check");
  await expect(page.getByText("Access code must have at least 6 characters")).toBeVisible();
  await page.keyboard.press("Escape");
  const envelope = await call("GET", `/partner/envelopes/${envelope_id}`);
  expect(envelope).toMatchObject({
    status: "sent",
    envelope_name: "Contract",
    metadata: { kba_required: true, auto_vault_enabled: true, secured_party: { name: "First Example Bank, N.A." } },
  });
  const { sent_at, expires_at } = envelope.metadata;
  expect((Date.parse(expires_at) - Date.parse(sent_at)) / 86_400_000).toBe(14);
  const { signers } = await call("GET", `/partner/envelopes/${envelope_id}/signers`);
  expect(signers.map((one: { email: string }) => one.email)).toEqual(["sam@example.com", "ann@example.com"]);
  expect(signers[0].authentication[0]).toEqual({ method: "access_code", state: "required" });
  const sam = await signingSession(service, org, envelope_id, "sam@example.com");
  const { challenge_id } = (await sam.send("POST", "/identity/access_code/start")).json.data;
  const entered = await sam.send("POST", "/identity/access_code/answer", { body: { challenge_id, code } });
  expect(entered.json.data).toMatchObject({ state: "passed" });
  const kept = await service.database.owner(
    "select envelopes.message, locale from envelopes join signers using (org_id, envelope_id) where email = 'sam@example.com'",
  );
  expect(kept).toEqual([{ message: "Please sign by Friday.", locale: "de" }]);
  const trail = (await org.admin("GET", `/partner/envelopes/${envelope_id}/audit-trail`)).json.data;
  expect(trail.filter(({ type }: { type: string }) => type === "kba.set")).toHaveLength(1);
  await page.goBack();
  await expect(page.getByText(/This envelope is no longer a draft/)).toBeVisible();
});

testInAll("a draft that was left at any step is complete in another browser, and is sent as it was saved", async () => {
  const body = { envelope_name: "Left", customer_name: "Ann Example", customer_email: "ann@example.com" };
  // A program prepared it.
  const { api_key } = await call("POST", "/partners/keys", { partner_name: "Loan agent", scopes: ["drafts:write"] });
  const agent = client(service.url, { "x-api-key": api_key });
  const { envelope_id } = (await agent("POST", "/partner/envelopes", { body })).json.data;
  await agent("POST", `/partner/envelopes/${envelope_id}/upload`, form({}, { bytes: plain.buffer }));
  const openStep = async (code: string, name: string) => {
    const page = await console.open(org, `/envelopes/${envelope_id}/prepare?step=${code}`);
    await step(page, name).waitFor();
    await expect(page.getByText("Prepared by Loan agent", { exact: true })).toBeVisible();
    return page;
  };
  const leave = async (page: Page, button: string, next: string) => {
    await press(page, button);
    await step(page, next).waitFor();
    await page.close();
  };

  const document = await openStep("document", "Documents");
  await type(document, "Envelope name", "Found again");
  await isSaved(document);
  await document.close();

  const people = await openStep("people", "Recipients");
  await press(people, "Add recipient");
  await signer(people, 2).getByLabel("Name").fill("Sam Sample");
  // A person who is not complete yet is no error, and the others are saved.
  await signer(people, 2).getByLabel("E-mail address").pressSequentially("sam@");
  await state(people, "Not saved yet: recipient 2");
  await expect(people.getByRole("alert")).toHaveCount(0);
  const saved = async () => (await call("GET", `/partner/envelopes/${envelope_id}`)).metadata.recipients;
  expect((await saved()).map((one: { email: string }) => one.email)).toEqual(["ann@example.com"]);
  await signer(people, 2).getByLabel("E-mail address").pressSequentially("example.com ");
  await isSaved(people);
  await expect(signer(people, 2).getByLabel("E-mail address")).toBeFocused();
  expect((await saved()).map((one: { email: string }) => one.email)).toEqual(["ann@example.com", "sam@example.com"]);
  // In the draft, the person stays as saved until the new address is complete.
  await signer(people, 2).getByLabel("E-mail address").fill("sam");
  await state(people, "Not saved yet: recipient 2");
  expect((await saved()).map((one: { email: string }) => one.email)).toEqual(["ann@example.com", "sam@example.com"]);
  await signer(people, 2).getByLabel("E-mail address").fill("sam@example.com");
  await press(people, "More for Sam Sample");
  await signer(people, 2).getByLabel("Language").selectOption("fr");
  await people.getByLabel("Order").selectOption("parallel");
  await isSaved(people);
  // The draft keeps that a code is asked for, never the code.
  await signer(people, 2).getByLabel("Identity check").selectOption("Access code");
  await isSaved(people);
  await signer(people, 2).getByRole("textbox", { name: "Access code" }).fill("lighthouse");
  await state(people, "Not saved yet: access codes and identity questions");
  expect((await saved()).map((one: { authentication?: object[] }) => one.authentication)).toEqual([undefined, [{ method: "access_code" }]]);
  await people.close();

  const fields = await openStep("fields", "Fields");
  await expect(fields.getByText(/added at the end for Ann Example and Sam Sample/)).toBeVisible();
  // The step speaks about what is on the screen, also before it is saved.
  await fields.route(/\/fields(\?|$)/, (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await fields.getByRole("button", { name: "Signature", exact: true }).press("Enter");
  await expect(fields.getByText(/added at the end for Sam Sample, who has/)).toBeVisible();
  await expect(fields.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
  await fields.keyboard.press("Delete");
  await expect(fields.getByText(/added at the end for Ann Example and Sam Sample/)).toBeVisible();
  await fields.unroute(/\/fields(\?|$)/);
  await leave(fields, "Skip fields", "Options");

  const options = await openStep("options", "Options");
  await expect(options.getByLabel("Expires after (days)")).toHaveValue("30");
  await type(options, "Message (optional)", "Please sign by Monday.");
  await type(options, "Expires after (days)", "21");
  await type(options, "Automatic reminders every … days (optional)", "4");
  await isSaved(options);
  await options.close();

  const page = await openStep("options", "Options");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Prepare Found again");
  await expect(page.getByLabel("Message (optional)")).toHaveValue("Please sign by Monday.");
  await expect(page.getByLabel("Expires after (days)")).toHaveValue("21");
  await expect(page.getByLabel("Automatic reminders every … days (optional)")).toHaveValue("4");
  await follow(page, "Recipients");
  await expect(signer(page, 2).getByLabel("Language")).toHaveValue("fr");
  await expect(page.getByLabel("Order")).toHaveValue("parallel");
  await expect(signer(page, 2).getByLabel("Identity check")).toHaveValue("access_code");
  await expect(signer(page, 2).getByText(/^This draft asks for an access code\. Drafts do not keep codes/)).toBeVisible();
  await expect(signer(page, 2).getByRole("textbox", { name: "Access code" })).toHaveValue("");
  await look(page, "desktop", "console-32-code-again");
  await page.close();

  const review = await openStep("review", "Review and send");
  for (const text of ["They are asked at the same time.", "Please sign by Monday.", "After 21 days", "Every 4 days"])
    await expect(review.getByText(text, { exact: true })).toBeVisible();
  await expect(review.getByText("The draft does not keep the access code.", { exact: false })).toBeVisible();
  await press(review, "Send");
  await press(review, "Fix in Recipients");
  await expect(signer(review, 2).getByText("Access code must have at least 6 characters")).toBeVisible();
  await signer(review, 2).getByRole("textbox", { name: "Access code" }).fill("lighthouse");
  await press(review, "Save and continue");
  await follow(review, "Review and send");
  await press(review, "Send");
  await expect(review.getByRole("status").getByText("Sent.")).toBeVisible();
  const listed: { message_id: string; subject: string }[] = (await org.admin("GET", "/org/outbox")).json.data;
  const mine = listed.filter(({ subject }) => subject.includes("Found again"));
  const mail = await Promise.all(mine.map(({ message_id }) => call("GET", `/org/outbox/${message_id}`)));
  const arrived = mail.map(({ to, text }) => [
    to,
    text.includes("Please sign by Monday."),
    /\/s\/[0-9a-f]{32}(\S*)#k=[0-9a-f]{32}$/m.exec(text)?.[1],
  ]);
  expect(arrived.sort()).toEqual([
    ["ann@example.com", true, ""],
    ["sam@example.com", true, "?lang=fr"],
  ]);
});

testInAll.each(tourDevices)("a template provides the roles, and a reload keeps the draft, on %s", { timeout: TOUR_MS }, async (device) => {
  const page = await console.open(org, "/envelopes/new", { device });
  await page.getByLabel("PDF, PNG or JPEG").waitFor();
  await look(page, device, "console-30-new-envelope");
  await expectNarrow(page);
  await press(page, "Use template");
  await page.getByLabel(/^Lease/).check();
  await expect(page.getByLabel("Envelope name")).toHaveValue("Lease");
  await type(page, "Envelope name", "Lease of the roof");
  await type(page, "Customer name", "Ann Example");
  await type(page, "Customer e-mail address", "ann@example.com");
  await look(page, device, "console-31-template-chosen");
  await press(page, "Continue");
  const envelope_id = await draftCreated(page);

  await expect(signer(page, 1).getByLabel("Role")).toHaveValue("Tenant");
  await expect(signer(page, 2).getByLabel("Role")).toHaveValue("Landlord");
  await signer(page, 2).getByLabel("Name").fill("Sam Sample");
  await signer(page, 2).getByLabel("E-mail address").fill("sam@example.com");
  await page.getByLabel("Order").selectOption("parallel");
  await look(page, device, "console-32-signers");
  await expectNarrow(page);
  await follow(page, "Documents");
  await step(page, "Documents").waitFor();
  await expect(page.getByRole("img", { name: /Page 1 of 2/ })).toBeVisible();
  await look(page, device, "console-33-document");
  await expectNarrow(page);
  const { signers } = await call("GET", `/partner/envelopes/${envelope_id}/signers`);
  expect(signers.map((one: { name: string; role: string }) => [one.name, one.role])).toEqual([
    ["Ann Example", "Tenant"],
    ["Sam Sample", "Landlord"],
  ]);
  await type(page, "Envelope name", "Lease of the roof terrace");
  await press(page, "Save and continue");
  await step(page, "Recipients").waitFor();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Prepare Lease of the roof terrace");
  await expect(signer(page, 2).getByLabel("Name")).toHaveValue("Sam Sample");
  await expect(page.getByLabel("Order")).toHaveValue("parallel");
  await press(page, "Save and continue");
  await expect(page.getByText("Every signer has a signature field.")).toBeVisible();
  await press(page, "Continue");
  await step(page, "Options").waitFor();
  await expect(page.getByText("Compliance is checked when everyone has signed.", { exact: false })).toBeVisible();
  await expect(page.getByText(/of 100/), "no score of a draft").toHaveCount(0);
  await page.getByLabel(/Store in vault automatically/).check();
  await expect(page.getByText(/^1\. Authority\./)).toBeVisible();
  await look(page, device, "console-34-options");
  await expectNarrow(page);
  await page.getByLabel(/Store in vault automatically/).uncheck();
  await press(page, "Save and continue");
  await step(page, "Review and send").waitFor();
  await expect(step(page, "Review and send")).toBeFocused();
  await expect(page.getByRole("button", { name: "Send", exact: true }), "without scrolling").toBeInViewport({ ratio: 1 });
  await page.getByRole("region", { name: "Pages of the document" }).scrollIntoViewIfNeeded();
  await expect(page.getByRole("img", { name: /Page 1 of 2/ })).toBeVisible();
  await page.locator('[data-page="2"]').scrollIntoViewIfNeeded();
  await expect(page.getByText("Ann Example signs here").first()).toBeAttached();
  await page.locator('[data-page="1"]').scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeInViewport({ ratio: 1 });
  await page.evaluate("scrollTo(0, 0)");
  await look(page, device, "console-35-review");
  await expectNarrow(page);
  await page.goBack();
  await step(page, "Options").waitFor();
  await page.goForward();
  await press(page, "Send");
  await expect(page.getByRole("status").getByText("Sent.")).toBeVisible();
  await look(page, device, "console-36-sent");
  expect((await call("GET", `/partner/envelopes/${envelope_id}/status`)).status).toBe("sent");
});

testInAll(
  "people with different tasks are added by keyboard in steps, and the sender, who signs first, gets to the signing page",
  async () => {
    const office = await service.newOrg("Step Office");
    await office.admin("POST", "/partner/customers", { body: { name: "Lee Approver", email: "lee@example.com" } });
    const body = { envelope_name: "In steps", customer_name: "Ann Example", customer_email: "ann@example.com" };
    const { envelope_id } = (await office.admin("POST", "/partner/envelopes", { body })).json.data;
    await office.admin("POST", `/partner/envelopes/${envelope_id}/upload`, form({}, { bytes: plain.buffer }));
    const page = await console.open(office, `/envelopes/${envelope_id}/prepare?step=people`);
    await step(page, "Recipients").waitFor();
    const key = (name: string) => page.keyboard.press(name);

    // A contact is found by the beginning of a word, and chosen with the keyboard.
    await page.getByRole("button", { name: "Add recipient" }).focus();
    await key("Enter");
    await expect(signer(page, 2).getByLabel("Name")).toBeFocused();
    await page.keyboard.type("appr");
    await expect(page.getByRole("option", { name: /Lee Approver/ })).toBeVisible();
    await key("ArrowDown");
    await key("Enter");
    await expect(signer(page, 2).getByLabel("E-mail address")).toHaveValue("lee@example.com");
    await expect(page.getByRole("listbox", { name: "Contacts" })).toHaveCount(0);
    await signer(page, 2).getByLabel("Task").selectOption("Approves");
    await signer(page, 2).getByLabel("Role (optional)").fill("");

    await press(page, "Add recipient");
    await signer(page, 3).getByLabel("Name").fill("Cleo Copy");
    await signer(page, 3).getByLabel("E-mail address").fill("cleo@example.com");
    await signer(page, 3).getByLabel("Task").selectOption("Gets a copy");
    await expect(signer(page, 3).getByLabel("Role")).toHaveCount(0);
    await press(page, "I sign too");
    await expect(page.getByRole("button", { name: "I sign too" })).toHaveCount(0);

    // Ann and the sender are asked first, Lee after them; Cleo reads from then on.
    await page.getByLabel("Order").selectOption("In steps");
    await expect(page.getByText("Everyone in step 2 is asked after step 1 is finished.")).toBeVisible();
    await expect(signer(page, 3).getByLabel("E-mail address")).toHaveValue(office.email);
    await signer(page, 3).getByLabel("E-mail address").focus();
    await key("Alt+ArrowUp");
    await expect(page.getByRole("status").filter({ hasText: "moved to step 2" })).toHaveCount(1);
    await key("Alt+ArrowUp");
    await expect(page.getByRole("status").filter({ hasText: "moved to step 1" })).toHaveCount(1);
    await expect(signer(page, 2).getByLabel("E-mail address")).toBeFocused();
    await signer(page, 4).getByLabel("When").selectOption("When step 2 begins, and when everyone has acted");
    await press(page, "More for Lee Approver");
    await signer(page, 3).getByLabel("Message (optional)").fill("Please check the price.");
    await look(page, "desktop", "console-32-recipients-in-steps");
    await expectNarrow(page);
    await press(page, "Save and continue");

    await step(page, "Fields").waitFor();
    const saved = (await office.admin("GET", `/partner/envelopes/${envelope_id}`)).json.data.metadata;
    expect([
      saved.signing_order,
      saved.recipients.map(({ kind, email, step: at, message, delivery }: Record<string, unknown>) => [kind, email, at, message, delivery]),
    ]).toEqual([
      "steps",
      [
        ["signer", "ann@example.com", 1, null, "email"],
        ["signer", office.email, 1, null, "link"],
        ["approver", "lee@example.com", 2, "Please check the price.", "email"],
        ["cc", "cleo@example.com", 2, null, "email"],
      ],
    ]);
    const areas = [{ page: 1, x: 0.1, y: 0.3, w: 0.3, h: 0.05 }];
    const settings = { sender_fills: true };
    const price = { name: "Price", type: "text", role: "Signer", settings, placement: { mode: "absolute", areas } };
    const mine = { name: "Mine", type: "initials", role: "Signer 2", placement: { mode: "absolute", areas } };
    await office.admin("PUT", `/partner/envelopes/${envelope_id}/fields`, { body: { fields: [price, mine] } });
    await page.reload();
    await page.getByRole("link", { name: "Review and send" }).click();
    await press(page, "Send");
    await expect(page.getByRole("alert")).toBeVisible();
    await press(page, "Fix in Options");
    await expect(page.getByText("Price must be filled in by the sender")).toBeVisible();
    await type(page, "Price", "EUR 900");
    await press(page, "Save and continue");
    await expect(page.getByText("It will be your turn as soon as you send. The signing page opens then.")).toBeVisible();
    await look(page, "desktop", "console-35-review-in-steps");
    await press(page, "Send");
    await page.waitForURL(new RegExp(`^${console.embedUrl}/s/`));
    await expect(page.getByText("In steps").first()).toBeVisible();
    await page.goBack();
    await expect(
      page.getByRole("region", { name: "Recipients" }).getByRole("listitem").filter({ hasText: "lee@example.com" }),
    ).toContainText("Not their turn yet");

    // After sending, people can still be added, moved and removed.
    await press(page, "Add recipient");
    await type(page, "Name", "Vera View");
    await type(page, "E-mail address", "vera@example.com");
    await page.getByRole("dialog").getByLabel("Step").selectOption("Step 3");
    await page.getByRole("dialog").getByRole("button", { name: "Add recipient" }).click();
    await expect(page.getByRole("status").getByText("Vera View added.")).toBeVisible();
    await press(page, "Change Lee Approver");
    await page.getByRole("dialog").getByLabel("Step").selectOption("Step 1");
    await press(page, "Save");
    await expect(
      page.getByRole("region", { name: "Recipients" }).getByRole("listitem").filter({ hasText: "lee@example.com" }),
    ).toContainText("Their turn");
    await look(page, "desktop", "console-22-envelope-in-steps");
    await expectNarrow(page);
    await press(page, "Remove Ann Example");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByRole("status").getByText("Ann Example removed.")).toBeVisible();
    const { recipients } = (await office.admin("GET", `/partner/envelopes/${envelope_id}/recipients`)).json.data;
    expect(recipients.map(({ email }: { email: string }) => email).sort()).toEqual(
      ["cleo@example.com", "lee@example.com", office.email, "vera@example.com"].sort(),
    );

    // A hundred people are a hundred lines, which open and are found by name, address or role.
    const many = Array.from({ length: 100 }, (_, n) => ({
      kind: "signer",
      name: `Person ${n + 1}`,
      email: `p${n + 1}@example.com`,
      role: `R${n + 1}`,
    }));
    const large = (await office.admin("POST", "/partner/envelopes", { body: { ...body, recipients: many } })).json.data.envelope_id;
    await office.admin("POST", `/partner/envelopes/${large}/upload`, form({}, { bytes: plain.buffer }));
    await page.goto(`${console.url}/console/envelopes/${large}/prepare?step=people`);
    await signer(page, 100).waitFor();
    const numberHeight = (nth: number) =>
      signer(page, nth)
        .locator(".prepare-person-no")
        .evaluate((element) => {
          element.scrollIntoView();
          return element.getBoundingClientRect().height;
        });
    expect(await numberHeight(100), "100 is in one line").toBe(await numberHeight(99));
    await expect.poll(() => page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThan(7_000);
    await look(page, "desktop", "console-32-hundred");
    await expectNarrow(page);
    await type(page, "Find recipient", "p77@");
    await expect(page.getByRole("group", { name: /^Recipient/ })).toHaveCount(1);
    await press(page, "Change Person 77");
    await expect(signer(page, 77).getByLabel("Name")).toBeFocused();
    await signer(page, 77).getByLabel("Name").fill("Zoe Other");
    await isSaved(page);
    await expect(signer(page, 77).getByLabel("Name")).toBeFocused();
    await press(page, "Remove Zoe Other");
    await type(page, "Find recipient", "");
    await expect(page.getByRole("group", { name: /^Recipient/ })).toHaveCount(99);
    await press(page, "Save and continue");
    await expect(page.getByText(/added at the end for Person 1, Person 2, Person 3, and 96 more, who have/)).toBeVisible();
    await page.getByText("Show all 99").click();
    await expect(page.getByRole("listitem").filter({ hasText: /^Person 99$/ })).toBeVisible();
  },
);

testInAll("several documents are added, named, ordered, replaced and removed, and fields know their document", async () => {
  const office = await service.newOrg("Paper Office");
  const page = await console.open(office, "/envelopes/new");
  const pdf = (name: string, ...pages: string[]) => ({
    name: `${name}.pdf`,
    mimeType: "application/pdf",
    buffer: Buffer.from(paper(...pages.map((words) => [text(words, 72, 720, 24)]))),
  });
  await page.getByLabel("PDF, PNG or JPEG").setInputFiles([pdf("Contract", "Contract", "Terms"), pdf("Annex", "Annex")]);
  await type(page, "Customer name", "Ann Example");
  await type(page, "Customer e-mail address", "ann@example.com");
  await press(page, "Continue");
  const envelope_id = await draftCreated(page);
  const documents = async () =>
    (await office.admin("GET", `/partner/envelopes/${envelope_id}/documents`)).json.data.documents.map(
      ({ name, pages }: { name: string; pages: number }) => [name, pages],
    );
  expect(await documents()).toEqual([
    ["Contract", 2],
    ["Annex", 1],
  ]);
  // The people stay as they are suggested: nothing saves them before the envelope is sent.
  await page.goto(`${page.url().split("?")[0]}?step=document`);
  await page.getByLabel("Document 2").fill("Price list");
  await page.getByLabel("Document 1").focus();
  await expect(page.getByRole("button", { name: "Move Price list up" })).toBeEnabled();
  await press(page, "Move Price list up");
  await expect(page.getByLabel("Document 1")).toHaveValue("Price list");
  await page.getByLabel("Add another document").setInputFiles([pdf("Map", "Map"), { ...pdf("Broken"), buffer: Buffer.from("no") }]);
  await expect(page.getByRole("alert").getByText("The file is not a PDF, PNG or JPEG")).toBeVisible();
  await expect(page.getByLabel("Document 3")).toHaveValue("Map");
  await press(page, "Remove Map");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByLabel("Document 3")).toHaveCount(0);
  await page.locator('input[aria-label="Replace Contract"]').setInputFiles(pdf("New", "Contract", "Terms", "More"));
  await expect(page.getByText("3 pages", { exact: true })).toBeVisible();
  expect(await documents()).toEqual([
    ["Price list", 1],
    ["Contract", 3],
  ]);
  await look(page, "desktop", "console-33-documents");
  await expectNarrow(page);

  // The second page in the builder is the first page of the contract.
  await follow(page, "Fields");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(pages).toContainText("Price list");
  await pages.getByRole("button", { name: /^Page 2\b/ }).click();
  await page.getByRole("button", { name: "Text", exact: true }).press("Enter");
  await expect(page.getByText("1 field, saved")).toBeVisible();
  const { fields } = (await office.admin("GET", `/partner/envelopes/${envelope_id}/fields`)).json.data;
  expect(fields).toMatchObject([{ type: "text", document: 2, areas: [{ page: 1 }] }]);
  await page.reload();
  await expect(page.getByRole("button", { name: /^Text 1, .*page 2/ })).toBeVisible();
  await page.getByRole("link", { name: "Review and send" }).click();
  const thumbnails = page.getByRole("navigation", { name: "Pages" });
  const second = thumbnails.getByRole("button", { name: /^Page 2\b.*1 field to fill in/ });
  await second.click();
  await expect(second).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("img", { name: /Page 2 of 4/ })).toBeVisible();
  await look(page, "desktop", "console-35-review-documents");
  expect((await office.admin("GET", `/partner/envelopes/${envelope_id}/recipients`)).json.data.recipients).toEqual([]);
  await press(page, "Send");
  await expect(page.getByRole("status").getByText("Sent.")).toBeVisible();
  await expect(page.getByText("3 pages, from page 2")).toBeVisible();
  await press(page, "Download");
  await expect(page.getByRole("menuitem")).toHaveText([
    "Document (PDF)",
    "1. Price list (PDF)",
    "2. Contract (PDF)",
    "3. Signature page (PDF)",
    "Audit trail (CSV)",
  ]);
});

testInAll("a lost answer, a lost connection and a second window lose nothing and create nothing twice", async () => {
  const office = await service.newOrg("Lost Office");
  const envelopes = async () => (await office.admin("GET", "/partner/envelopes")).json.data;
  const page = await console.open(office, "/envelopes/new");
  watchOf(page.context()).expect(/Failed to load resource/);
  const isUnreachable = async () => {
    const notice = page.getByRole("alert").getByText(/Nothing you entered is lost/);
    await expect(notice).toBeInViewport({ ratio: 1 });
    // The bar does not cover it.
    await notice.click({ trial: true });
  };
  await page.getByLabel("PDF, PNG or JPEG").setInputFiles(plain);
  await type(page, "Customer name", "Ann Example");
  await type(page, "Customer e-mail address", "ann@example.com");
  await loseAnswer(page, /\/partner\/envelopes$/, "POST");
  await press(page, "Continue");
  await isUnreachable();
  await press(page, "Continue");
  const envelope_id = await draftCreated(page);
  expect(await envelopes()).toHaveLength(1);
  await loadParts(
    page,
    ["people", "fields", "options", "review"].map((name) => `prepare/${name}-step.tsx`),
  );

  const path = `/partner/envelopes/${envelope_id}`;
  const change = (body: object) => office.admin("PATCH", path, { body });
  const people = async () =>
    (await office.admin("GET", path)).json.data.metadata.recipients.map((one: { name: string; email: string }) => [one.name, one.email]);
  // Saves run one after another.
  const atOnce = { now: 0, most: 0 };
  const count = (method: string, by: number) => {
    if (method === "PATCH") atOnce.now += by;
    atOnce.most = Math.max(atOnce.most, atOnce.now);
  };
  page.on("request", (request) => count(request.method(), 1));
  page.on("requestfinished", (request) => count(request.method(), -1));
  page.on("requestfailed", (request) => count(request.method(), -1));
  const name = signer(page, 1).getByLabel("Name");
  await page.context().setOffline(true);
  await name.fill("Ann Other");
  await press(page, "Save and continue");
  await isUnreachable();
  await state(page, "Not saved: Countersign is not responding. Trying again…");
  await page.context().setOffline(false);
  await isSaved(page);
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(await people()).toEqual([["Ann Other", "ann@example.com"]]);
  // The draft is saved although the answer is lost, so the next attempt finds nothing to do.
  const isLost = await loseAnswer(page, /\/partner\/envelopes\/env_\w+$/, "PATCH");
  await name.fill("Ann Second");
  await isLost();
  await isSaved(page);
  expect(await people()).toEqual([["Ann Second", "ann@example.com"]]);
  await press(page, "Save and continue");
  await expect(page.getByRole("button", { name: "Skip fields" }), "without scrolling").toBeInViewport({ ratio: 1 });

  // What another window changed elsewhere in the draft is no conflict.
  await follow(page, "Recipients");
  await change({ message: "Changed in another window" });
  await name.fill("Ann Third");
  await isSaved(page);

  // The same part is one. Nothing is overwritten until the user decides, and the focus stays where they type.
  const recipients = [{ kind: "signer", name: "Sam Sample", email: "sam@example.com", role: "Signer" }];
  const conflict = page.getByRole("alert").filter({ hasText: "This step was changed in another window" });
  await change({ recipients });
  await name.fill("Ann Mine");
  await expect(conflict).toBeVisible();
  await state(page, "Not saved: changed in another window");
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("Ann Mine");
  await press(page, "Save and continue");
  await expect(conflict).toBeFocused();
  await look(page, "desktop", "console-32-conflict");
  await expect(name).toHaveValue("Ann Mine");
  expect(await people()).toEqual([["Sam Sample", "sam@example.com"]]);
  await press(page, "Keep mine and save again");
  await expect(conflict).toHaveCount(0);
  await isSaved(page);
  expect(await people()).toEqual([["Ann Mine", "ann@example.com"]]);
  await change({ recipients });
  await name.fill("Ann Fourth");
  await follow(page, "Options");
  await press(page, "Load the other version");
  await expect(name).toHaveValue("Sam Sample");
  expect(atOnce.most).toBe(1);

  // The builder saves again after a lost answer, and blames no one.
  await follow(page, "Fields");
  await loseAnswer(page, /\/fields$/, "PUT");
  await page.getByRole("button", { name: "Signature", exact: true }).press("Enter");
  await expect(page.getByText("Not saved: try again")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("1 field, saved")).toBeVisible();
  await expect(page.getByText(/Someone else changed/)).toHaveCount(0);
  await page.context().setOffline(true);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("Not saved: try again")).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText("1 field, saved")).toBeVisible();
  expect((await office.admin("GET", `${path}/fields`)).json.data.fields).toHaveLength(1);

  // A second press on Send gets the answer that was lost.
  await page.getByRole("link", { name: "Review and send" }).click();
  await step(page, "Review and send").waitFor();
  await loseAnswer(page, /\/send$/, "POST");
  await press(page, "Send");
  await isUnreachable();
  await press(page, "Send");
  await expect(page.getByRole("status").getByText("Sent.")).toBeVisible();
  await expect(page).toHaveURL(`${console.url}/console/envelopes/${envelope_id}`);
});

testInAll("an error about a signer is shown at that signer, and a draft discarded elsewhere cannot be edited", async () => {
  const recipients = [
    { kind: "approver", name: "Ann Example", email: "ann@example.com", role: "Seller" },
    { kind: "signer", name: "Sam", email: "sam@example.com", role: "Signer" },
  ];
  const body = { envelope_name: "Half", customer_name: "Ann Example", customer_email: "ann@example.com", recipients };
  const { envelope_id } = await call("POST", "/partner/envelopes", body);
  const member = await console.join(org, "member", "Sam Sample");
  const page = await console.open(org, `/envelopes/${envelope_id}/prepare?step=review`, { as: member });
  await step(page, "Documents").waitFor();
  await page.getByLabel("PDF, PNG or JPEG").setInputFiles(plain);
  await press(page, "Upload and continue");
  await step(page, "Recipients").waitFor();
  await press(page, "Save and continue");
  await step(page, "Fields").waitFor();
  const area = { page: 1, x: 0.1, y: 0.5, w: 0.3, h: 0.05 };
  const field = { name: "Seller signature", type: "signature", role: "Seller", placement: { mode: "absolute", areas: [area] } };
  await call("PUT", `/partner/envelopes/${envelope_id}/fields`, { fields: [field] });
  await page.getByRole("link", { name: "Review and send" }).click();
  await press(page, "Send");
  await press(page, "Fix in Recipients");
  await expect(page.getByText("Role has signatures or initials, and an approver does not sign")).toBeVisible();

  // What the organization demands is shown at the person, who is otherwise a closed row.
  await service.database.owner("update org_security set min_identity_level = 1 where org_id = $1", [org.org_id]);
  await signer(page, 1).getByLabel("Task").selectOption("Signs");
  await page.getByRole("link", { name: "Review and send" }).click();
  await press(page, "Send");
  await press(page, "Fix in Recipients");
  const refusal = /Identity check does not reach identity level 1, which your organization demands/;
  await expect(signer(page, 1).getByText(refusal)).toBeVisible();
  await expect(signer(page, 1).getByText(/Codes by e-mail need a mail server/)).toBeVisible();
  await signer(page, 1).getByLabel("Identity check").selectOption("Access code");
  await expect(signer(page, 1).getByText(refusal)).toHaveCount(0);
  await service.database.owner("update org_security set min_identity_level = 0 where org_id = $1", [org.org_id]);
  await signer(page, 1).getByLabel("Identity check").selectOption("None");

  await call("PATCH", `/org/members/${member.user_id}`, { role: "viewer" });
  await signer(page, 1).getByLabel("Name").fill("Sam Sample");
  await expect(page.getByText(/you cannot prepare envelopes.*Your entries in this step are still here/)).toBeVisible();
  await expect(signer(page, 1).getByLabel("Name")).toBeFocused();
  await expect(signer(page, 1).getByLabel("Name")).toHaveValue("Sam Sample");
  await expect(page.getByRole("button", { name: "Save and continue" })).toBeDisabled();
  await call("PATCH", `/org/members/${member.user_id}`, { role: "member" });
  await page.reload();
  await follow(page, "Fields");
  await page.getByText("1 field, saved").waitFor();
  await call("DELETE", `/partner/envelopes/${envelope_id}`);
  await press(page, "Continue");
  await expect(page.getByText(/This envelope is no longer a draft/)).toBeFocused();
  for (const name of ["Back", "Continue"]) await expect(page.getByRole("button", { name, exact: true })).toBeDisabled();
});
