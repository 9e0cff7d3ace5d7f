import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { noteFailedJobs } from "../../server/src/jobs/heartbeat.ts";
import { sentEnvelope, setSigner } from "../../server/test/envelopes.ts";
import { form } from "../../server/test/form.ts";
import { newTemplate } from "../../server/test/lease.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { neighbours, offer, offeredTo } from "../../server/test/two-vaults.ts";
import { completedEnvelope, vaultedByPipeline, vaultedCopy } from "../../server/test/vaulted.ts";
import { expect, type Page } from "./browser.ts";
import { type Colleague, testConsole } from "./console.ts";
import { longDocument } from "./documents.ts";
import { type Act, ALREADY, inDialog, inLastDialog, office, press, seen, tryTwice } from "./lost-acts.ts";

/** The connection ends in the middle of an act on documents, records and bulk sends: it happens once. */

const console = await testConsole();
const { service } = console;

const noDialog = (page: Page) => expect(page.getByRole("dialog")).toHaveCount(0);
const open = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();
const there = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).last().waitFor();
const menuitem = (name: string) => (page: Page) => page.getByRole("menuitem", { name, exact: true });

describe("an act on envelopes, templates and forms whose answer is lost", () => {
  const its = office(console);
  const { ids, make, entries, entriesOf } = its;
  let org: TestOrg;
  let queue: pg.Pool;

  beforeAll(async () => {
    org = await its.open();
    queue = new pg.Pool({ connectionString: service.database.queueUrl, max: 1 });
    ids.template = await newTemplate(await org.newKey());
    ids.archived = await newTemplate(await org.newKey());
    await org.admin("DELETE", `/partner/templates/${ids.archived}`);
    const recipients = [{ kind: "signer", role: "Landlord", name: "Sam Sample", email: "sam@example.com" }];
    const settings = { recipients };
    ids.form = (await make("/partner/forms", { template_id: ids.template, name: "Lease online", settings })).form_id;
    await make("/partner/forms/:form/pause", {});
    const signers = [
      { email: "ann@example.com", name: "Ann Example", role: "Tenant" },
      { email: "sam@example.com", name: "Sam Sample", role: "Landlord" },
    ];
    const people = { customer_name: "Ann Example", customer_email: "ann@example.com", signers };
    ids.sent = (await make("/partner/envelopes", { envelope_name: "Lease", ...people, template_id: ids.template })).envelope_id;
    await make("/partner/envelopes/:sent/send", { signing_order: "parallel" });
    const asked = await sentEnvelope(service, org, { signers: ["ann@example.com"], kba_required: true });
    ids.asked = asked.envelope_id;
    await setSigner(service, asked.signers[0].slug, "locked");
    ids.completed = await completedEnvelope(service, org);
    ids.failed = (await sentEnvelope(service, org, { signers: ["ann@example.com"] })).envelope_id;
    const { owner } = service.database;
    const payload = JSON.stringify({ org_id: org.org_id, envelope_id: ids.failed });
    await owner("select graphile_worker.add_job('signing.draw-pages', $1::json, run_at => now() + interval '1 hour')", [payload]);
    await owner(
      "update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'PdfBusy: busy' where payload ->> 'envelope_id' = $1",
      [ids.failed],
    );
    await noteFailedJobs(queue, 6);
  }, 60_000);
  afterAll(() => queue.end());

  const nameAgain = async (page: Page) => {
    for (const [number, question, answer] of [
      [1, "Where did we first meet?", "Springfield"],
      [2, "What did we drink?", "tea"],
    ] as const) {
      await page.getByLabel(`Question ${number}`, { exact: true }).fill(question);
      await page.getByLabel(`Answer ${number}`, { exact: true }).fill(answer);
      await page.getByLabel(`Answer ${number} again`, { exact: true }).fill(answer);
    }
  };

  const acts: readonly Act[] = [
    {
      what: "a duplicated envelope",
      path: "/envelopes/:sent",
      method: "POST",
      url: /\/envelopes\/[^/]+\/duplicate$/,
      fill: (page) => page.getByRole("button", { name: "More", exact: true }).click(),
      again: (page) => page.getByRole("button", { name: "More", exact: true }).click(),
      send: menuitem("Duplicate"),
      said: (page) => expect(page).toHaveURL(/\/prepare/),
      now: async () => (await org.admin("GET", "/partner/envelopes?stage=draft")).json.meta.total,
      expected: 1,
    },
    {
      what: "a copied template",
      path: "/templates/:template",
      method: "POST",
      url: /\/templates\/[^/]+\/copy$/,
      fill: (page) => page.getByRole("button", { name: "More", exact: true }).click(),
      again: (page) => page.getByRole("button", { name: "More", exact: true }).click(),
      send: menuitem("Copy"),
      said: (page) => expect(page).not.toHaveURL(new RegExp(ids.template ?? "")),
      now: async () => (await org.admin("GET", "/partner/templates")).json.meta.total,
      // with that of the completed envelope
      expected: 3,
    },
    {
      what: "a restored template",
      path: "/templates/:archived",
      method: "POST",
      url: /\/templates\/[^/]+\/restore$/,
      fill: there("Restore"),
      send: press("Restore"),
      said: seen("Template restored."),
      now: () => entries("template.restored"),
      expected: 1,
    },
    {
      what: "a resumed form",
      path: "/forms/:form",
      method: "POST",
      url: /\/forms\/[^/]+\/resume$/,
      fill: there("Resume"),
      send: press("Resume"),
      said: seen("Form resumed."),
      now: () => entries("form.resumed"),
      expected: 1,
    },
    {
      what: "several tagged envelopes",
      path: "/envelopes",
      method: "POST",
      url: /\/envelopes\/actions$/,
      fill: async (page) => {
        await page
          .getByRole("checkbox", { name: /^Select/ })
          .nth(1)
          .check();
        await open("Tag")(page);
        await page.getByRole("dialog").getByLabel("Tags", { exact: true }).fill("Harbour");
      },
      send: inLastDialog("Add tags"),
      said: seen("1 envelope tagged."),
      now: async () => (await org.admin("GET", "/partner/envelopes?tag=Harbour")).json.meta.total,
      expected: 1,
    },
    {
      what: "a signing link",
      path: "/envelopes/:sent",
      method: "POST",
      url: /\/link$/,
      fill: async (page) => {
        await page.context().grantPermissions(["clipboard-write"]);
        await page.getByRole("button", { name: "Copy link for Ann Example" }).waitFor();
      },
      send: (page) => page.getByRole("button", { name: /^(Copy link for Ann Example|Try again)$/ }).last(),
      said: async (page) => {
        await seen(ALREADY)(page);
        // The link was lost with the answer, so another is made.
        await press("Try again")(page).click();
        await page.getByRole("link", { name: "Open in a new tab" }).waitFor();
      },
      now: () => entriesOf("sent", "signer.link_handed_over"),
      expected: 2,
    },
    {
      what: "identity questions",
      path: "/envelopes/:asked",
      method: "PUT",
      url: /\/kba$/,
      fill: async (page) => {
        await page.getByRole("button", { name: /^Questions for/ }).click();
        await nameAgain(page);
      },
      send: inLastDialog("Set questions"),
      entered: ["Answer 2", "tea"],
      said: seen(/^Questions set for /),
      now: async () => (await entriesOf("asked", "kba.set")) > 0,
      expected: true,
    },
    {
      what: "an identity check",
      path: "/envelopes/:sent",
      method: "PUT",
      url: /\/identity$/,
      fill: async (page) => {
        await press("Change Ann Example")(page).click();
        await page.getByText("Identity check", { exact: true }).first().click();
        await page.getByText(/^(Nothing is required now except the link|Required now: access code)\.$/).waitFor();
        await page.getByLabel("Identity check", { exact: true }).selectOption("Access code");
        await page.getByRole("textbox", { name: "Access code" }).fill("blue-harbour");
      },
      send: inLastDialog("Set identity check"),
      entered: ["Access code", "blue-harbour"],
      said: seen(/^Identity check set for /),
      now: async () => (await entriesOf("sent", "identity.set")) > 0,
      expected: true,
    },
    {
      what: "an unlocked signer",
      path: "/envelopes/:asked",
      method: "POST",
      url: /\/identity\/reset$/,
      fill: (page) => page.getByRole("button", { name: /^Unlock/ }).waitFor(),
      send: (page) => page.getByRole("button", { name: /^Unlock/ }),
      said: seen(/can try again\.$/),
      now: () => entriesOf("asked", "identity.reset"),
      expected: 1,
    },
    {
      what: "a document that is stored on request",
      path: "/envelopes/:completed",
      method: "POST",
      url: /\/vault-in-signed$/,
      fill: async (page) => {
        await open("Store in vault")(page);
        await page.getByLabel(/^I accept the certification terms/).check();
      },
      send: inLastDialog("Store document"),
      said: noDialog,
      now: () => entriesOf("completed", "certification.accepted"),
      expected: 1,
    },
    {
      what: "failed work that is tried again",
      path: "/problems",
      method: "POST",
      url: /\/problems\/[^/]+\/retry$/,
      fill: there("Try again: Prepare the pages for the signers"),
      send: press("Try again: Prepare the pages for the signers"),
      said: seen("A worker tries it again within seconds."),
      now: () => entries("job.retry_requested"),
      expected: 1,
    },
  ];
  tryTwice(its, acts);
});

describe("an act on a bulk send whose answer is lost", () => {
  const its = office(console);
  const { ids, read, entries } = its;
  let org: TestOrg;
  const rows = (name: string) => `Tenant.name,Tenant.email,Landlord.name,Landlord.email\n${name},ann@example.com,Sam,sam@example.com\n`;
  const file = (name: string) => form({ template_id: ids.template ?? "" }, { bytes: Buffer.from(rows(name)), name: `${name}.csv` });
  const checked = async (name: string): Promise<string> => {
    const { batch_id } = (await org.admin("POST", "/partner/bulk-batches", file(name))).json.data;
    await expect.poll(async () => (await read(`/partner/bulk-batches/${batch_id}`)).state).toBe("checked");
    return batch_id;
  };

  beforeAll(async () => {
    org = await its.open();
    ids.template = await newTemplate(await org.newKey());
    [ids.start, ids.cancel] = [await checked("Started"), await checked("Cancelled")];
  });

  const acts: readonly Act[] = [
    {
      what: "an uploaded file",
      path: "/templates/:template/bulk",
      method: "POST",
      url: /\/bulk-batches$/,
      fill: async (page) => {
        const buffer = Buffer.from(rows("Uploaded"));
        await page.getByLabel("Choose a CSV file").setInputFiles({ name: "Uploaded.csv", mimeType: "text/csv", buffer });
        await page.getByLabel("Name of this bulk send (optional)").fill("Leases of May");
      },
      send: press("Check rows"),
      entered: ["Name of this bulk send (optional)", "Leases of May"],
      said: (page) => expect(page.getByRole("heading", { level: 1, name: "Leases of May" })).toBeVisible(),
      now: async () => (await org.admin("GET", "/partner/bulk-batches")).json.meta.total,
      expected: 3,
    },
    {
      what: "the start",
      path: "/bulk/:start",
      method: "POST",
      url: /\/bulk-batches\/[^/]+\/start$/,
      fill: open("Send 1 envelope"),
      send: inLastDialog("Send"),
      said: noDialog,
      now: async () => {
        await expect.poll(async () => (await read("/partner/bulk-batches/:start")).state).toBe("ended");
        return [await entries("batch.started"), (await org.admin("GET", "/partner/envelopes")).json.meta.total];
      },
      expected: [1, 1],
    },
    {
      what: "the end",
      path: "/bulk/:cancel",
      method: "POST",
      url: /\/bulk-batches\/[^/]+\/cancel$/,
      fill: open("Cancel bulk send"),
      send: inLastDialog("Cancel bulk send"),
      said: noDialog,
      now: async () => (await read("/partner/bulk-batches/:cancel")).state,
      expected: "cancelled",
    },
  ];
  tryTwice(its, acts);
});

describe("an act on vaulted documents whose answer is lost", () => {
  const its = office(console);
  const { ids, read, make, entries, entriesOf } = its;
  let org: TestOrg;
  let sam: Colleague;

  beforeAll(async () => {
    org = await its.open();
    sam = await console.join(org, "admin", "Sam Sample");
    const secured_party = { name: "First Example Bank" };
    for (const name of ["accepted", "rejected", "cancelled", "assigned", "pool", "same"]) {
      ids[name] = await vaultedByPipeline(service, org, { envelope_name: `Contract ${name}`, secured_party });
    }
    for (const name of ["accepted", "rejected", "cancelled"])
      await make(`/partner/envelopes/:${name}/custody-transfers`, { to_user_id: sam.user_id });
    const person = { email: "first@example.com", name: "First Person", rights: "approve" };
    ids.party = (await make("/partner/parties", { kind: "people", name: "Bank of people", people: [person] })).party_id;
    const pool = { kind: "pledge", reason: "A loan", envelope_ids: [ids.pool], party_id: ids.party };
    ids.batch = (await make("/partner/control-batches", pool)).control_batch_id;
    ids.customer = (await make("/partner/customers", { name: "Ann Example", email: "ann.paper@example.com" })).customer_id;
    const { own } = await neighbours(service, org);
    ids.vault = own.vault_id;
  }, 120_000);

  const inRow = (text: string, button: string) => (page: Page) =>
    page
      .getByRole("row")
      .filter({ hasText: text })
      .getByRole("button", { name: new RegExp(`^${button}`) })
      .click();

  const acts: readonly Act[] = [
    {
      what: "custody that is accepted",
      path: "/custody",
      as: () => sam,
      method: "POST",
      url: /\/custody-transfers\/[^/]+\/accept$/,
      fill: inRow("Contract accepted", "Accept"),
      send: inLastDialog("Accept custody"),
      said: noDialog,
      now: () => entriesOf("accepted", "custody.accepted"),
      expected: 1,
    },
    {
      what: "custody that is rejected",
      path: "/custody",
      as: () => sam,
      method: "POST",
      url: /\/custody-transfers\/[^/]+\/reject$/,
      fill: async (page) => {
        await inRow("Contract rejected", "Reject")(page);
        await page.getByLabel("Reason (optional)", { exact: true }).fill("On leave");
      },
      send: inLastDialog("Reject"),
      entered: ["Reason (optional)", "On leave"],
      said: noDialog,
      now: () => entriesOf("rejected", "custody.rejected"),
      expected: 1,
    },
    {
      what: "a cancelled transfer of custody",
      path: "/custody?tab=outgoing",
      method: "POST",
      url: /\/custody-transfers\/[^/]+\/cancel$/,
      fill: inRow("Contract cancelled", "Cancel"),
      send: inLastDialog("Cancel transfer"),
      said: noDialog,
      now: () => entriesOf("cancelled", "custody.cancelled"),
      expected: 1,
    },
    {
      what: "an assignment",
      path: "/vault/:assigned?tab=control",
      method: "POST",
      url: /\/assignments$/,
      fill: async (page) => {
        await open("Assign record")(page);
        await page.getByLabel("Name of the secured party", { exact: true }).fill("Second Example Bank");
        await page.getByLabel("Given by", { exact: true }).fill("Ann Example");
      },
      send: press("Assign record"),
      entered: ["Given by", "Ann Example"],
      said: seen("Record assigned to Second Example Bank."),
      now: () => entriesOf("assigned", "assignment.recorded"),
      // The first is that of the secured party whom the sender named.
      expected: 2,
    },
    {
      what: "a cancelled control batch",
      path: "/batches/:batch",
      method: "POST",
      url: /\/control-batches\/[^/]+\/cancel$/,
      fill: open("Cancel batch"),
      send: inLastDialog("Cancel batch"),
      said: noDialog,
      now: async () => (await read("/partner/control-batches/:batch")).state,
      expected: "cancelled",
    },
    {
      what: "another name of a party",
      path: "/parties/:party",
      method: "PATCH",
      url: /\/parties\/[^/]+$/,
      fill: inDialog("Change party", "Name", "Bank of the people"),
      send: inLastDialog("Save"),
      entered: ["Name", "Bank of the people"],
      said: seen("Party changed."),
      now: async () => (await read("/partner/parties/:party")).name,
      expected: "Bank of the people",
    },
    {
      what: "a person of a party",
      path: "/parties/:party",
      method: "POST",
      url: /\/people$/,
      fill: async (page) => {
        await open("Add person")(page);
        await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Second Person");
        await page.getByRole("dialog").getByLabel("E-mail address", { exact: true }).fill("second@example.com");
      },
      send: inLastDialog("Add person"),
      entered: ["Name", "Second Person"],
      said: seen("Second Person was added."),
      now: () => entries("party.person_added"),
      expected: 1,
    },
    {
      what: "checks that run again",
      path: "/vault/:same",
      method: "POST",
      url: /\/compliance$/,
      fill: there("Run checks again"),
      send: press("Run checks again"),
      said: seen(/^Checks run again: /),
      now: async () => (await read("/partner/envelopes/:same/compliance")).checks.length,
      expected: 8,
    },
    {
      what: "a deposit",
      path: "/vault/deposit",
      method: "POST",
      url: /\/customers\/[^/]+\/documents$/,
      fill: async (page) => {
        await page
          .getByLabel("Signed document")
          .setInputFiles({ name: "scan.pdf", mimeType: "application/pdf", buffer: Buffer.from(longDocument(1)) });
        await page.getByLabel("Find a customer").fill("Ann Example");
        await page.getByRole("button", { name: /^Ann Example, ann\.paper@example\.com/ }).click();
        await page.getByLabel("Document name").fill("Paper lease");
      },
      send: press("Upload"),
      entered: ["Document name", "Paper lease"],
      said: (page) => expect(page.getByRole("heading", { name: "How was it signed?" })).toBeVisible(),
      now: async () => (await org.admin("GET", `/partner/envelopes?customer_id=${ids.customer}`)).json.meta.total,
      expected: 1,
    },
    {
      what: "customers from a file",
      path: "/customers/upload",
      method: "POST",
      url: /\/customers\/bulk$/,
      fill: (page) =>
        page
          .getByLabel(/CSV/)
          .setInputFiles({ name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from("client_id,name\nC-1,Kim Imported\n") }),
      send: (page) => page.getByRole("button", { name: /^Upload/ }),
      said: seen(/Kim|1 row/),
      now: async () => (await org.admin("GET", "/customers?q=Imported")).json.meta.total,
      expected: 1,
    },
    {
      what: "a vault that is not pinned any more",
      path: "/remote-vaults?tab=vaults",
      method: "DELETE",
      url: /\/remote-vaults\/[^/]+$/,
      fill: (page) => page.getByRole("button", { name: /^Remove/ }).click(),
      send: inLastDialog("Remove"),
      said: noDialog,
      now: async () => (await org.admin("GET", "/partner/remote-vaults")).json.meta.total,
      expected: 0,
    },
  ];
  tryTwice(its, acts);
});

describe("an act on a record of another installation whose answer is lost", () => {
  const its = office(console);
  const { ids, entries } = its;
  let org: TestOrg;

  beforeAll(async () => {
    org = await its.open();
    await offeredTo(service, org);
    const { own } = await neighbours(service, org);
    await offer(own, (await vaultedCopy(service, org)).envelope_id);
    const another = await service.newOrg("Third Example Bank");
    [ids.root, ids.another] = [own.root, another.org_id];
  }, 60_000);

  tryTwice(its, [
    {
      what: "an accepted record of a new customer",
      path: "/remote-vaults",
      method: "POST",
      url: /\/vault-transfers\/[^/]+\/accept$/,
      fill: async (page) => {
        await page.getByRole("button", { name: /^Accept/ }).click();
        await page.getByRole("button", { name: "New customer", exact: true }).click();
        await page.getByLabel("Customer's name", { exact: true }).fill("Kim New");
        await page.getByLabel("Customer's e-mail address", { exact: true }).fill("kim.new@example.com");
      },
      send: inLastDialog("Accept"),
      said: noDialog,
      now: async () => [await entries("transfer_in.accepted"), (await org.admin("GET", "/customers?q=kim.new")).json.meta.total],
      expected: [1, 1],
    },
    {
      what: "a cancelled offer",
      path: "/remote-vaults?tab=out",
      method: "POST",
      url: /\/vault-transfers\/[^/]+\/cancel$/,
      fill: (page) => page.getByRole("button", { name: /^Cancel transfer/ }).click(),
      send: inLastDialog("Cancel transfer"),
      said: noDialog,
      now: async () => (await org.admin("GET", "/partner/vault-transfers?direction=out")).json.data[0].state,
      expected: "cancelled",
    },
    {
      what: "a pinned vault",
      path: "/remote-vaults?tab=vaults",
      method: "POST",
      url: /\/remote-vaults$/,
      fill: async (page) => {
        await open("Pin a vault")(page);
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Address", { exact: true }).fill(service.url);
        await dialog.getByLabel("Root (SHA-256)", { exact: true }).fill(ids.root ?? "");
        await dialog.getByLabel("Organization ID", { exact: true }).fill(ids.another ?? "");
      },
      send: inLastDialog("Pin vault"),
      said: noDialog,
      now: async () =>
        (await org.admin("GET", "/partner/remote-vaults")).json.data.filter(({ org_id }: { org_id: string }) => org_id === ids.another)
          .length,
      expected: 1,
    },
  ]);
});

describe("an offered record that is refused while the answer is lost", () => {
  const its = office(console);

  beforeAll(async () => {
    await offeredTo(service, await its.open());
  }, 60_000);

  tryTwice(its, [
    {
      what: "a refused record",
      path: "/remote-vaults",
      method: "POST",
      url: /\/vault-transfers\/[^/]+\/refuse$/,
      fill: (page) => page.getByRole("button", { name: /^Refuse/ }).click(),
      send: inLastDialog("Refuse"),
      said: noDialog,
      now: () => its.entries("transfer_in.refused"),
      expected: 1,
    },
  ]);
});

describe("a deposit whose answer is lost", () => {
  const its = office(console);
  const { ids, entriesOf } = its;

  beforeAll(async () => {
    const org = await its.open();
    const { customer_id } = await its.make("/partner/customers", { name: "Ann Example" });
    const signed = form({}, { bytes: Buffer.from(longDocument(1)), name: "lease.pdf" });
    ids.paper = (await org.admin("POST", `/partner/customers/${customer_id}/documents`, signed)).json.data.envelope_id;
  });

  tryTwice(its, [
    {
      what: "a document on paper",
      path: "/vault/deposit?envelope=:paper",
      method: "POST",
      url: /\/vault-in-upload$/,
      fill: async (page) => {
        await open("Continue")(page);
        await page.getByLabel("Name", { exact: true }).fill("Ann Example");
        await page.getByLabel("Signed on", { exact: true }).fill("2026-01-02");
        await open("Continue")(page);
        await page.getByLabel("I accept these terms for Example Company").check();
        await open("Continue")(page);
      },
      send: press("Deposit"),
      said: (page) => page.waitForURL(/\/vault\/env_/),
      now: () => entriesOf("paper", "certification.accepted"),
      expected: 1,
    },
  ]);
});
