import { beforeAll, describe } from "vitest";
import { text } from "../../pdf/fixtures/pages.ts";
import { form } from "../../server/test/form.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { expect, type Page, test } from "./browser.ts";
import { testConsole } from "./console.ts";
import { lease, paper } from "./documents.ts";
import { type Hands, keyboard, mouse, opened } from "./hands.ts";
import { look } from "./screens.ts";

/** Ten tasks of a newcomer, each from the home screen: once with the mouse, once with the keyboard alone. Their counts are printed. */

const console = await testConsole();
const { service } = console;

const ann = { email: "ann@example.com", name: "Ann Example", role: "Tenant" };
const sam = { email: "sam@example.com", name: "Sam Sample", role: "Landlord" };
const contract = { name: "Contract.pdf", mimeType: "application/pdf", buffer: Buffer.from(paper([text("Contract of sale", 72, 720, 24)])) };

// biome-ignore lint/suspicious/noExplicitAny: the server tests check the shape of answers
type Data = any;

describe.each([
  ["the mouse", mouse, "clicks"],
  ["the keyboard alone", keyboard, "keys"],
] as const)("with %s", (_, handsOn, counted) => {
  let org: TestOrg;
  let page: Page;
  let hands: Hands;

  const call = async (method: string, path: string, body?: object): Promise<Data> => {
    const { status, json } = await org.admin(method, path, body === undefined ? {} : { body });
    expect([status < 300, json.error, json.details]).toEqual([true, undefined, undefined]);
    return json.data;
  };
  const envelopes = async (): Promise<Data[]> => call("GET", "/partner/envelopes?expand=signers");
  const named = async (name: string): Promise<Data> => (await envelopes()).find(({ envelope_name }) => envelope_name === name);

  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
  const step = (name: string) => expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeFocused();

  /** Starts at home, does the task, and prints what it took. */
  const task = async (name: string, act: () => Promise<void>): Promise<void> => {
    await page.goto(`${console.url}/console/`);
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    hands = handsOn(page);
    await act();
    const { presses, typed } = hands.used();
    process.stdout.write(`${name}: ${presses} ${counted}, ${typed} fields typed\n`);
    await look(page, "desktop", `console-90-${name.replaceAll(" ", "-")}`);
  };

  beforeAll(async () => {
    org = await service.newOrg("Example Company");
    const template = await org.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: lease }));
    const { template_id } = template.json.data;
    for (const envelope_name of ["Lease of the mill", "Lease of the barn"]) {
      const body = { envelope_name, customer_name: ann.name, customer_email: ann.email, template_id, signers: [ann, sam] };
      const { envelope_id } = await call("POST", "/partner/envelopes", body);
      await call("POST", `/partner/envelopes/${envelope_id}/send`, { signing_order: "parallel" });
    }
    await call("POST", "/partners/keys", { partner_name: "Billing", scopes: ["envelopes:read"] });
  });

  test("a newcomer does ten tasks", { timeout: 400_000 }, async () => {
    page = await console.open(org, "/");
    await task("send to two", async () => {
      await hands.press(page.getByRole("link", { name: "New envelope" }).filter({ visible: true }).first());
      await opened(page, "New envelope");
      await hands.chooseFile(page.getByLabel("PDF, PNG or JPEG"), contract);
      await hands.write(page.getByLabel("Customer name"), ann.name);
      await hands.write(page.getByLabel("Customer e-mail address"), ann.email);
      await hands.press(button("Continue"));
      await step("Recipients");
      // The customer is the first recipient.
      const person = (n: number) => page.getByRole("group", { name: `Recipient ${n}`, exact: true });
      await hands.press(button("Add recipient"));
      await hands.write(person(2).getByLabel("Name"), sam.name);
      await hands.write(person(2).getByLabel("E-mail address"), sam.email);
      await hands.press(button("Save and continue"));
      await step("Fields");
      await hands.press(button("Skip fields"));
      await step("Options");
      await hands.press(button("Save and continue"));
      await step("Review and send");
      await hands.press(button("Send"));
      await expect(page.getByText("Sent.", { exact: true })).toBeVisible();
      expect((await named("Contract")).status).toBe("sent");
    });
    await task("correct an address", async () => {
      await hands.goTo("mill", "Lease of the mill");
      await hands.press(button("Change Sam Sample"));
      await hands.write(page.getByRole("dialog").getByLabel("E-mail address"), "samuel@example.com");
      await hands.press(inDialog("Save"));
      await expect(page.getByText("samuel@example.com").filter({ visible: true }).first()).toBeVisible();
    });
    await task("remind all", async () => {
      await hands.goTo("barn", "Lease of the barn");
      await hands.press(button("Remind all"));
      await expect(page.getByText("Reminder sent to Ann Example and Sam Sample.")).toBeVisible();
    });
    await task("find by signer", async () => {
      await hands.openScreen("Envelopes");
      await hands.write(page.getByLabel("Search", { exact: true }), "samuel");
      await expect(page.getByRole("rowheader").getByRole("link")).toHaveText(["Lease of the mill"]);
    });
    await task("void", async () => {
      await hands.goTo("barn", "Lease of the barn");
      await hands.choose(button("More"), "Void");
      await hands.write(page.getByLabel("Reason", { exact: true }), "the barn is sold");
      await hands.press(inDialog("Void envelope"));
      await expect(page.getByText("This envelope was voided and can no longer be signed. Reason: the barn is sold")).toBeVisible();
    });
    await task("save as template", async () => {
      await hands.goTo("mill", "Lease of the mill");
      await hands.choose(button("More"), "Save as template");
      await hands.write(page.getByLabel("Name of the template"), "Lease of mills");
      await hands.press(inDialog("Save as template"));
      await opened(page, "Lease of mills");
    });
    await task("bulk-tag", async () => {
      await hands.openScreen("Envelopes");
      // The newest is first.
      for (const name of ["Lease of the barn", "Lease of the mill"]) await hands.select(name);
      await hands.tagSelected();
      await hands.write(page.getByRole("dialog").getByLabel("Tags"), "Country");
      await hands.press(inDialog("Add tags"));
      await expect(page.getByText("2 envelopes tagged.")).toBeVisible();
    });
    await task("export", async () => {
      await hands.openScreen("Envelopes");
      const download = page.waitForEvent("download");
      await hands.press(button("Export CSV"));
      expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    });
    await task("add a webhook", async () => {
      await hands.openScreen("Webhooks");
      await hands.press(button("Add endpoint").first());
      await hands.write(page.getByRole("dialog").getByLabel("URL"), `${console.url}/hook`);
      await hands.press(inDialog("Add endpoint"));
      await expect.poll(async () => (await call("GET", "/webhooks/endpoints")).length).toBe(1);
    });
    await task("deactivate a key", async () => {
      await hands.openScreen("API keys");
      await hands.press(page.getByRole("link", { name: "Billing" }));
      await opened(page, "Billing");
      await hands.press(button("Deactivate"));
      await hands.write(page.getByLabel("Type “Billing” to confirm"), "Billing");
      await hands.press(inDialog("Deactivate key"));
      await expect.poll(async () => (await call("GET", "/partners/keys"))[0].status).toBe("deactivated");
    });
  });
});
