import { afterAll, beforeAll, describe } from "vitest";
import { newId } from "../../server/src/shared/ids.ts";
import { codeOf, newApp } from "../../server/test/factors.ts";
import { type IdentityProvider, startIdentityProvider } from "../../server/test/identity-provider.ts";
import type { TestOrg } from "../../server/test/service.ts";
import { expect, type Page } from "./browser.ts";
import { testConsole } from "./console.ts";
import { type Act, ALREADY, inDialog, inLastDialog, inside, office, press, saveIn, seen, tryTwice, type } from "./lost-acts.ts";

/** The connection ends in the middle of an act on the account, the settings or what developers use: it happens once. */

const console = await testConsole({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "sign@example.com" });
const { service } = console;

const inCard = (card: string, name: string) => (page: Page) =>
  page.getByRole("region", { name: card, exact: true }).getByRole("button", { name, exact: true });
const noDialog = (page: Page) => expect(page.getByRole("dialog")).toHaveCount(0);
const open = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();
const TRUE = async () => true;

describe("an act on the own account whose answer is lost", () => {
  const its = office(console);
  const { read } = its;
  let org: TestOrg;
  let secret = "";

  beforeAll(async () => {
    org = await its.open();
    await newApp(service, org.admin);
    await service.database.owner(
      `insert into devices (device_id, user_id, token_hash, label, first_ip, last_ip, known_until)
       values ($1, $2, $3, 'Firefox on Linux', '192.0.2.7', '192.0.2.7', now() + interval '30 days')`,
      [newId("device"), org.user_id, Buffer.alloc(32, 7)],
    );
    await service.database.owner(
      "update sessions set user_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' where user_id = $1",
      [org.user_id],
    );
  });

  const acts: readonly Act[] = [
    {
      what: "the name",
      path: "/account",
      method: "PATCH",
      url: /\/auth\/me$/,
      fill: type("Name", "Ann Renamed"),
      send: inCard("Name and language", "Save"),
      entered: ["Name", "Ann Renamed"],
      said: seen("Your details are saved."),
      now: async () => (await read("/auth/me")).user.name,
      expected: "Ann Renamed",
    },
    {
      what: "another address",
      path: "/account",
      method: "POST",
      url: /\/auth\/email$/,
      fill: type("New e-mail address", "ann.new@example.com"),
      send: press("Send link"),
      entered: ["New e-mail address", "ann.new@example.com"],
      said: seen(/^If ann\.new@example\.com can be used/),
      now: TRUE,
      expected: true,
    },
    {
      what: "a forgotten browser",
      path: "/account",
      method: "DELETE",
      url: /\/auth\/devices\/[^/]+$/,
      fill: open("Forget Firefox on Linux, 192.0.2.7"),
      send: inLastDialog("Forget"),
      said: seen("Firefox on Linux is forgotten."),
      now: async () => (await read("/auth/devices")).devices,
      expected: [],
    },
    {
      what: "new recovery codes",
      path: "/account",
      method: "POST",
      url: /\/auth\/recovery-codes$/,
      fill: open("Make new recovery codes"),
      send: inLastDialog("Make new recovery codes"),
      said: (page) => expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible(),
      now: async () => (await read("/auth/factors")).recovery_codes_left,
      expected: 10,
    },
    {
      what: "a second authenticator app",
      path: "/account",
      method: "POST",
      url: /\/auth\/factors\/[^/]+\/confirm$/,
      fill: async (page) => {
        await open("Add another app")(page);
        await page.getByLabel("Name of the app or phone").fill("Tablet");
        await page.getByRole("button", { name: "Continue", exact: true }).click();
        await page.getByLabel("Code that the app shows").waitFor();
        secret = (await page.locator("dialog .secret code").textContent()) ?? "";
        await page.getByLabel("Code that the app shows").fill(codeOf(secret));
      },
      send: inLastDialog("Turn on"),
      said: seen("Tablet is added. Your password is no longer enough to log in."),
      now: async () => (await read("/auth/factors")).factors.map(({ name }: { name: string }) => name).sort(),
      expected: ["Phone", "Tablet"],
    },
    {
      what: "the last authenticator app",
      path: "/account",
      method: "DELETE",
      url: /\/auth\/factors\/[^/]+$/,
      fill: open("Remove Phone"),
      send: inLastDialog("Remove"),
      said: seen("Phone is removed."),
      now: async () => (await read("/auth/factors")).factors.length,
      expected: 1,
    },
    {
      what: "a removed authenticator app",
      path: "/account",
      method: "DELETE",
      url: /\/auth\/factors\/[^/]+$/,
      fill: open("Remove Tablet"),
      send: inLastDialog("Remove"),
      said: seen("Tablet is removed."),
      now: async () => (await read("/auth/factors")).factors.length,
      expected: 0,
    },
    {
      what: "the first authenticator app, whose recovery codes were lost with the answer",
      path: "/account",
      method: "POST",
      url: /\/auth\/factors\/[^/]+\/confirm$/,
      fill: async (page) => {
        await open("Add authenticator app")(page);
        await page.getByRole("button", { name: "Continue", exact: true }).click();
        await page.getByLabel("Code that the app shows").waitFor();
        secret = (await page.locator("dialog .secret code").textContent()) ?? "";
        await page.getByLabel("Code that the app shows").fill(codeOf(secret));
      },
      send: inLastDialog("Turn on"),
      said: async (page) => {
        await inLastDialog("Make new recovery codes")(page).click();
        await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
      },
      now: async () => (await read("/auth/factors")).recovery_codes_left,
      expected: 10,
    },
    {
      what: "an ended session",
      path: "/account",
      method: "DELETE",
      url: /\/auth\/sessions\/[^/]+$/,
      fill: (page) =>
        page
          .getByRole("button", { name: /^End session: Firefox/ })
          .first()
          .click(),
      send: inLastDialog("End session"),
      said: seen(/^Session ended: Firefox/),
      now: async () =>
        (await service.database.owner("select 1 from sessions where user_agent like '%Firefox%' and ended_at is null")).length,
      expected: 0,
    },
  ];
  tryTwice(its, acts);
});

describe("an act on the settings whose answer is lost", () => {
  const its = office(console);
  const { ids, read, make, entries } = its;
  let org: TestOrg;
  let provider: IdentityProvider;
  afterAll(() => provider.close());

  beforeAll(async () => {
    org = await its.open();
    const other = await console.join(org, "member", "Sam Sample");
    ids.member = other.user_id;
    await service.database.owner(
      "insert into factors (factor_id, user_id, kind, name, secret_enc, confirmed_at) values ($1, $2, 'totp', 'Phone', '\\x00', now())",
      [newId("factor"), other.user_id],
    );
    ids.sink = (await make("/org/audit-sinks", { kind: "webhook", target: `${console.url}/sink`, from: "now" })).sink_id;
    ids.domain = (await make("/org/domains", { domain: "known.example.com" })).domain_id;
    provider = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
    ids.connection = (
      await make("/org/sso", { name: "Known provider", issuer: provider.issuer, ...provider.client, ...others })
    ).connection_id;
    await service.database.owner("update sso_connections set state = 'active' where connection_id = $1", [ids.connection]);
    await org.admin("PUT", "/org/mail-texts", { body: { kind: "reminder", locale: "en", subject: "Still open" } });
  });

  const acts: readonly Act[] = [
    {
      what: "the security settings",
      path: "/settings",
      method: "PATCH",
      url: /\/org\/security$/,
      fill: type("Minimum length of new passwords", "16"),
      send: saveIn("Security"),
      entered: ["Minimum length of new passwords", "16"],
      said: seen(/^Saved\./),
      now: async () => (await read("/org/security")).min_password,
      expected: 16,
    },
    {
      what: "the mode of single sign-on",
      path: "/settings",
      method: "PATCH",
      url: /\/org\/security$/,
      fill: (page) => page.getByRole("combobox", { name: "Single sign-on" }).selectOption("optional"),
      send: saveIn("Single sign-on"),
      said: seen(/^Saved$/),
      now: async () => (await read("/org/security")).sso_mode,
      expected: "optional",
    },
    {
      what: "a domain",
      path: "/settings",
      method: "POST",
      url: /\/org\/domains$/,
      fill: type("Domain", "new.example.com"),
      send: inCard("Single sign-on", "Add domain"),
      entered: ["Domain", "new.example.com"],
      said: (page) => expect(page.getByRole("button", { name: "Remove new.example.com" })).toHaveCount(1),
      now: async () => (await read("/org/domains")).domains.length,
      expected: 2,
    },
    {
      what: "a removed domain",
      path: "/settings",
      method: "DELETE",
      url: /\/org\/domains\/[^/]+$/,
      fill: open("Remove known.example.com"),
      send: inLastDialog("Remove"),
      said: noDialog,
      now: async () => (await read("/org/domains")).domains.map(({ domain }: { domain: string }) => domain),
      expected: ["new.example.com"],
    },
    {
      what: "a connection to an identity provider",
      path: "/settings",
      method: "POST",
      url: /\/org\/sso$/,
      fill: async (page) => {
        await page.getByText("Connect a provider", { exact: true }).click();
        const card = page.getByRole("region", { name: "Single sign-on", exact: true });
        await card.getByLabel("Name", { exact: true }).fill("New provider");
        await card.getByLabel("Issuer", { exact: true }).fill(provider.issuer);
        await card.getByLabel("Client ID", { exact: true }).fill("countersign");
        await card.getByLabel("Client secret", { exact: true }).fill("a secret of the provider");
      },
      send: press("Connect"),
      entered: ["Client secret", "a secret of the provider"],
      said: (page) => expect(page.getByRole("button", { name: "Delete New provider" })).toHaveCount(1),
      now: async () => (await read("/org/sso")).connections.length,
      expected: 2,
    },
    {
      what: "a mailed link about a domain",
      path: "/settings",
      method: "POST",
      url: /\/org\/domains\/[^/]+\/verify$/,
      fill: (page) => page.getByRole("button", { name: "Mail a link to postmaster" }).waitFor(),
      send: press("Mail a link to postmaster"),
      said: seen("A link was mailed to postmaster@new.example.com. It works for 24 hours."),
      now: async () => (await read("/org/domains")).domains[0].mailed_to,
      expected: "postmaster@new.example.com",
    },
    {
      what: "a connection that is turned off",
      path: "/settings",
      method: "PATCH",
      url: /\/org\/sso\/[^/]+$/,
      fill: (page) => page.getByRole("button", { name: "Disable", exact: true }).waitFor(),
      send: press("Disable"),
      said: (page) => expect(page.getByText("Disabled", { exact: true })).toBeVisible(),
      now: async () =>
        (await read("/org/sso")).connections
          .filter(({ state }: { state: string }) => state === "disabled")
          .map(({ name }: { name: string }) => name),
      expected: ["Known provider"],
    },
    {
      what: "a deleted connection",
      path: "/settings",
      method: "DELETE",
      url: /\/org\/sso\/[^/]+$/,
      fill: open("Delete Known provider"),
      send: inLastDialog("Delete"),
      said: noDialog,
      now: async () => (await read("/org/sso")).connections.map(({ name }: { name: string }) => name),
      expected: ["New provider"],
    },
    {
      what: "a system that is turned off",
      path: "/settings",
      method: "PATCH",
      url: /\/org\/audit-sinks\/[^/]+$/,
      fill: (page) => page.getByRole("button", { name: "Turn off" }).waitFor(),
      send: inCard("Audit export", "Turn off"),
      said: (page) => expect(page.getByRole("button", { name: "Turn on" })).toBeVisible(),
      now: async () => (await read("/org/audit-sinks"))[0].enabled,
      expected: false,
    },
    {
      what: "a system for audit entries",
      path: "/settings",
      method: "POST",
      url: /\/org\/audit-sinks$/,
      fill: inDialog("Add system", "Address", `${console.url}/second`),
      send: inLastDialog("Add system"),
      entered: ["Address", `${console.url}/second`],
      said: seen(ALREADY),
      now: async () => (await read("/org/audit-sinks")).length,
      expected: 2,
    },
    {
      what: "a removed system",
      path: "/settings",
      method: "DELETE",
      url: /\/org\/audit-sinks\/[^/]+$/,
      fill: open(`Remove ${console.url}/sink`),
      send: inLastDialog("Remove"),
      said: noDialog,
      now: async () => (await read("/org/audit-sinks")).map(({ target }: { target: string }) => target),
      expected: [`${console.url}/second`],
    },
    {
      what: "the registry",
      path: "/settings",
      method: "PUT",
      url: /\/org\/registry$/,
      fill: async (page) => {
        await page.getByLabel("Registry URL", { exact: true }).fill(`${console.url}/registry`);
        await page.getByRole("region", { name: "Registry", exact: true }).getByRole("checkbox").first().check();
      },
      send: saveIn("Registry"),
      entered: ["Registry URL", `${console.url}/registry`],
      said: seen(/^The registry is saved, but its secret was lost with an earlier answer\./),
      now: async () => (await read("/org/registry")).registry.url,
      expected: `${console.url}/registry`,
    },
    {
      what: "the removed registry",
      path: "/settings",
      method: "DELETE",
      url: /\/org\/registry$/,
      fill: (page) => page.getByRole("button", { name: "Remove registry" }).waitFor(),
      send: press("Remove registry"),
      said: (page) => expect(page.getByRole("button", { name: "Remove registry" })).toHaveCount(0),
      now: async () => (await read("/org/registry")).registry,
      expected: null,
    },
    {
      what: "the sender of e-mails",
      path: "/settings/mail",
      method: "PUT",
      url: /\/org\/mail-sender$/,
      fill: async (page) => {
        await inside("Sender", "Name", "Harbour Lending")(page);
        await inside("Sender", "Address", "sign@harbour.example.com")(page);
      },
      send: saveIn("Sender"),
      entered: ["Address", "sign@harbour.example.com"],
      said: (page) => expect(page.getByRole("button", { name: "Remove sender" })).toBeVisible(),
      now: async () => (await read("/org/mail-sender")).sender.from_address,
      expected: "sign@harbour.example.com",
    },
    {
      what: "the removed sender of e-mails",
      path: "/settings/mail",
      method: "DELETE",
      url: /\/org\/mail-sender$/,
      fill: (page) => page.getByRole("button", { name: "Remove sender" }).waitFor(),
      send: press("Remove sender"),
      said: (page) => expect(page.getByRole("button", { name: "Remove sender" })).toHaveCount(0),
      now: async () => (await read("/org/mail-sender")).sender,
      expected: null,
    },
    {
      what: "the words of an e-mail as they were at first",
      path: "/settings/mail",
      method: "DELETE",
      url: /\/org\/mail-texts/,
      fill: async (page) => {
        await page.getByLabel("E-mail", { exact: true }).selectOption("reminder");
        await page.getByLabel("Subject (optional)", { exact: true }).fill("");
      },
      send: saveIn("Words of e-mails"),
      said: (page) => expect(page.getByLabel("E-mail", { exact: true })).not.toContainText("(changed)"),
      now: async () => (await read("/org/mail-texts")).texts,
      expected: [],
    },
    {
      what: "a link for a lost second factor",
      path: "/members",
      method: "POST",
      url: /\/reset-factors$/,
      fill: async (page) => {
        await open("Actions for Sam Sample")(page);
        await page.getByRole("menuitem", { name: "Sessions" }).click();
        await page.getByLabel("Reason", { exact: true }).fill("Phone is lost");
      },
      send: inLastDialog("Send link"),
      entered: ["Reason", "Phone is lost"],
      said: seen(/^We have sent the link to /),
      now: () => entries("factor.reset_requested"),
      // Each asks for a link, and only the newest works.
      expected: 2,
    },
    {
      what: "the end of everyone's sessions",
      path: "/members",
      method: "DELETE",
      url: /\/org\/sessions$/,
      fill: open("Sign everyone out"),
      send: inLastDialog("Sign everyone out"),
      said: noDialog,
      now: TRUE,
      expected: true,
    },
  ];
  tryTwice(its, acts);
});

const others = { role_claim: null, role_map: [], default_role: "member", provision: "create" };

describe("an act of a developer whose answer is lost", () => {
  const its = office(console);
  const { entries, ids, make } = its;

  beforeAll(async () => {
    ids.org = (await its.open()).org_id;
    ids.endpoint = (await make("/webhooks/endpoints", { url: `${console.url}/hook` })).endpoint_id;
    ids.key = (await make("/partners/keys", { partner_name: "Billing", scopes: ["envelopes:read"] })).key_id;
    await make("/org/sandboxes", { name: "Harbor" });
  });

  const deliveries = async () => {
    const events = await service.database.owner("select 1 from events where org_id = $1 and event_type = 'webhook.test'", [ids.org]);
    return events.length;
  };
  const NAME = "Type “Harbor” to confirm";
  const acts: readonly Act[] = [
    {
      what: "a sandbox that is reset",
      path: "/sandboxes",
      method: "POST",
      url: /\/org\/sandboxes\/[^/]+\/reset$/,
      fill: inDialog("Reset Harbor", NAME, "Harbor"),
      send: inLastDialog("Reset"),
      entered: [NAME, "Harbor"],
      said: noDialog,
      now: () => entries("sandbox.reset"),
      expected: 1,
    },
    {
      what: "a deleted sandbox",
      path: "/sandboxes",
      method: "DELETE",
      url: /\/org\/sandboxes\/[^/]+$/,
      fill: inDialog("Delete Harbor", NAME, "Harbor"),
      send: inLastDialog("Delete"),
      entered: [NAME, "Harbor"],
      said: noDialog,
      now: () => entries("sandbox.deleted"),
      expected: 1,
    },
    {
      what: "a test event",
      path: "/webhooks/:endpoint",
      method: "POST",
      url: /\/endpoints\/[^/]+\/test$/,
      fill: (page) => page.getByRole("button", { name: "Send test", exact: true }).waitFor(),
      send: press("Send test"),
      said: seen(/^Test event queued\./),
      now: deliveries,
      expected: 1,
    },
    {
      what: "a test event of a key",
      path: "/keys/:key",
      method: "POST",
      url: /\/keys\/[^/]+\/test-webhook$/,
      fill: (page) => page.getByRole("button", { name: "Test webhook", exact: true }).waitFor(),
      send: press("Test webhook"),
      said: seen(/^A webhook\.test event is being sent to 1 endpoint\./),
      now: deliveries,
      expected: 2,
    },
  ];
  tryTwice(its, acts);
});
