import { describe, expect, test } from "vitest";
import { newApp } from "../../test/factors.ts";
import { mailTo } from "../../test/mail.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { remindOfFactors } from "./remind-of-factors.ts";
import { insertMember } from "./store.ts";

const service = testService();
const { owner } = service.database;

const requireFactor = (org: TestOrg, body: object = {}) =>
  org.admin("PATCH", "/org/security", { body: { second_factor: "required", ...body } });
const texts = async (email: string) => (await mailTo(service, email, "factor_required")).map(({ subject, text }) => `${subject}\n${text}`);
const since = (org: TestOrg, hours: number) =>
  owner("update org_security set second_factor_since = now() - $2 * interval '1 hour' where org_id = $1", [org.org_id, hours]);

/** An org whose admin has a second factor, and a member who has none and joined long ago. */
async function withMember(name: string) {
  const [org, member] = [await service.newOrg(name), await service.newOrg()];
  await newApp(service, org.admin);
  await service.db.system((tx) => tx.forOrg(org.org_id, () => insertMember(tx, org.org_id, member.user_id, "member")));
  await owner("update members set created_at = now() - interval '90 days' where org_id = $1", [org.org_id]);
  return { org, member };
}

describe("an organization that begins to require a second factor", () => {
  test("tells the members who have none by when they need it, once, and no one else", async () => {
    const { org, member } = await withMember("Elm Bank");
    expect((await requireFactor(org)).status).toBe(200);
    const [told, ...more] = await texts(member.email);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(Date.now() + 7 * 86_400_000);
    expect([told, more]).toEqual([expect.stringContaining("Elm Bank requires a second factor to log in"), []]);
    expect(told).toContain(`Add one by ${day}`);
    expect(told).toContain("/console/account");
    expect(await texts(org.email)).toEqual([]);
    // Another setting, and the same one again, are no news.
    await requireFactor(org, { max_hours: 24 });
    expect(await texts(member.email)).toHaveLength(1);
  });

  test("without days of grace says that it is needed from now on", async () => {
    const { org, member } = await withMember("Oak Bank");
    await requireFactor(org, { grace_days: 0 });
    const [told] = await texts(member.email);
    expect(told).toContain("the next time you work in this organization you are asked to add one first");
  });
});

describe("a day before the days of grace end", () => {
  test("a member without a second factor is reminded once, however often and by however many workers the job runs", async () => {
    const { org, member } = await withMember("Ash Bank");
    await requireFactor(org);
    const remind = () => remindOfFactors(service.features.orgs);
    await since(org, 5 * 24 + 23);
    await remind();
    expect(await texts(member.email)).toHaveLength(1);
    await since(org, 6 * 24 + 1);
    await Promise.all([remind(), remind(), remind()]);
    await remind();
    expect(await texts(member.email)).toHaveLength(2);
    // Required anew, it counts anew.
    await org.admin("PATCH", "/org/security", { body: { second_factor: "off" } });
    await requireFactor(org);
    await since(org, 6 * 24 + 1);
    await owner("update members set factor_reminded_at = now() - interval '30 days' where org_id = $1", [org.org_id]);
    await remind();
    expect(await texts(member.email)).toHaveLength(4);
  });

  test("a member who has added one, joined less than a day ago, or is past the day gets nothing", async () => {
    const { org, member } = await withMember("Fir Bank");
    await requireFactor(org);
    const [{ email, admin }, late] = [member, await withMember("Yew Bank")];
    await since(org, 6 * 24 + 1);
    await newApp(service, admin);
    await requireFactor(late.org, { grace_days: 1 });
    await since(late.org, 2);
    await remindOfFactors(service.features.orgs);
    expect([await texts(email), await texts(late.member.email)].map(({ length }) => length)).toEqual([1, 1]);
    await since(late.org, 25);
    await remindOfFactors(service.features.orgs);
    expect(await texts(late.member.email)).toHaveLength(1);
  });
});
