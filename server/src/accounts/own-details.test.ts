import { describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { joinInSession } from "../../test/invitations.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";

const service = testService();

const change = ({ admin }: TestOrg, body: object) => admin("PATCH", "/auth/me", { body });
const entriesOf = async ({ admin }: TestOrg, type: string) =>
  (await admin("GET", `/org/audit-trail?type=${type}`)).json.data.map(({ data }: { data: object }) => data);

describe("a person's own name and language", () => {
  test("can be changed alone or together, and each organization of the person records what changed", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await joinInSession(service, other, org);
    const before = (await org.admin("GET", "/auth/me")).json.data;
    expect([before.locale, before.has_password]).toEqual([null, true]);
    const changed = await change(org, { name: "Ann Other", locale: "de" });
    expect([changed.status, changed.json.data]).toEqual([200, { ...before, user: { ...before.user, name: "Ann Other" }, locale: "de" }]);
    expect((await change(org, { locale: null })).json.data).toMatchObject({ user: { name: "Ann Other" }, locale: null });
    // Nothing changed, so nothing is recorded.
    expect((await change(org, { name: "Ann Other" })).status).toBe(200);
    for (const one of [org, other]) {
      expect(await entriesOf(one, "person.changed")).toMatchObject([
        { user_id: org.user_id, changes: { locale: { from: "de", to: null } } },
        { user_id: org.user_id, changes: { name: { from: before.user.name, to: "Ann Other" }, locale: { from: null, to: "de" } } },
      ]);
    }
    const members = (await other.admin("GET", "/org/members")).json.data;
    expect(members.find(({ user_id }: { user_id: string }) => user_id === org.user_id).name).toBe("Ann Other");
  });

  test.each<[string, object]>([
    ["name", { name: " " }],
    ["name", { name: "two\nlines" }],
    ["name", { name: null }],
    ["locale", { locale: "xx" }],
    ["email", { email: "other@example.com" }],
  ])("refuse a %s that they cannot have", async (field, body) => {
    const { status, json } = await change(await service.newOrg(), body);
    expect([status, json.details[0].field]).toEqual([422, field]);
  });
});

describe("known browsers", () => {
  const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
  const logInByBrowser = (email: string, cookie = "") =>
    service.send("POST", "/auth/login", {
      body: { email, password: PASSWORD },
      headers: { origin: service.config.publicUrl, "user-agent": CHROME, ...(cookie !== "" && { cookie }) },
    });

  test("are listed with the one of this session, and a forgotten one is new at its next log-in", async () => {
    const org = await service.newOrg();
    expect((await org.admin("GET", "/auth/devices")).json.data).toEqual({ devices: [] });
    const signed = await logInByBrowser(org.email);
    const own = client(service.url, { authorization: `Bearer ${signed.json.data.token}` });
    const listed = (await own("GET", "/auth/devices")).json.data.devices;
    expect(listed).toEqual([
      {
        device_id: expect.stringMatching(/^dev_/),
        browser: "Chrome on Linux",
        first_ip: "127.0.0.1",
        last_ip: "127.0.0.1",
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        known_until: expect.any(String),
        remembered_at: null,
        current: true,
      },
    ]);
    expect((await org.admin("GET", "/auth/devices")).json.data.devices[0].current).toBe(false);
    const { device_id } = listed[0];
    const cookie =
      [signed.headers["set-cookie"] ?? []]
        .flat()
        .find((line) => line.startsWith("countersign_device="))
        ?.split(";")[0] ?? "";
    expect((await own("DELETE", `/auth/devices/${device_id}`)).json).toEqual({ data: { done: true } });
    expect((await own("DELETE", `/auth/devices/${device_id}`)).status).toBe(404);
    expect((await own("GET", "/auth/devices")).json.data).toEqual({ devices: [] });
    expect(await entriesOf(org, "browser.forgotten")).toMatchObject([{ user_id: org.user_id, device_id }]);
    // The session goes on, and the browser is new at its next log-in: the person is told.
    expect((await own("GET", "/auth/me")).status).toBe(200);
    const told = () => service.database.owner("select from mail_messages where kind = 'new_device' and to_address = $1", [org.email]);
    const before = (await told()).length;
    await logInByBrowser(org.email, cookie);
    expect(await told()).toHaveLength(before + 1);
  });

  test("of another person are not found", async () => {
    const [ann, ben] = [await service.newOrg(), await service.newOrg()];
    const signed = await logInByBrowser(ann.email);
    const own = client(service.url, { authorization: `Bearer ${signed.json.data.token}` });
    const [{ device_id }] = (await own("GET", "/auth/devices")).json.data.devices;
    expect((await ben.admin("DELETE", `/auth/devices/${device_id}`)).status).toBe(404);
    expect((await own("GET", "/auth/devices")).json.data.devices).toHaveLength(1);
  });
});
