import { beforeAll, describe } from "vitest";
import { text } from "../../pdf/fixtures/pages.ts";
import { form } from "../../server/test/form.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { type Device, expect, fail, type Page, test, testInAll } from "./browser.ts";
import { testConsole } from "./console.ts";
import { lease, paper } from "./documents.ts";
import { look, lookAtDialog, tourDevices } from "./screens.ts";

/** Templates, and placing fields on their pages: by mouse, by keyboard, and next to text. */

const console = await testConsole();
const { service } = console;

interface ShownField {
  readonly name: string;
  readonly type: string;
  readonly role: string;
  readonly required: boolean;
  readonly anchor_match?: object;
  readonly areas: readonly { readonly page: number; readonly x: number; readonly y: number; readonly w: number; readonly h: number }[];
  readonly options: readonly string[] | null;
}

let org: TestOrg;
beforeAll(async () => {
  org = await service.newOrg("Example Company");
});

const plain = paper([text("Order", 72, 720, 24)], [text("Page 2", 72, 720, 24)], [text("Page 3", 72, 720, 24)]);

async function newTemplate(bytes: Uint8Array, name = "Lease"): Promise<string> {
  return (await org.admin("POST", "/partner/templates", form({ name }, { bytes }))).json.data.template_id;
}

async function fieldsOf(template_id: string): Promise<readonly ShownField[]> {
  return (await org.admin("GET", `/partner/templates/${template_id}`)).json.data.fields;
}

const fieldOf = async (template_id: string, name: string): Promise<ShownField> => {
  const found = (await fieldsOf(template_id)).find((field) => field.name === name);
  return found ?? fail(`no field ${name}`);
};

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const type = (page: Page, name: string) => page.getByRole("group", { name: "Add a field" }).getByRole("button", { name, exact: true });
/** A field on the pages. */
const box = (page: Page, name: string) => page.getByRole("button", { name: new RegExp(`^${name}, .*page \\d`) });
const sheet = (page: Page, n: number) => page.getByRole("region", { name: `Page ${n} of` });

async function open(template_id: string): Promise<Page> {
  const page = await console.open(org, `/templates/${template_id}`);
  await type(page, "Signature").waitFor();
  return page;
}

async function save(page: Page): Promise<void> {
  await press(page, "Save");
  await expect(page.getByText(/^\d+ fields?, saved$/)).toBeVisible();
}

/** The screen position of a point on a page, given in fractions of the page. */
async function pointOf(page: Page, n: number, x: number, y: number): Promise<[number, number]> {
  const area = (await sheet(page, n).boundingBox()) ?? fail("no page");
  return [area.x + area.width * x, area.y + area.height * y];
}

/** Scrolls the point to the middle of the window and returns its screen position. */
async function scrolledTo(page: Page, n: number, x: number, y: number): Promise<[number, number]> {
  const [, top] = await pointOf(page, n, x, y);
  await page.evaluate(`scrollBy(0, ${top} - innerHeight / 2)`);
  return pointOf(page, n, x, y);
}

/** The focus never leaves the builder: after each undo and redo the next key acts at once. Begins and ends without the field Text 1. */
async function undoByKeys(page: Page): Promise<void> {
  const expectText1 = async (count: 0 | 1) => {
    await expect(box(page, "Text 1")).toHaveCount(count);
    await expect(count === 1 ? box(page, "Text 1") : page.locator(".builder-canvas")).toBeFocused();
  };
  await page.keyboard.press("Control+z");
  await expectText1(1);
  await page.keyboard.press("Control+z");
  await expectText1(0);
  await page.keyboard.press("Control+y");
  await expectText1(1);
  const name = () => box(page, "Text 1").getAttribute("aria-label");
  const before = await name();
  await page.keyboard.press("Shift+ArrowDown");
  await expect.poll(name).not.toBe(before);
  await page.keyboard.press("Control+z");
  await expect.poll(name).toBe(before);
  await expectText1(1);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(name).not.toBe(before);
  // What is saved can still be redone.
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("3 fields, saved")).toBeVisible();
  await page.keyboard.press("Control+y");
  await expect.poll(name).not.toBe(before);
  // Its panel disappears with the field.
  await page.getByRole("region", { name: "Selected field" }).getByLabel("Required").focus();
  for (const key of ["Control+z", "Control+z"]) await page.keyboard.press(key);
  await expectText1(0);
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+y");
  await expectText1(1);
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await expect(box(page, "Text 2")).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(page.locator(".builder-canvas")).toBeFocused();
  await page.keyboard.press("Control+z");
  await expectText1(0);
}

/** Another name and tags, and people with defaults; an e-mail address without a name is refused. */
async function changeTemplate(page: Page, device: Device): Promise<void> {
  await press(page, "More");
  await page.getByRole("menuitem", { name: "Name and tags" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Lease 2027");
  await dialog.getByLabel("Tags (optional)").fill("Flats, North");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Lease 2027" }).waitFor();
  await press(page, "Edit people and defaults");
  await dialog.getByRole("button", { name: "Add person" }).click();
  const third = dialog.getByRole("group", { name: "Person 3" });
  await third.getByLabel("E-mail address (optional)").fill("di@example.com");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(third.getByText("Name is required with an e-mail address")).toBeVisible();
  await third.getByLabel("Name (optional)").fill("Di Example");
  await dialog.getByLabel("Message (optional)").fill("Please sign.");
  await dialog.getByLabel("Expires after … days (optional)").fill("7");
  await lookAtDialog(page, device, "console-32-template-people");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Template saved.")).toBeVisible();
  await expect(page.getByText("Di Example (di@example.com)")).toBeVisible();
}

describe("templates", () => {
  test("are created from a PDF whose tags become fields, listed with their first page, and archived", async () => {
    for (const device of tourDevices) {
      org = await service.newOrg("Example Company");
      const page = await console.open(org, "/templates", { device });
      await page.getByText("No templates yet").waitFor();
      await expect(page.getByText("{{Signature;type=signature;role=Buyer}}")).toBeVisible();
      await look(page, device, "console-30-templates-none");
      await press(page, "New template");
      await page.getByLabel("PDF file").setInputFiles({ name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") });
      await press(page, "Create");
      await expect(page.getByRole("alert")).toBeVisible();
      await page.getByLabel("Name", { exact: true }).fill("");
      await page.getByLabel("PDF file").setInputFiles({ name: "Lease.pdf", mimeType: "application/pdf", buffer: Buffer.from(lease) });
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Lease");
      await page.getByLabel("External ID (optional)").fill("lease-7");
      await lookAtDialog(page, device, "console-31-template-new");
      await press(page, "Create");
      await page.getByText("Template created with 11 fields from its tags.").waitFor();
      await page.getByRole("button", { name: /^Rent, Number, Tenant, page 1/ }).click();
      await expect(page.getByLabel("Smallest value")).toBeVisible();
      await expect(page.locator(".picture").first()).toBeVisible();
      await look(page, device, "console-32-template");
      const [made] = (await org.admin("GET", "/partner/templates?external_id=lease-7")).json.data;
      expect(made).toMatchObject({ name: "Lease", page_count: 2, field_count: 11, roles: ["Tenant", "Landlord"] });
      await page.getByRole("main").getByRole("link", { name: "Templates" }).click();
      await expect(page.getByRole("listitem").filter({ hasText: "Lease" }).locator("img")).toBeVisible();
      await look(page, device, "console-33-templates");
      await page.getByRole("link", { name: "Lease", exact: true }).click();
      await expect(page.getByRole("link", { name: "Use template" })).toHaveAttribute(
        "href",
        `/console/envelopes/new?template=${made.template_id}`,
      );
      await changeTemplate(page, device);
      await press(page, "More");
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
      await expect(page.getByText(/^Archived .*It cannot be used for new envelopes/)).toBeVisible();
      await box(page, "Rent").click();
      await expect(page.getByLabel("Name", { exact: true })).toBeDisabled();
      await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
      expect((await org.admin("GET", `/partner/templates/${made.template_id}`)).json.data.archived_at).not.toBeNull();
      await page.getByRole("main").getByRole("link", { name: "Templates" }).click();
      await expect(page.getByRole("listitem").filter({ hasText: "Lease 2027" })).toHaveCount(0);
      await page.getByLabel("State").selectOption("Archived");
      await page.getByRole("link", { name: "Lease 2027", exact: true }).click();
      await press(page, "Restore");
      await expect(page.getByText("Template restored.")).toBeVisible();
      await press(page, "More");
      await page.getByRole("menuitem", { name: "Copy" }).click();
      await page.getByRole("heading", { level: 1, name: "Lease 2027 (copy)" }).waitFor();
      await page.getByRole("main").getByRole("link", { name: "Templates" }).click();
      await page.getByLabel("Tag").selectOption("Flats");
      await expect(page.getByRole("main").locator(".template-card")).toHaveCount(2);
      await look(page, device, "console-33-templates-tagged");
      await page.getByLabel("Search", { exact: true }).fill("(copy");
      await expect(page.getByRole("main").locator(".template-card")).toHaveCount(1);
      await press(page, "Actions for Lease 2027 (copy)");
      await expect(page.getByRole("menuitem")).toHaveText([
        "Open",
        "Use template",
        "Send in bulk",
        "Public link",
        "Name and tags",
        "Copy",
        "Archive",
      ]);
      await look(page, device, "console-33-template-menu");
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
      await expect(page.getByText("“Lease 2027 (copy)” was archived.")).toBeVisible();

      const body = { envelope_name: "For Ann", customer_email: "ann@example.com", customer_name: "Ann", template_id: made.template_id };
      await org.admin("POST", "/partner/envelopes", { body });
      await page.goto(`${console.url}/console/templates/${made.template_id}`);
      const used = page.getByRole("region", { name: "Where used" });
      await expect(used.getByRole("link")).toHaveText(["1 envelope", "1 of them a draft"]);
      await used.getByRole("link", { name: "1 of them a draft" }).click();
      await expect(page.getByText("Template: Lease 2027")).toBeVisible();
      await expect(page.getByRole("link", { name: "For Ann" })).toBeVisible();
      await press(page, "Remove template filter: Lease 2027");
      await expect(page).toHaveURL(`${console.url}/console/envelopes?stage=draft`);
    }
  });

  testInAll("show viewers the fields, and why they cannot edit them", async () => {
    const template_id = await newTemplate(lease);
    const page = await console.open(org, `/templates/${template_id}`, { as: await console.join(org, "viewer") });
    await page.getByText("you cannot edit fields").waitFor();
    await box(page, "Rent").click();
    await expect(page.getByRole("region", { name: "Selected field" }).getByText("Number")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Use template" })).toHaveCount(0);
  });
});

describe("placing fields", () => {
  test("gives the same result by mouse and by keyboard", async () => {
    const [byMouse, byKeys] = [await newTemplate(plain, "By mouse"), await newTemplate(plain, "By keys")];
    const page = await open(byMouse);
    await type(page, "Signature").hover();
    await page.mouse.down();
    await page.mouse.move(...(await scrolledTo(page, 1, 0.53, 0.4)), { steps: 3 });
    await page.mouse.up();
    await expect(box(page, "Signature 1")).toBeFocused();
    await type(page, "Text").click();
    await page.getByText("Click the page where the field goes").waitFor();
    await page.mouse.click(...(await scrolledTo(page, 1, 0.5, 0.45)));
    await box(page, "Text 1").waitFor();
    await type(page, "Checkbox").click();
    await page.mouse.click(...(await scrolledTo(page, 2, 0.5, 0.5)));
    await expect(box(page, "Checkbox 1")).toHaveAccessibleName(/page 2, 48.7% from the left, 49% from the top$/);
    await save(page);

    await page.goto(`${console.url}/console/templates/${byKeys}`);
    await type(page, "Signature").press("Enter");
    await expect(box(page, "Signature 1")).toBeFocused();
    // One point each, with Shift ten.
    for (const key of ["Shift+ArrowRight", ...Array<string>(8).fill("ArrowRight")]) await page.keyboard.press(key);
    for (const key of ["ArrowDown", ...Array<string>(8).fill("Shift+ArrowUp")]) await page.keyboard.press(key);
    await expect(page.getByText("Signature 1, page 1, 38.2% from the left, 37.2% from the top")).toBeAttached();
    await type(page, "Text").press("Enter");
    await expect(box(page, "Text 1")).toBeFocused();
    for (let n = 0; n < 4; n++) await page.keyboard.press("Shift+ArrowUp");
    await type(page, "Checkbox").press("Enter");
    await expect(box(page, "Checkbox 1")).toBeFocused();
    await page.getByLabel("Page (of 3)").fill("2");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("3 fields, saved")).toBeVisible();

    const fields = await fieldsOf(byMouse);
    // Dropped to a thousandth of the page, moved by points.
    const near = ({ page, ...place }: ShownField["areas"][number]) => ({
      page,
      ...Object.fromEntries(Object.entries(place).map(([side, value]) => [side, expect.closeTo(value, 2.7)])),
    });
    expect(await fieldsOf(byKeys)).toEqual(fields.map((field) => ({ ...field, areas: field.areas.map(near) })));
    expect(fields.map(({ name, role, required, areas }) => ({ name, role, required, areas }))).toEqual([
      { name: "Signature 1", role: "Signer", required: true, areas: [{ page: 1, x: 0.383, y: 0.372, w: 0.294, h: 0.056 }] },
      { name: "Text 1", role: "Signer", required: false, areas: [{ page: 1, x: 0.353, y: 0.436, w: 0.294, h: 0.028 }] },
      { name: "Checkbox 1", role: "Signer", required: false, areas: [{ page: 2, x: 0.487, y: 0.49, w: 0.026, h: 0.02 }] },
    ]);
  });

  testInAll("has the field types at the left of the pages, and above them where there is less room", async () => {
    const page = await open(await newTemplate(plain, "Wide and narrow"));
    const edges = async () => {
      const [types, paper] = [await type(page, "Signature").boundingBox(), await page.locator(".sheet").first().boundingBox()];
      return types === null || paper === null
        ? null
        : { isLeft: types.x + types.width <= paper.x, isAbove: types.y + types.height <= paper.y };
    };
    await type(page, "Signature").waitFor();
    await expect.poll(edges).toEqual({ isLeft: false, isAbove: true });
    await page.setViewportSize({ width: 1500, height: 800 });
    await expect.poll(edges).toEqual({ isLeft: true, isAbove: false });
    await type(page, "Text").press("Enter");
    await expect(box(page, "Text 1")).toBeFocused();
    await look(page, "desktop", "console-34-builder-wide");
  });

  testInAll("every type has its settings, and a mistake is shown beside its setting", async () => {
    const template_id = await newTemplate(plain);
    const page = await open(template_id);
    const fill = (label: string, value: string) => page.getByLabel(label, { exact: false }).fill(value);
    await type(page, "Number").press("Enter");
    await fill("Smallest value", "10");
    await fill("Largest value", "5");
    await fill("Decimal places", "2");
    await fill("Unit", "EUR");
    await press(page, "Save");
    await expect(page.getByText("Largest value must not be less than the smallest value")).toBeVisible();
    await fill("Largest value", "5000");
    await type(page, "Dropdown").press("Enter");
    await fill("Choices", "first\nsecond");
    await type(page, "Date").press("Enter");
    await page.getByLabel("Day of signing, filled in automatically").check();
    await expect(page.getByLabel("Earliest day")).toHaveCount(0);
    await type(page, "Text").press("Enter");
    await page.getByLabel("Format").selectOption("email");
    await page.getByLabel("Filled in by the sender").check();
    await page.getByRole("textbox", { name: "Value", exact: true }).fill("office@example.com");
    await type(page, "Checkbox").press("Enter");
    await fill("Group", "Pets");
    await fill("At least ticked", "1");
    await type(page, "Fixed text").press("Enter");
    await expect(page.getByLabel("Role", { exact: true })).toHaveCount(0);
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("Not valid without a stamp");
    await save(page);
    const saved = (await fieldsOf(template_id)) as readonly (ShownField & Record<string, unknown>)[];
    expect(
      saved.map(({ type, role, settings, options, default_value, readonly }) => [type, role, settings ?? options, default_value, readonly]),
    ).toEqual([
      ["number", "Signer", { min: "10", max: "5000", places: 2, unit: "EUR" }, null, false],
      ["select", "Signer", ["first", "second"], null, false],
      ["date", "Signer", { fill: "signing_day" }, null, false],
      ["text", "Signer", { format: "email", sender_fills: true }, "office@example.com", true],
      ["checkbox", "Signer", { group: "Pets", min: "1" }, null, false],
      ["label", null, null, "Not valid without a stamp", true],
    ]);
    await look(page, "desktop", "template-settings");

    await press(page, "Preview");
    const signing = page.frameLocator('iframe[title="Signing page"]');
    await signing.getByLabel("I have read this text and agree").check();
    await signing.getByRole("button", { name: "Continue" }).click();
    await signing.getByLabel("Number 1").fill("7");
    await signing.getByLabel("Number 1").press("Tab");
    await expect(signing.getByLabel("Number 1")).toHaveAttribute("aria-invalid", "true");
    await look(page, "desktop", "builder-preview");
    await expect(signing.getByText("Change this")).toBeVisible();
    const preview = page.getByRole("dialog", { name: "Preview as Signer" });
    await preview.getByRole("button", { name: "Close" }).click();
    expect(await fieldsOf(template_id)).toEqual(saved);
    // The page in the frame has the focus; the key closes the dialog around it, after the menu in it.
    await press(page, "Preview");
    await signing.getByRole("button", { name: "Menu" }).press("Enter");
    await expect(signing.getByRole("button", { name: "Menu" })).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("Escape");
    await expect(signing.getByRole("button", { name: "Menu" })).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press("Escape");
    await expect(preview).toHaveCount(0);
    await page.reload();
    await box(page, "Number 1").click();
    await fill("Unit", "USD");
    await save(page);
    expect((await fieldOf(template_id, "Number 1")) as object).toMatchObject({
      settings: { min: "10", max: "5000", places: 2, unit: "USD" },
    });
  });

  testInAll("several fields are selected with a frame, moved together, aligned, copied to other pages, and undone", async () => {
    const template_id = await newTemplate(plain);
    const at = (x: number, y: number) => ({ mode: "absolute", areas: [{ page: 1, x, y, w: 0.2, h: 0.04 }] });
    const fields = [
      { name: "One", type: "text", role: "Buyer", placement: at(0.1, 0.1) },
      { name: "Two", type: "initials", role: "Seller", placement: at(0.5, 0.3) },
    ];
    await org.admin("PUT", `/partner/templates/${template_id}/fields`, { body: { fields } });
    const page = await open(template_id);
    const [left, top] = await scrolledTo(page, 1, 0.05, 0.05);
    const area = await sheet(page, 1).boundingBox();
    await page.mouse.move(left, top);
    await page.mouse.down();
    await page.mouse.move(left + (area?.width ?? 0) * 0.8, top + (area?.height ?? 0) * 0.35, { steps: 4 });
    await page.mouse.up();
    await expect(page.getByRole("heading", { name: "2 fields" })).toBeVisible();

    // Dragging one of them moves both. There is nothing near to snap to.
    const one = await box(page, "One").boundingBox();
    const [fromX, fromY] = [(one?.x ?? 0) + 10, (one?.y ?? 0) + 10];
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(fromX + (area?.width ?? 0) * 0.1, fromY + (area?.height ?? 0) * 0.05, { steps: 4 });
    await page.mouse.up();
    await expect(box(page, "One")).toHaveAccessibleName(/20% from the left, 15% from the top/);
    await expect(box(page, "Two")).toHaveAccessibleName(/60% from the left, 35% from the top/);
    await press(page, "Align left");
    await expect(box(page, "Two")).toHaveAccessibleName(/20% from the left, 35% from the top/);
    await press(page, "Undo");
    await expect(box(page, "Two")).toHaveAccessibleName(/60% from the left/);
    await press(page, "Undo");
    await expect(box(page, "One")).toHaveAccessibleName(/10% from the left, 10% from the top/);
    await expect(page.getByText("2 fields, saved")).toBeVisible();
    await press(page, "Redo");

    await box(page, "Two").click();
    await page.getByLabel("Copy to pages").fill("2-4");
    await press(page, "Copy");
    await expect(page.getByText("Copy to pages must be pages from 1 to 3")).toBeVisible();
    await page.getByLabel("Copy to pages").fill("2-3");
    await press(page, "Copy");
    await expect(box(page, "Two")).toHaveCount(3);
    await box(page, "One").click();
    await page.keyboard.press("Control+d");
    await expect(box(page, "Text 1")).toBeFocused();
    await page.keyboard.press("Delete");
    await expect(box(page, "Text 1")).toHaveCount(0);
    await undoByKeys(page);
    await save(page);
    expect((await fieldsOf(template_id)).map(({ name, areas }) => [name, areas.map(({ page, x, y }) => [page, x, y])])).toEqual([
      ["One", [[1, 0.2, 0.15]]],
      ["Two", [1, 2, 3].map((n) => [n, 0.6, 0.35])],
    ]);
  });

  testInAll("three fields are spread evenly; zoomed pages are larger, and a field goes where it is dropped on them", async () => {
    const template_id = await newTemplate(plain);
    const at = (x: number, y: number) => ({ mode: "absolute", areas: [{ page: 1, x, y, w: 0.1, h: 0.04 }] });
    const field = (name: string, x: number, y: number) => ({ name, type: "text", role: "Buyer", placement: at(x, y) });
    const fields = [field("One", 0.1, 0.2), field("Two", 0.2, 0.24), field("Three", 0.7, 0.4)];
    await org.admin("PUT", `/partner/templates/${template_id}/fields`, { body: { fields } });
    const page = await open(template_id);
    const places = async () => (await fieldsOf(template_id)).map(({ name, areas: [area] }) => [name, area?.x, area?.y]);
    await box(page, "One").click();
    await box(page, "Two").click({ modifiers: ["Shift"] });
    await expect(page.getByRole("button", { name: "Equal gaps across" }), "two fields have one gap").toHaveCount(0);
    await box(page, "Three").click({ modifiers: ["Shift"] });
    await press(page, "Equal gaps across");
    await press(page, "Equal gaps down");
    await save(page);
    expect(await places()).toEqual([
      ["One", 0.1, 0.2],
      ["Two", 0.4, 0.3],
      ["Three", 0.7, 0.4],
    ]);
    for (const _ of ["down", "across"]) await press(page, "Undo");
    await save(page);
    expect(await places()).toEqual(fields.map(({ name, placement }) => [name, placement.areas[0]?.x, placement.areas[0]?.y]));

    const width = async () => (await sheet(page, 1).boundingBox())?.width ?? 0;
    const before = await width();
    for (const percent of ["125%", "150%", "200%"]) {
      await press(page, "Zoom in");
      await expect(page.getByRole("status", { name: "Zoom" })).toHaveText(percent);
    }
    await expect.poll(width).toBeCloseTo(before * 2, 0);
    await expect(page.getByRole("button", { name: "Zoom in" })).toHaveAttribute("aria-disabled", "true");
    await type(page, "Checkbox").click();
    await page.mouse.click(...(await scrolledTo(page, 1, 0.25, 0.6)));
    await expect(box(page, "Checkbox 1")).toHaveAccessibleName(/page 1, 23.7% from the left, 59% from the top$/);
    await box(page, "Checkbox 1").press("ArrowRight");
    await expect(box(page, "Checkbox 1"), "one point, however large it is shown").toHaveAccessibleName(/23.9% from the left/);
    for (const _ of ["150%", "125%", "100%", "75%", "50%"]) await press(page, "Zoom out");
    await expect.poll(width).toBeCloseTo(before / 2, 0);
    expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await save(page);
    expect((await fieldOf(template_id, "Checkbox 1")).areas).toMatchObject([{ page: 1, y: 0.59 }]);
  });

  testInAll("the preview shows the page of each person, on a computer and on a phone", async () => {
    const template_id = await newTemplate(lease);
    const page = await open(template_id);
    await press(page, "Preview");
    const signing = page.frameLocator('iframe[title="Signing page"]');
    const agree = async () => {
      await signing.getByLabel("I have read this text and agree").check();
      await signing.getByRole("button", { name: "Continue" }).click();
    };
    await page.getByRole("dialog", { name: "Preview as Tenant" }).waitFor();
    await agree();
    await expect(signing.getByLabel("Rent")).toBeVisible();
    await page.getByLabel("Person", { exact: true }).selectOption("Landlord");
    await page.getByRole("dialog", { name: "Preview as Landlord" }).waitFor();
    await agree();
    await expect(signing.getByRole("button", { name: /Landlord signature/ }).first()).toBeVisible();
    await expect(signing.getByLabel("Rent")).toHaveCount(0);
    await press(page, "Phone");
    await expect.poll(async () => (await page.locator(".preview-frame").boundingBox())?.width).toBeLessThan(420);
    await expect(signing.getByRole("button", { name: /Landlord signature/ }).first(), "the same page, only narrower").toBeVisible();
    await look(page, "desktop", "builder-preview-narrow");
  });

  testInAll("a dragged field snaps to the guides of other fields unless Ctrl is held, and dragging a corner resizes it", async () => {
    const template_id = await newTemplate(plain);
    const at = (x: number, y: number) => ({ mode: "absolute", areas: [{ page: 1, x, y, w: 0.2, h: 0.04 }] });
    const field = (name: string, x: number, y: number) => ({ name, type: "text", role: "Buyer", placement: at(x, y) });
    await org.admin("PUT", `/partner/templates/${template_id}/fields`, {
      body: { fields: [field("One", 0.1, 0.1), field("Two", 0.5, 0.3)] },
    });
    const page = await open(template_id);
    /** drags it by its middle, because its corners resize it */
    const dragTo = async (left: number, top: number) => {
      await scrolledTo(page, 1, left, top);
      const two = (await box(page, "Two").boundingBox()) ?? fail("no field");
      await page.mouse.move(two.x + two.width / 2, two.y + two.height / 2);
      await page.mouse.down();
      await page.mouse.move(...(await pointOf(page, 1, left + 0.1, top + 0.02)), { steps: 3 });
    };
    await dragTo(0.104, 0.3);
    await expect(page.locator(".guide.x")).toBeVisible();
    await page.mouse.up();
    await expect(page.locator(".guide")).toHaveCount(0);
    await expect(box(page, "Two")).toHaveAccessibleName(/ 10% from the left, 30% from the top/);
    await page.keyboard.down("Control");
    await dragTo(0.104, 0.5);
    await page.mouse.up();
    await page.keyboard.up("Control");
    await expect(box(page, "Two")).toHaveAccessibleName(/ 10.4% from the left, 50% from the top/);
    const [x, y] = await scrolledTo(page, 1, 0.304, 0.54);
    await page.mouse.move(x + 3, y + 3);
    await page.mouse.down();
    await page.mouse.move(...(await pointOf(page, 1, 0.45, 0.6)), { steps: 3 });
    await expect(page.getByLabel("Width, %")).toHaveValue(/^34/);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await expect(page.getByLabel("Width, %")).toHaveValue("20");
    await box(page, "Two").press("Alt+ArrowRight");
    await expect(page.getByLabel("Width, %")).toHaveValue("20.2");
  });
});

describe("a document with tags", () => {
  testInAll(
    "keeps settings that only a tag can make; anchors are found, saved and detached after confirmation; errors are shown at their field",
    async () => {
      const template_id = await newTemplate(lease);
      const before = await fieldsOf(template_id);
      const page = await open(template_id);
      await box(page, "Floor").focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Control+z");
      await expect(page.getByText("11 fields, saved")).toBeVisible();
      await page.keyboard.press("Control+Shift+z");
      await page.getByLabel("Name", { exact: true }).fill("<img src=x onerror=alert(1)>");
      await expect(page.getByRole("heading", { name: "<img src=x onerror=alert(1)>" })).toBeVisible();
      await save(page);
      const floor = before.findIndex(({ name }) => name === "Floor");
      const moved = before.map((field, index) =>
        index === floor
          ? {
              ...field,
              name: "<img src=x onerror=alert(1)>",
              areas: field.areas.map((area) => ({ ...area, y: Math.round((area.y + 1 / 792) * 1e6) / 1e6 })),
            }
          : field,
      );
      expect(await fieldsOf(template_id)).toEqual(moved);

      await press(page, "Place next to text");
      await expect(page.getByLabel("Text to find")).toBeFocused();
      await page.keyboard.type("no such words");
      await page.keyboard.press("Enter");
      await expect(page.getByText("Text to find does not occur in the text of the document")).toBeVisible();
      await page.getByLabel("Text to find").fill("NOTICE,  in writing");
      await page.keyboard.press("Enter");
      await expect(page.getByText("Found 2 times.")).toBeVisible();
      await expect(page.locator(".match.found")).toHaveCount(2);
      await page.getByLabel("Match").selectOption("2");
      await expect(page.getByLabel("Position", { exact: true })).toHaveValue("right");
      await page.getByLabel("Position", { exact: true }).selectOption("Below the text");
      // A field half below the bar would count as too small a target.
      await page.evaluate("scrollTo(0, 0)");
      await look(page, "desktop", "console-34-builder-next-to-text");
      await press(page, "Place field");
      await expect(box(page, "Signature 1")).toBeFocused();
      await save(page);
      const anchored = await fieldOf(template_id, "Signature 1");
      expect(anchored.anchor_match).toMatchObject({ page: 2 });
      expect(anchored.areas).toMatchObject([{ page: 2, w: 0.294, h: 0.056 }]);
      // Below its words, not on them.
      const { y: wordsAt = 0, h: wordsHigh = 0 } = (anchored.anchor_match ?? {}) as { y?: number; h?: number };
      expect(anchored.areas[0]?.y).toBeGreaterThan(wordsAt + wordsHigh);

      await box(page, "Signature 1").press("ArrowRight");
      await page.getByRole("dialog", { name: "Move field away from its text" }).waitFor();
      await press(page, "Cancel");
      await expect(page.getByText("12 fields, saved")).toBeVisible();
      await box(page, "Signature 1").press("ArrowRight");
      await press(page, "Move field");
      await save(page);
      expect((await fieldOf(template_id, "Signature 1")).anchor_match).toBeUndefined();

      await page.getByLabel("New role").fill("tenant");
      await press(page, "Add");
      await page.getByLabel("Role", { exact: true }).selectOption("tenant");
      await press(page, "Save");
      await expect(page.getByText('Role differs from "Tenant" only in case or spacing')).toBeVisible();
      await expect(box(page, "Signature 1")).toBeFocused();
      await expect(box(page, "Signature 1")).toHaveAccessibleName(/has an error$/);
      const saves: string[] = [];
      page.on("request", (request) => request.method() === "PUT" && saves.push(request.url()));
      await expect(page.getByText("Not saved: 1 field has an error")).toBeVisible();
      // A field half below the bar would count as too small a target.
      await page.evaluate("scrollTo(0, 0)");
      await look(page, "desktop", "console-35-builder-error");
      await press(page, "Rename tenant");
      await expect(page.getByRole("alert")).toHaveCount(0);
      await page.getByLabel("New name for tenant").fill("Witness");
      await page.keyboard.press("Enter");
      await save(page);
      expect((await fieldOf(template_id, "Signature 1")).role).toBe("Witness");
      expect(saves, "what was refused is sent again only when the user asks").toHaveLength(1);
    },
  );

  testInAll(
    "saves after a pause and when the user leaves; does not overwrite what another user changed; and pastes into another document",
    async () => {
      const template_id = await newTemplate(lease, "Kept");
      const rentAt = async () => (await fieldsOf(template_id)).find(({ name }) => name === "Rent")?.areas[0]?.x ?? 0;
      const page = await console.open(org, `/templates/${template_id}`);
      const before = await rentAt();
      await box(page, "Rent").press("ArrowRight");
      await expect(page.getByText("Not saved yet")).toBeVisible();
      await expect(page.getByText("11 fields, saved")).toBeVisible();
      const once = await rentAt();
      expect(once).toBeGreaterThan(before);
      await box(page, "Rent").press("ArrowRight");
      await page.getByRole("main").getByRole("link", { name: "Templates" }).click();
      await expect(page).toHaveURL(`${console.url}/console/templates`);
      expect(await rentAt()).toBeGreaterThan(once);

      await page.getByRole("link", { name: "Kept" }).click();
      await box(page, "Rent").waitFor();
      const kept = (await fieldsOf(template_id)).slice(1).map(({ name }, index) => ({ keep: { position: index + 1, name } }));
      await org.admin("PUT", `/partner/templates/${template_id}/fields`, { body: { fields: kept } });
      await box(page, "Rent").press("ArrowRight");
      await expect(page.getByRole("alert")).toContainText("These fields were changed in another window or by another person.");
      await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
      await press(page, "Load that version");
      await expect(page.getByText("10 fields, saved")).toBeVisible();
      // Saving here would delete a field that another user has added, although none of the kept fields changed.
      const areas = [{ page: 1, x: 0.5, y: 0.5, w: 0.2, h: 0.05 }];
      const added = { name: "Added elsewhere", type: "text", role: "Tenant", placement: { mode: "absolute", areas } };
      await org.admin("POST", `/partner/templates/${template_id}/fields`, { body: { fields: [added] } });
      await box(page, "Rent").press("Delete");
      const envelopes = page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Envelopes" });
      await envelopes.click();
      await expect(page.getByText("Your last changes could not be saved.")).toBeVisible();
      await press(page, "Stay here");
      await expect(page.getByText("Your last changes could not be saved.")).toHaveCount(0);
      await envelopes.click();
      await press(page, "Discard changes");
      await expect(page).toHaveURL(`${console.url}/console/envelopes`);
      expect(await fieldsOf(template_id)).toHaveLength(11);

      await page.goto(`${console.url}/console/templates/${template_id}`);
      await box(page, "Added elsewhere").press("Enter");
      await box(page, "Added elsewhere").press("Control+c");
      const other = await newTemplate(paper([]), "Other");
      await page.goto(`${console.url}/console/templates/${other}`);
      await type(page, "Signature").focus();
      await page.keyboard.press("Control+v");
      await expect(page.getByText("1 field, saved")).toBeVisible();
      expect(await fieldsOf(other)).toMatchObject([{ type: "text", role: "Tenant", areas: [{ page: 1, w: 0.2 }] }]);
    },
  );
});
