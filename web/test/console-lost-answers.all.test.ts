import { beforeAll, describe } from "vitest";
import { form } from "../../server/test/form.ts";
import { leasePdf } from "../../server/test/lease.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { newMember, vaultedByPipeline } from "../../server/test/vaulted.ts";
import { expect, test, watchOf } from "./browser.ts";
import { type Colleague, testConsole } from "./console.ts";
import { loseAnswer } from "./lose-answer.ts";
import {
  type Act,
  ALREADY,
  fromMenu,
  inDialog,
  inLastDialog,
  inside,
  NO_ANSWER,
  office,
  press,
  saveIn,
  seen,
  tryTwice,
  type,
} from "./lost-acts.ts";

/** The connection ends in the middle of a save: nothing that was entered is lost, and nothing is created twice. */

const console = await testConsole();
const { service } = console;

interface Saved {
  readonly what: string;
  readonly path: string;
  /** of the request, below the API's path */
  readonly url: string;
  readonly open: string;
  readonly label: string;
  readonly words: string;
  readonly button: string;
  /** what the second attempt says */
  readonly said: string | RegExp;
  /** lists what exists */
  readonly list: string;
}

const saves: readonly Saved[] = [
  {
    what: "a customer",
    path: "/customers",
    url: "/partner/customers",
    open: "New customer",
    label: "Name",
    words: "Ann Example",
    button: "Add customer",
    said: /Ann Example/,
    list: "/customers",
  },
  {
    what: "an API key",
    path: "/keys",
    url: "/partners/keys",
    open: "Create key",
    label: "Name",
    words: "Billing",
    button: "Create key",
    said: ALREADY,
    list: "/partners/keys",
  },
  {
    what: "a webhook endpoint",
    path: "/webhooks",
    url: "/webhooks/endpoints",
    open: "Add endpoint",
    label: "URL",
    words: `${console.url}/hook`,
    button: "Add endpoint",
    said: ALREADY,
    list: "/webhooks/endpoints",
  },
  {
    what: "an invitation",
    path: "/members",
    url: "/org/invitations",
    open: "Invite member",
    label: "E-mail address",
    words: "sam@example.com",
    button: "Invite",
    said: ALREADY,
    list: "/org/invitations",
  },
  {
    what: "a sandbox",
    path: "/sandboxes",
    url: "/org/sandboxes",
    open: "New sandbox",
    label: "Name",
    words: "Our tests",
    button: "Create",
    said: "Our tests",
    list: "/org/sandboxes",
  },
];

describe("a save whose answer is lost", () => {
  test.each(saves)("of $what is repeated without a second one", async ({ path, url, open, label, words, button, said, list }) => {
    const org = await service.newOrg();
    const page = await console.open(org, path);
    watchOf(page.context()).expect(/ERR_CONNECTION_RESET/);
    await page.getByRole("button", { name: open, exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(label, { exact: true }).fill(words);
    await loseAnswer(page, new RegExp(`/api/v2${url}$`), "POST");
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await expect(dialog.getByText(NO_ANSWER)).toBeVisible();
    await expect(dialog.getByLabel(label, { exact: true })).toHaveValue(words);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await expect(page.getByText(said).filter({ visible: true }).first()).toBeVisible();
    const { json } = await org.admin("GET", list);
    expect(json.data.sandboxes ?? json.data).toHaveLength(1);
  });
});

describe("an act whose answer is lost", () => {
  const its = office(console);
  const { ids, at, read, make, entries } = its;
  let org: TestOrg;
  let kim: Colleague;

  beforeAll(async () => {
    org = await its.open();
    ids.member = (await console.join(org, "member", "Sam Sample")).user_id;
    kim = await console.join(org, "member", "Kim Colleague");
    ids.key = (await make("/partners/keys", { partner_name: "Billing", scopes: ["envelopes:read"] })).key_id;
    ids.endpoint = (await make("/webhooks/endpoints", { url: `${console.url}/hook`, enabled: false })).endpoint_id;
    const template = await org.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: Buffer.from(leasePdf) }));
    ids.template = template.json.data.template_id;
    ids.form = (
      await make("/partner/forms", {
        template_id: ids.template,
        name: "Lease online",
        settings: { recipients: [{ kind: "signer", role: "Landlord", name: "Sam Sample", email: "sam@example.com" }] },
      })
    ).form_id;
    ids.record = await vaultedByPipeline(service, org);
    // For acts that end or change what other rows need.
    ids.leaving = (await console.join(org, "member", "Lee Leaver")).user_id;
    ids.oldKey = (await make("/partners/keys", { partner_name: "Old integration", scopes: ["envelopes:read"] })).key_id;
    ids.oldEndpoint = (await make("/webhooks/endpoints", { url: `${console.url}/old`, enabled: false })).endpoint_id;
    ids.party = (await make("/partner/parties", { kind: "people", name: "First Lender" })).party_id;
    ids.exported = await vaultedByPipeline(service, org);
    ids.held = await vaultedByPipeline(service, org);
    ids.heldToo = await vaultedByPipeline(service, org);
    const another = await newMember(service, org, "admin");
    ids.received = await vaultedByPipeline(service, org);
    const packing = { recipient: { name: "Third Example Bank", email: "third@example.com" }, reason: "Sold" };
    ids.hash = (await another.send("POST", at("/partner/envelopes/:received/vault-out"), { body: packing })).json.data.package_sha256;
    const releaseOf = async (record: string) => {
      const { hold_id } = await make(`/partner/envelopes/:${record}/vault/legal-hold`, { reason: "Lawsuit" });
      const { control_version } = await read(`/partner/envelopes/:${record}/vault`);
      return { kind: "release_hold", hold_id, reason: "The lawsuit is over", present_version: control_version };
    };
    const proposed = await another.send("POST", at("/partner/envelopes/:held/acts"), { body: await releaseOf("held") });
    ids.decided = proposed.json.data.act_id;
    ids.cancelled = (await make("/partner/envelopes/:heldToo/acts", await releaseOf("heldToo"))).act_id;
    const { customer_id } = await make("/partner/customers", { name: "Ann Paper" });
    const signed = form({}, { bytes: Buffer.from(leasePdf), name: "lease.pdf" });
    ids.paper = (await org.admin("POST", `/partner/customers/${customer_id}/documents`, signed)).json.data.envelope_id;
    const certification = { accepted: true, terms_version: "2026-01" };
    await make("/partner/envelopes/:paper/vault-in-upload", { source: "paper_upload", certification });
  }, 120_000);

  const acts: readonly Act[] = [
    {
      what: "the settings of the organization",
      path: "/settings",
      method: "PATCH",
      url: /\/org\/settings$/,
      fill: inside("Organization", "Name", "Harbour Lending"),
      send: saveIn("Organization"),
      entered: ["Name", "Harbour Lending"],
      said: seen(/^Saved\./),
      now: async () => (await read("/org/settings")).name,
      expected: "Harbour Lending",
    },
    {
      what: "the settings of the vault",
      path: "/settings",
      method: "PATCH",
      url: /\/org\/settings$/,
      fill: type("Minimum retention in days", "3650"),
      send: saveIn("Vault"),
      entered: ["Minimum retention in days", "3650"],
      said: seen(/^Saved\./),
      now: async () => (await read("/org/settings")).min_retention_days,
      expected: 3650,
    },
    {
      what: "the branding",
      path: "/settings",
      method: "PATCH",
      url: /\/org\/settings$/,
      fill: async (page) => {
        await page.getByLabel("Light or dark", { exact: true }).selectOption("light");
        await page.getByLabel("Accent", { exact: true }).fill("#0a5c36");
      },
      send: saveIn("Branding"),
      entered: ["Accent", "#0a5c36"],
      said: seen(/^Saved\./),
      now: async () => (await read("/org/settings")).branding.accent,
      expected: "#0a5c36",
    },
    {
      what: "an origin",
      path: "/settings",
      method: "PATCH",
      url: /\/org\/settings$/,
      fill: async (page) => {
        await page.getByRole("button", { name: "Add origin" }).click();
        await page.getByLabel("Origin 1", { exact: true }).fill("https://app.example.com");
      },
      send: saveIn("Embedding"),
      entered: ["Origin 1", "https://app.example.com"],
      said: seen(/^Saved\./),
      now: async () => (await read("/org/settings")).embed_origins,
      expected: ["https://app.example.com"],
    },
    {
      what: "the time zone of e-mails",
      path: "/settings/mail",
      method: "PATCH",
      url: /\/org\/settings$/,
      fill: type("Time zone", "Europe/Berlin"),
      send: saveIn("Times, replies and files"),
      entered: ["Time zone", "Europe/Berlin"],
      said: seen(/^Saved\./),
      now: async () => (await read("/org/settings")).time_zone,
      expected: "Europe/Berlin",
    },
    {
      what: "the words of an e-mail",
      path: "/settings/mail",
      method: "PUT",
      url: /\/org\/mail-texts/,
      fill: type("Subject (optional)", "Please sign {{envelope_name}}"),
      send: saveIn("Words of e-mails"),
      entered: ["Subject (optional)", "Please sign {{envelope_name}}"],
      said: (page) => expect(page.getByLabel("E-mail", { exact: true })).toContainText("Invitation to sign (changed)"),
      now: async () => (await read("/org/mail-texts")).texts.length,
      expected: 1,
    },
    {
      what: "a role",
      path: "/members",
      method: "PATCH",
      url: /\/org\/members\//,
      fill: async (page) => {
        await page.getByRole("button", { name: "Actions for Sam Sample" }).click();
        await page.getByRole("menuitem", { name: "Change role" }).click();
        await page.getByRole("dialog").getByLabel("Role", { exact: true }).selectOption("viewer");
      },
      send: press("Change role"),
      entered: ["Role", "viewer"],
      said: seen("Sam Sample now has the role viewer."),
      now: () => entries("member.role_changed"),
      expected: 1,
    },
    {
      what: "another name of a key",
      path: "/keys/:key",
      method: "PATCH",
      url: /\/partners\/keys\//,
      fill: inDialog("Edit", "Name", "Invoices"),
      send: press("Save"),
      entered: ["Name", "Invoices"],
      said: (page) => expect(page.getByRole("heading", { level: 1, name: "Invoices" })).toBeVisible(),
      now: async () => (await read("/partners/keys/:key")).partner_name,
      expected: "Invoices",
    },
    {
      what: "the rotation of a key",
      path: "/keys/:key",
      method: "POST",
      url: /\/rotate$/,
      fill: async (page) => {
        await page.getByRole("button", { name: "Rotate", exact: true }).click();
        await page.getByLabel("Grace period for the current key").selectOption("1 hour");
      },
      send: press("Rotate key"),
      entered: ["Grace period for the current key", "3600"],
      said: seen(ALREADY),
      now: () => entries("key.rotated"),
      expected: 1,
    },
    {
      what: "another description of an endpoint",
      path: "/webhooks/:endpoint",
      method: "PATCH",
      url: /\/webhooks\/endpoints\//,
      fill: inDialog("Edit", "Description (optional)", "Receiver"),
      send: press("Save"),
      entered: ["Description (optional)", "Receiver"],
      said: (page) => expect(page.getByRole("dialog")).toHaveCount(0),
      now: async () => (await read("/webhooks/endpoints/:endpoint")).description,
      expected: "Receiver",
    },
    {
      what: "the rotation of a webhook's secret",
      path: "/webhooks/:endpoint",
      method: "POST",
      url: /\/rotate-secret$/,
      fill: async (page) => {
        await page.getByRole("tab", { name: "Details and secret" }).click();
        await page.getByRole("button", { name: "Rotate", exact: true }).click();
      },
      send: press("Rotate secret"),
      said: seen(ALREADY),
      now: () => entries("endpoint.secret_rotated"),
      expected: 1,
    },
    {
      what: "another name of a template",
      path: "/templates/:template",
      method: "PATCH",
      url: /\/partner\/templates\//,
      fill: async (page) => {
        await page.getByRole("button", { name: "More", exact: true }).click();
        await page.getByRole("menuitem", { name: "Name and tags" }).click();
        await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Lease 2027");
      },
      send: press("Save"),
      entered: ["Name", "Lease 2027"],
      said: (page) => expect(page.getByRole("heading", { level: 1, name: "Lease 2027" })).toBeVisible(),
      now: async () => (await read("/partner/templates/:template")).name,
      expected: "Lease 2027",
    },
    {
      what: "a new template",
      path: "/templates",
      method: "POST",
      url: /\/partner\/templates$/,
      fill: async (page) => {
        await page.getByRole("button", { name: "New template" }).first().click();
        const file = { name: "Order.pdf", mimeType: "application/pdf", buffer: Buffer.from(leasePdf) };
        await page.getByRole("dialog").locator("input[type=file]").setInputFiles(file);
        await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Order");
      },
      send: press("Create"),
      entered: ["Name", "Order"],
      said: (page) => expect(page.getByRole("heading", { level: 1, name: "Order" })).toBeVisible(),
      now: async () => (await org.admin("GET", "/partner/templates?q=Order")).json.meta.total,
      expected: 1,
    },
    {
      what: "a new public form",
      path: "/forms?new=:template",
      method: "POST",
      url: /\/partner\/forms$/,
      fill: async (page) => {
        const name = page.getByRole("dialog").getByLabel("Name", { exact: true }).first();
        await expect(name).not.toHaveValue("");
        await name.fill("Order online");
        // The landlord of the template.
        await page.getByRole("dialog").getByLabel("Name", { exact: true }).last().fill("Sam Sample");
        await page.getByRole("dialog").getByRole("textbox", { name: "E-mail address" }).fill("sam@example.com");
      },
      send: press("Create form"),
      entered: ["Name", "Order online"],
      said: (page) => expect(page.getByRole("heading", { level: 1, name: "Order online" })).toBeVisible(),
      now: async () =>
        (await org.admin("GET", "/partner/forms")).json.data.filter((one: { name: string }) => one.name === "Order online").length,
      expected: 1,
    },
    {
      what: "the settings of a form",
      path: "/forms/:form",
      method: "PATCH",
      url: /\/partner\/forms\//,
      fill: type("Envelopes in 24 hours", "7"),
      send: press("Save settings"),
      entered: ["Envelopes in 24 hours", "7"],
      said: seen("Settings saved."),
      now: async () => (await read("/partner/forms/:form")).settings.max_per_day,
      expected: 7,
    },
    {
      what: "a view",
      path: "/envelopes?tag=Urgent",
      method: "POST",
      url: /\/views$/,
      fill: inDialog("Save view", "Name", "Urgent ones"),
      send: press("Save view"),
      entered: ["Name", "Urgent ones"],
      said: (page) => expect(page.getByRole("link", { name: "Urgent ones" })).toBeVisible(),
      now: async () => (await read("/views")).length,
      expected: 1,
    },
    {
      what: "the deletion of a view",
      path: "/envelopes?tag=Urgent",
      method: "DELETE",
      url: /\/views\//,
      fill: (page) => expect(page.getByRole("link", { name: "Urgent ones" })).toBeVisible(),
      send: press("Delete view Urgent ones"),
      said: (page) => expect(page.getByRole("link", { name: "Urgent ones" })).toHaveCount(0),
      now: async () => (await read("/views")).length,
      expected: 0,
    },
    {
      what: "a legal hold",
      path: "/vault/:record?tab=control",
      method: "POST",
      url: /\/legal-hold$/,
      fill: type("Reason for the hold", "Lawsuit"),
      send: press("Place hold"),
      entered: ["Reason for the hold", "Lawsuit"],
      said: seen(/Hold placed/),
      now: async () => (await org.admin("GET", at("/partner/envelopes/:record/vault/legal-hold"))).json.meta.total,
      expected: 1,
    },
    {
      what: "a longer retention",
      path: "/vault/:record?tab=record",
      method: "PUT",
      url: /\/retention$/,
      fill: type("Keep until", "2055-01-31"),
      send: press("Extend retention"),
      entered: ["Keep until", "2055-01-31"],
      said: seen(/Retention extended until/),
      now: async () => (await read("/partner/envelopes/:record/vault")).retention_until,
      // midnight in Berlin, where the browser is
      expected: "2055-01-30T23:00:00.000Z",
    },
    {
      what: "a transfer of custody",
      path: "/vault/:record?tab=control",
      method: "POST",
      url: /\/custody-transfers$/,
      fill: async (page) => {
        await page.getByRole("button", { name: "Transfer custody", exact: true }).click();
        await page.getByLabel("New custodian").selectOption(kim.user_id);
        await page.getByLabel("Reason (optional)").fill("Sam looks after leases");
      },
      send: press("Request transfer"),
      entered: ["Reason (optional)", "Sam looks after leases"],
      said: seen(/Transfer requested/),
      now: async () => (await org.admin("GET", at("/partner/custody-transfers?status=pending"))).json.meta.total,
      expected: 1,
    },
    {
      what: "a new party",
      path: "/parties",
      method: "POST",
      url: /\/partner\/parties$/,
      fill: async (page) => {
        await page.getByRole("button", { name: "New party", exact: true }).first().click();
        await page.getByRole("dialog").getByLabel("Name", { exact: true }).first().fill("Example Bank");
      },
      send: (page) => page.getByRole("dialog").getByRole("button").last(),
      said: seen("Example Bank"),
      now: async () =>
        (await org.admin("GET", "/partner/parties")).json.data.filter(({ name }: { name: string }) => name === "Example Bank").length,
      expected: 1,
    },
    {
      what: "the first step of an export",
      path: "/vault/:exported?tab=exports",
      method: "POST",
      url: /\/vault-out$/,
      fill: async (page) => {
        await page.getByLabel("Recipient", { exact: true }).fill("Second Example Bank");
        await page.getByLabel("Recipient's e-mail address", { exact: true }).fill("vault@example.com");
        await page.getByLabel("Reason", { exact: true }).fill("Sold");
      },
      send: press("Pack original"),
      entered: ["Reason", "Sold"],
      said: (page) => expect(page.getByRole("heading", { name: "Packed for Second Example Bank" })).toBeVisible(),
      now: async () => (await org.admin("GET", at("/partner/vault-exports?envelope_id=:exported"))).json.meta.total,
      expected: 1,
    },
    {
      what: "the withdrawal of an export",
      path: "/vault/:exported?tab=exports",
      method: "POST",
      url: /\/vault-exports\/[^/]+\/cancel$/,
      fill: (page) => page.getByRole("button", { name: "Withdraw export", exact: true }).click(),
      send: (page) => page.getByRole("dialog").getByRole("button", { name: "Withdraw export", exact: true }),
      said: seen(/^Export withdrawn/),
      now: async () => (await org.admin("GET", at("/partner/vault-exports?envelope_id=:exported&status=cancelled"))).json.meta.total,
      expected: 1,
    },
    {
      what: "the receipt of an export",
      path: "/vault/:received?tab=exports",
      method: "POST",
      url: /\/acknowledge$/,
      fill: async (page) => {
        await page.getByLabel("SHA-256 of the received package", { exact: true }).fill(ids.hash ?? "");
        await page.getByRole("button", { name: "Confirm receipt", exact: true }).click();
        await page.getByRole("dialog").getByRole("textbox").fill("Third Example Bank");
      },
      send: press("Complete export"),
      said: (page) => expect(page.getByRole("dialog", { name: "Package key" })).toBeVisible(),
      now: async () => (await org.admin("GET", at("/partner/vault-exports?envelope_id=:received&status=acknowledged"))).json.meta.total,
      expected: 1,
    },
    {
      what: "a corrected attestation",
      path: "/vault/:paper?tab=evidence",
      method: "POST",
      url: /\/attestations$/,
      fill: async (page) => {
        await page.getByRole("button", { name: "Correct attestation", exact: true }).click();
        await page.getByLabel("Name of the attesting person", { exact: true }).fill("Ann Example");
      },
      send: press("Record attestation"),
      entered: ["Name of the attesting person", "Ann Example"],
      said: seen(/^Attestation 2 recorded\./),
      now: async () =>
        (await read("/partner/envelopes/:paper/audit-trail?limit=100")).filter(
          ({ type }: { type: string }) => type === "attestation.recorded",
        ).length,
      expected: 2,
    },
    {
      what: "a proposed act",
      path: "/vault/:exported?tab=control&propose=pledge",
      method: "POST",
      url: /\/envelopes\/[^/]+\/acts$/,
      fill: async (page) => {
        await page.getByLabel("Party", { exact: true }).selectOption(ids.party ?? "");
        await page.getByLabel("Reason", { exact: true }).fill("A loan");
      },
      send: press("Propose"),
      entered: ["Reason", "A loan"],
      said: (page) => expect(page.getByLabel("Change", { exact: true })).toHaveValue(""),
      now: async () => (await read("/partner/acts?envelope_id=:exported")).filter(({ kind }: { kind: string }) => kind === "pledge").length,
      expected: 1,
    },
    {
      what: "a confirmed act",
      path: "/acts/:decided",
      method: "POST",
      url: /\/decision$/,
      fill: (page) => page.getByRole("button", { name: "Confirm", exact: true }).click(),
      send: (page) => page.getByRole("dialog").getByRole("button", { name: "Confirm", exact: true }),
      said: (page) => expect(page.getByRole("dialog")).toHaveCount(0),
      now: async () => (await read("/partner/acts/:decided")).state,
      expected: "effective",
    },
    {
      what: "a cancelled act",
      path: "/acts/:cancelled",
      method: "POST",
      url: /\/acts\/[^/]+\/cancel$/,
      fill: (page) => page.getByRole("button", { name: "Cancel act", exact: true }).click(),
      send: (page) => page.getByRole("dialog").getByRole("button", { name: "Cancel act", exact: true }),
      said: (page) => expect(page.getByRole("dialog")).toHaveCount(0),
      now: async () => (await read("/partner/acts/:cancelled")).state,
      expected: "cancelled",
    },
    {
      what: "a removed member",
      path: "/members",
      method: "DELETE",
      url: /\/org\/members\//,
      fill: async (page) => {
        await page.getByRole("button", { name: "Actions for Lee Leaver" }).click();
        await page.getByRole("menuitem", { name: "Remove" }).click();
      },
      send: (page) => page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }),
      said: (page) => expect(page.getByRole("row", { name: /Lee Leaver/ })).toHaveCount(0),
      now: () => entries("member.removed"),
      expected: 1,
    },
    {
      what: "a deactivated key",
      path: "/keys/:oldKey",
      method: "DELETE",
      url: /\/partners\/keys\//,
      fill: async (page) => {
        await page.getByRole("button", { name: "Deactivate", exact: true }).click();
        await page.getByRole("dialog").getByRole("textbox").fill("Old integration");
      },
      send: press("Deactivate key"),
      said: (page) => expect(page.getByRole("dialog")).toHaveCount(0),
      now: () => entries("key.deactivated"),
      expected: 1,
    },
    {
      what: "a deleted endpoint",
      path: "/webhooks/:oldEndpoint?tab=details",
      method: "DELETE",
      url: /\/webhooks\/endpoints\//,
      fill: async (page) => {
        await page.getByRole("tab", { name: "Details and secret" }).click();
        await page.getByRole("button", { name: "Delete", exact: true }).click();
      },
      send: press("Delete endpoint"),
      said: (page) => expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible(),
      now: () => entries("endpoint.deleted"),
      expected: 1,
    },
  ];

  tryTwice(its, acts);
});

describe("an act on envelopes, customers and people whose answer is lost", () => {
  const its = office(console);
  const { ids, read, make, entries, entriesOf } = its;
  let org: TestOrg;
  let kim: Colleague;

  beforeAll(async () => {
    org = await its.open();
    kim = await console.join(org, "member", "Kim Colleague");
    const template = await org.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: Buffer.from(leasePdf) }));
    ids.template = template.json.data.template_id;
    const settings = { recipients: [{ kind: "signer", role: "Landlord", name: "Sam Sample", email: "sam@example.com" }] };
    ids.form = (await make("/partner/forms", { template_id: ids.template, name: "Lease online", settings })).form_id;
    const signers = [
      { email: "ann@example.com", name: "Ann Example", role: "Tenant" },
      { email: "sam@example.com", name: "Sam Sample", role: "Landlord" },
    ];
    const draft = async (envelope_name: string): Promise<string> => {
      const people = { customer_name: "Ann Example", customer_email: "ann@example.com", signers };
      return (await make("/partner/envelopes", { envelope_name, ...people, template_id: ids.template })).envelope_id;
    };
    for (const name of ["sent", "ending"]) {
      ids[name] = await draft(`Lease ${name}`);
      await make(`/partner/envelopes/:${name}/send`, { signing_order: "parallel" });
    }
    ids.draft = await draft("Lease that nobody needs");
    ids.customer = (await make("/partner/customers", { name: "Kim Customer" })).customer_id;
    ids.duplicate = (await make("/partner/customers", { name: "Kim Twice" })).customer_id;
    await make("/org/invitations", { email: "invited@example.com", role: "viewer" });
    const person = { email: "first@example.com", name: "First Person", rights: "view" };
    ids.partyOfPeople = (await make("/partner/parties", { kind: "people", name: "Bank of people", people: [person] })).party_id;
    ids.record = await vaultedByPipeline(service, org);
    await make("/partner/envelopes/:record/vault/legal-hold", { reason: "Old dispute" });
    const old = await org.admin("POST", "/partner/templates", form({ name: "Old lease" }, { bytes: Buffer.from(leasePdf) }));
    ids.oldTemplate = old.json.data.template_id;
  });

  const acts: readonly Act[] = [
    {
      what: "another address of a recipient",
      path: "/envelopes/:sent",
      method: "PATCH",
      url: /\/recipients\/[^/]+$/,
      fill: inDialog("Change Sam Sample", "E-mail address", "samuel@example.com"),
      send: press("Save"),
      entered: ["E-mail address", "samuel@example.com"],
      said: (page) => expect(page.getByRole("dialog")).toHaveCount(0),
      now: async () => (await read("/partner/envelopes/:sent/recipients")).recipients.map(({ email }: { email: string }) => email),
      expected: ["ann@example.com", "samuel@example.com"],
    },
    {
      what: "an added recipient",
      path: "/envelopes/:sent",
      method: "POST",
      url: /\/recipients$/,
      fill: async (page) => {
        await page.getByRole("button", { name: "Add recipient", exact: true }).click();
        await page.getByRole("dialog").getByLabel("Task", { exact: true }).selectOption("cc");
        await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Cleo Copy");
        await page.getByRole("dialog").getByLabel("E-mail address", { exact: true }).fill("cleo@example.com");
      },
      send: inLastDialog("Add recipient"),
      entered: ["Name", "Cleo Copy"],
      said: seen("Cleo Copy added."),
      now: () => entriesOf("sent", "recipient.added"),
      expected: 1,
    },
    {
      what: "a removed recipient",
      path: "/envelopes/:sent",
      method: "DELETE",
      url: /\/recipients\/[^/]+$/,
      fill: (page) => page.getByRole("button", { name: "Remove Cleo Copy" }).click(),
      send: inLastDialog("Remove"),
      said: seen("Cleo Copy removed."),
      now: () => entriesOf("sent", "recipient.removed"),
      expected: 1,
    },
    {
      what: "a reminder",
      path: "/envelopes/:sent",
      method: "POST",
      url: /\/remind$/,
      fill: (page) => expect(page.getByRole("button", { name: "Remind all", exact: true })).toBeVisible(),
      send: press("Remind all"),
      said: seen(/^Reminder sent to /),
      now: () => entriesOf("sent", "envelope.reminded"),
      expected: 1,
    },
    {
      what: "the tags of an envelope",
      path: "/envelopes/:sent",
      method: "PATCH",
      url: /\/envelopes\/[^/]+$/,
      fill: inDialog("Add tags", "Tags", "Harbour"),
      send: press("Save"),
      said: seen("Tags saved."),
      now: async () => (await read("/partner/envelopes/:sent")).metadata.tags,
      expected: ["Harbour"],
    },
    {
      what: "another owner",
      path: "/envelopes/:sent",
      method: "PATCH",
      url: /\/envelopes\/[^/]+$/,
      fill: async (page) => {
        await page.getByRole("button", { name: "Change owner", exact: true }).click();
        await page.getByRole("dialog").getByLabel("Owner", { exact: true }).selectOption(kim.user_id);
      },
      send: press("Save"),
      said: seen(/Kim Colleague/),
      now: () => entriesOf("sent", "envelope.owner_changed"),
      expected: 1,
    },
    {
      what: "an envelope that is saved as a template",
      path: "/envelopes/:sent",
      method: "POST",
      url: /\/template$/,
      fill: async (page) => {
        await fromMenu("More", "Save as template")(page);
        await page.getByRole("dialog").getByLabel("Name of the template").fill("Lease of ships");
      },
      send: inLastDialog("Save as template"),
      entered: ["Name of the template", "Lease of ships"],
      said: (page) => expect(page.getByRole("heading", { level: 1, name: "Lease of ships" })).toBeVisible(),
      now: async () => (await org.admin("GET", "/partner/templates?q=ships")).json.meta.total,
      expected: 1,
    },
    {
      what: "a void",
      path: "/envelopes/:ending",
      method: "POST",
      url: /\/void$/,
      fill: async (page) => {
        await fromMenu("More", "Void")(page);
        await page.getByRole("dialog").getByLabel("Reason", { exact: true }).fill("The ship sank");
      },
      send: inLastDialog("Void envelope"),
      entered: ["Reason", "The ship sank"],
      said: seen(/^This envelope was voided and can no longer be signed\./),
      now: () => entriesOf("ending", "envelope.voided"),
      expected: 1,
    },
    {
      what: "a discarded draft",
      path: "/envelopes/:draft",
      method: "DELETE",
      url: /\/envelopes\/[^/]+$/,
      fill: fromMenu("More", "Discard"),
      send: inLastDialog("Discard"),
      said: (page) => expect(page.getByRole("dialog")).toHaveCount(0),
      now: () => entriesOf("draft", "envelope.voided"),
      expected: 1,
    },
    {
      what: "another company of a customer",
      path: "/customers/:customer",
      method: "PATCH",
      url: /\/partner\/customers\/[^/]+$/,
      fill: inDialog("Edit", "Company", "Harbour Company"),
      send: press("Save"),
      entered: ["Company", "Harbour Company"],
      said: seen("Saved."),
      now: async () => (await read("/partner/customers/:customer")).company,
      expected: "Harbour Company",
    },
    {
      what: "a merged customer",
      path: "/customers/:customer",
      method: "POST",
      url: /\/merge$/,
      fill: async (page) => {
        await fromMenu("More", "Merge a duplicate")(page);
        await page.getByRole("dialog").getByLabel("Duplicate", { exact: true }).fill("Kim Twice");
        await page.getByRole("radio", { name: /Kim Twice/ }).check();
      },
      send: inLastDialog("Merge"),
      said: seen(/^Kim Twice was merged into this customer\./),
      now: () => entries("customer.merged"),
      expected: 1,
    },
    {
      what: "a deleted customer",
      path: "/customers/:customer",
      method: "DELETE",
      url: /\/partner\/customers\/[^/]+$/,
      fill: fromMenu("More", "Delete"),
      send: inLastDialog("Delete"),
      said: (page) => expect(page.getByRole("heading", { level: 1, name: "Customers" })).toBeVisible(),
      now: () => entries("customer.deleted"),
      expected: 1,
    },
    {
      what: "a withdrawn invitation",
      path: "/members",
      method: "DELETE",
      url: /\/org\/invitations\//,
      fill: (page) => page.getByRole("button", { name: "Withdraw invitation of invited@example.com" }).click(),
      send: inLastDialog("Withdraw"),
      said: (page) => expect(page.getByRole("row", { name: /invited@example\.com/ })).toContainText("Withdrawn"),
      now: () => entries("invitation.revoked"),
      expected: 1,
    },
    {
      what: "a person who is removed from a party",
      path: "/parties/:partyOfPeople",
      method: "DELETE",
      url: /\/people\/[^/]+$/,
      fill: (page) => page.getByRole("button", { name: "Remove First Person" }).click(),
      send: inLastDialog("Remove"),
      said: seen("First Person was removed."),
      now: () => entries("party.person_removed"),
      expected: 1,
    },
    {
      what: "a released hold",
      path: "/vault/:record?tab=control",
      method: "DELETE",
      url: /\/legal-hold\/[^/]+$/,
      fill: (page) => page.getByRole("button", { name: "Release hold “Old dispute”" }).click(),
      send: (page) => page.getByRole("dialog").getByRole("button").last(),
      said: seen(/released/i),
      now: () => entriesOf("record", "vault.hold_released"),
      expected: 1,
    },
    {
      what: "an archived template",
      path: "/templates/:oldTemplate",
      method: "DELETE",
      url: /\/partner\/templates\/[^/]+$/,
      fill: fromMenu("More", "Archive"),
      send: inLastDialog("Archive"),
      said: (page) => expect(page.getByRole("dialog")).toHaveCount(0),
      now: () => entries("template.archived"),
      expected: 1,
    },
    {
      what: "a paused form",
      path: "/forms/:form",
      method: "POST",
      url: /\/pause$/,
      fill: (page) => expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible(),
      send: press("Pause"),
      said: seen("Form paused."),
      now: () => entries("form.paused"),
      expected: 1,
    },
  ];

  tryTwice(its, acts);
});

test("a screen and a dialog that could not be loaded are shown as soon as the connection is back", async () => {
  const page = await console.open(await service.newOrg(), "/");
  watchOf(page.context()).expect(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  await page.getByRole("navigation").getByRole("link", { name: "Customers", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "This page could not be loaded" })).toBeFocused();
  await expect(page.getByRole("main")).toHaveCount(1);
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Customers" })).toBeFocused();
  await page.context().setOffline(true);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("alert")).toHaveText(/^This part of the console could not be loaded/);
  await page.context().setOffline(false);
  await expect(page.getByRole("combobox", { name: "Search everything" })).toBeFocused();
});
