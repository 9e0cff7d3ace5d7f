import { beforeAll, describe, expect, test } from "vitest";
import { png } from "../../test/png.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";
import { locales } from "../shared/locales.ts";
import { sha256 } from "../shared/secrets.ts";

const service = testService();

// An org for rejected changes. Its settings must never change.
let acme: TestOrg;
beforeAll(async () => {
  acme = await service.newOrg("Acme");
});

const defaults = {
  embed_origins: [],
  min_retention_days: 2557,
  default_custodian_user_id: null,
  require_external_time: false,
  require_mailed_link: false,
  control_policy: "attested",
  status_shows_parties: false,
  default_locale: "en",
  time_zone: "UTC",
  contact_email: null,
  completed_mail: "link",
  branding: {},
  updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
};

const change = (org: TestOrg, body: object) => org.admin("PATCH", "/org/settings", { body });
const read = async (org: TestOrg) => (await org.admin("GET", "/org/settings")).json.data;

const invalid = (field: string, code: string, message: string) => ({
  error: "Validation failed",
  details: [{ location: "body", field, code, message }],
});

async function entriesOf(org: TestOrg) {
  const { json } = await org.admin("GET", "/org/audit-trail");
  return json.data.filter(({ type }: { type: string }) => type === "settings.changed");
}

describe("settings", () => {
  test("of a new org are the defaults", async () => {
    const org = await service.newOrg("Acme");
    const { status, json } = await org.admin("GET", "/org/settings");
    expect([status, json]).toEqual([200, { data: { name: "Acme", ...defaults } }]);
  });

  test("change only if they are given, and each change is an audit entry with the values before and after", async () => {
    const org = await service.newOrg("Acme");
    const { status, json, headers } = await change(org, { name: "Acme Ltd", min_retention_days: 3650 });
    expect([status, json]).toEqual([200, { data: { ...defaults, name: "Acme Ltd", min_retention_days: 3650 } }]);
    expect(await read(org)).toEqual(json.data);
    expect(await entriesOf(org)).toEqual([
      {
        seq: 4,
        type: "settings.changed",
        at: expect.any(String),
        actor: { kind: "user", id: org.user_id },
        data: {
          changes: { name: { from: "Acme", to: "Acme Ltd" }, min_retention_days: { from: 2557, to: 3650 } },
          ip: "127.0.0.1",
          user_agent: "",
          request_id: headers["x-request-id"],
        },
        hash: expect.any(String),
      },
    ]);
  });

  test("can all be changed at once, and back again", async () => {
    const org = await service.newOrg("Acme");
    const all = {
      name: "Acme Ltd",
      embed_origins: ["https://app.example.com", "https://app.example.com:8443"],
      min_retention_days: 1,
      default_custodian_user_id: org.user_id,
      require_external_time: true,
      require_mailed_link: true,
      control_policy: "confirmed",
      status_shows_parties: true,
      default_locale: "de",
      time_zone: "Europe/Berlin",
      contact_email: "contracts@example.com",
      completed_mail: "attachment",
      branding: { font: "serif", accent: "#0a7", radius: "8px", scheme: "auto" },
    };
    const { status, json } = await change(org, all);
    expect([status, json]).toEqual([200, { data: { ...all, updated_at: defaults.updated_at } }]);
    const { updated_at, ...before } = defaults;
    const back = await change(org, { name: "Acme", ...before });
    expect([back.status, back.json]).toEqual([200, { data: { name: "Acme", ...before, updated_at } }]);
  });

  test("that are set to their current values write no entry and keep updated_at", async () => {
    const org = await service.newOrg();
    const first = await change(org, { embed_origins: ["https://app.example.com"], default_custodian_user_id: org.user_id });
    const { updated_at, ...same } = first.json.data;
    for (const body of [same, {}, { min_retention_days: 2557 }]) {
      const { status, json } = await change(org, body);
      expect([status, json]).toEqual([200, first.json]);
    }
    expect(await entriesOf(org)).toHaveLength(1);
  });

  test("reject unknown fields and never store them", async () => {
    const org = await service.newOrg("Acme");
    const { status, json } = await change(org, { colour: "red", org_id: newId("org"), updated_at: "2001-01-01T00:00:00.000Z" });
    expect([status, json.details.map(({ field }: { field: string }) => field)]).toEqual([422, ["colour", "org_id", "updated_at"]]);
    expect(await read(org)).toEqual({ name: "Acme", ...defaults });
    expect(await entriesOf(org)).toEqual([]);
  });

  test("have an ETag, and are 304 until they change", async () => {
    const org = await service.newOrg();
    const { headers } = await org.admin("GET", "/org/settings");
    const known = { headers: { "if-none-match": headers.etag ?? "" } };
    const same = await org.admin("GET", "/org/settings", known);
    expect([same.status, same.text, same.headers.etag]).toEqual([304, "", headers.etag]);
    await change(org, { require_external_time: true });
    const changed = await org.admin("GET", "/org/settings", known);
    expect(changed.status).toBe(200);
    expect(changed.json.data.require_external_time).toBe(true);
    expect(changed.headers.etag).not.toBe(headers.etag);
  });

  test("of another org do not change", async () => {
    const [org, other] = [await service.newOrg("Acme"), await service.newOrg("Other")];
    await change(org, { name: "Changed", min_retention_days: 9 });
    expect(await read(other)).toEqual({ name: "Other", ...defaults });
  });

  test.each([
    [{ name: "" }, invalid("name", "too_small", "must have at least 1 character")],
    [{ min_retention_days: 0 }, invalid("min_retention_days", "too_small", "must be at least 1")],
    [{ min_retention_days: 36_501 }, invalid("min_retention_days", "too_big", "must be at most 36500")],
    [{ min_retention_days: "7" }, invalid("min_retention_days", "invalid_type", "must be a whole number")],
    [{ require_external_time: "yes" }, invalid("require_external_time", "invalid_type", "must be true or false")],
    [{ default_locale: "tlh" }, invalid("default_locale", "invalid_value", `must be one of: ${locales.join(", ")}`)],
  ])("of the wrong type are rejected completely: %j", async (wrong, error) => {
    const { status, json } = await change(acme, { ...wrong, branding: { font: "serif" } });
    expect([status, json]).toEqual([422, error]);
    expect(await read(acme)).toEqual({ name: "Acme", ...defaults });
  });
});

describe("default_custodian_user_id", () => {
  test("must be a member of this org", async () => {
    const [org, foreign] = [await service.newOrg(), await service.newOrg()];
    for (const default_custodian_user_id of [foreign.user_id, newId("user")]) {
      const { status, json } = await change(org, { default_custodian_user_id });
      const error = invalid("default_custodian_user_id", "not_found", "is not a member of this organization");
      expect([status, json]).toEqual([422, error]);
    }
    expect((await change(org, { default_custodian_user_id: org.user_id })).json.data.default_custodian_user_id).toBe(org.user_id);
    expect((await change(org, { default_custodian_user_id: null })).json.data.default_custodian_user_id).toBeNull();
  });
});

describe("branding.logo", () => {
  const base64 = (picture: Buffer) => picture.toString("base64");
  const small = base64(png({ width: 40, height: 20, text: "made on a Tuesday" }));

  test("is stored without other content of the file, and returned with the other values", async () => {
    const org = await service.newOrg();
    const { status, json } = await change(org, { branding: { accent: "#0a7", logo: small } });
    expect([status, json.data.branding]).toEqual([200, { accent: "#0a7", logo: expect.stringMatching(/^iVBORw0KGgo/) }]);
    const kept = Buffer.from(json.data.branding.logo, "base64");
    expect([kept.readUInt32BE(16), kept.readUInt32BE(20), kept.includes("Tuesday")]).toEqual([40, 20, false]);
    expect((await read(org)).branding).toEqual(json.data.branding);
  });

  test("is in the audit entry as a hash; the same logo again is not a change", async () => {
    const org = await service.newOrg();
    const { json } = await change(org, { branding: { logo: small } });
    await change(org, { branding: { logo: small } });
    await change(org, json.data);
    const logo_sha256 = sha256(Buffer.from(json.data.branding.logo, "base64")).toString("hex");
    const entries = await entriesOf(org);
    expect(entries.map(({ data }: { data: { changes: object } }) => data.changes)).toEqual([
      { branding: { from: {}, to: { logo_sha256 } } },
    ]);
  });

  test.each([{ font: "serif" }, { font: "serif", logo: null }])("is removed by %j", async (branding) => {
    const org = await service.newOrg();
    await change(org, { branding: { logo: small } });
    await change(org, { require_external_time: true });
    expect((await read(org)).branding.logo).toMatch(/^iVBOR/);
    expect((await change(org, { branding })).json.data.branding).toEqual({ font: "serif" });
    expect((await entriesOf(org))[0].data.changes).toEqual({
      branding: { from: { logo_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }, to: { font: "serif" } },
    });
  });

  test("can have 1000 × 400 pixels", async () => {
    const { status } = await change(await service.newOrg(), { branding: { logo: base64(png({ width: 1000, height: 400 })) } });
    expect(status).toBe(200);
  });

  const notRead = "must be a readable PNG";
  const noBase64 = "must be Base64 (RFC 4648, section 4)";
  test.each([
    ["a PDF", base64(Buffer.from("%PDF-1.7")), "invalid_value", notRead],
    ["half a PNG", base64(png({ width: 40, height: 20 }).subarray(0, 50)), "invalid_value", notRead],
    ["an SVG", base64(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")), "invalid_value", notRead],
    ["too wide", base64(png({ width: 1001, height: 10 })), "too_big", "must have at most 1000 × 400 pixels"],
    ["too high", base64(png({ width: 10, height: 401 })), "too_big", "must have at most 1000 × 400 pixels"],
    ["over 100 KB", base64(png({ width: 200, height: 140, noise: true })), "too_big", "must have at most 100 KB"],
    ["no base64", "%%%", "invalid_value", noBase64],
    ["a data: address", `data:image/png;base64,${small}`, "invalid_value", noBase64],
    ["empty", "", "invalid_value", noBase64],
    ["a number", 7, "invalid_value", "must be a string or null"],
  ])("that is %s is rejected, and nothing changes", async (_name, logo, code, message) => {
    const { status, json } = await change(acme, { name: "Other", branding: { logo } });
    expect([status, json]).toEqual([422, invalid("branding.logo", code, message)]);
    expect(await read(acme)).toEqual({ name: "Acme", ...defaults });
  });
});

describe("branding", () => {
  test("accepts every allowed property", async () => {
    const branding = {
      accent: "#0a7cff",
      accent_text: "rgb(255, 255, 255)",
      background: "hsl(210 20% 98%)",
      surface: "#fffffff0",
      text: "oklch(0.2 0.02 250)",
      border: "#ccc",
      radius: "16px",
      font: "rounded",
      scheme: "dark",
    };
    const { status, json } = await change(await service.newOrg(), { branding });
    expect([status, json.data.branding]).toEqual([200, branding]);
  });

  test.each([
    [{ accent: "red; background: url(https://evil.example)" }, "branding.accent", "invalid_format"],
    [{ accent: "var(--x)" }, "branding.accent", "invalid_format"],
    [{ text: "url(https://evil.example)" }, "branding.text", "invalid_format"],
    [{ radius: "17px" }, "branding.radius", "invalid_format"],
    [{ radius: "1em" }, "branding.radius", "invalid_format"],
    [{ font: "Comic Sans" }, "branding.font", "invalid_value"],
    [{ scheme: "sepia" }, "branding.scheme", "invalid_value"],
    [{ accent: 7 }, "branding.accent", "invalid_type"],
  ])("rejects other properties: %j", async (branding, field, code) => {
    const { status, json } = await change(acme, { branding });
    expect([status, json]).toEqual([422, invalid(field, code, expect.any(String))]);
    expect((await read(acme)).branding).toEqual({});
  });

  test("rejects an unknown field and never stores it", async () => {
    const { status, json } = await change(acme, { branding: { css: "body { display: none }" } });
    expect([status, json.details[0].field]).toEqual([422, "branding.css"]);
    expect((await read(acme)).branding).toEqual({});
  });

  test("sent again in another order is not a change and writes no entry", async () => {
    const org = await service.newOrg();
    await change(org, { branding: { font: "serif", accent_text: "#fff", accent: "#000" } });
    await change(org, { branding: { accent: "#000", accent_text: "#fff", font: "serif" } });
    const { json } = await org.admin("GET", "/org/audit-trail");
    expect(json.data.filter((entry: { type: string }) => entry.type === "settings.changed")).toHaveLength(1);
  });
});
