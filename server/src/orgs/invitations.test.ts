import { describe, expect, test } from "vitest";
import { accept, invite, membersOf, newEmail, preview, revoke } from "../../test/invitations.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";
import { decrypt } from "../shared/secrets.ts";

const service = testService();

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("an invitation", () => {
  test("returns its link once, mails it, and is listed without it", async () => {
    const org = await service.newOrg();
    // A name with a line break is no longer accepted, but a mail's subject must still tolerate an old one.
    await service.database.owner("update orgs set name = $1 where org_id = $2", ["Acme\n& Sons", org.org_id]);
    const email = newEmail();
    const { status, json } = await org.admin("POST", "/org/invitations", { body: { email, role: "viewer" } });
    expect(status).toBe(201);
    const { accept_url, ...listed } = json.data;
    expect(accept_url).toMatch(/^http:\/\/localhost:3000\/console\/invite#token=[\w-]{43}$/);
    expect(listed).toEqual({
      invitation_id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      email,
      role: "viewer",
      invited_by: org.user_id,
      created_at: iso,
      expires_at: iso,
      accepted_at: null,
      revoked_at: null,
    });
    expect(Date.parse(listed.expires_at) - Date.parse(listed.created_at)).toBe(7 * 86_400_000);
    const list = await org.admin("GET", "/org/invitations");
    expect([list.status, list.json]).toEqual([200, { data: [listed], meta: { page: 1, limit: 50, total: 1 } }]);

    const [mail] = await service.database.owner("select * from mail_messages where to_address = $1", [email]);
    expect(mail).toMatchObject({ org_id: null, kind: "invitation", sent_at: null, expires_at: new Date(listed.expires_at) });
    const { subject, text } = JSON.parse(decrypt(service.features.orgs.keys.mail, mail?.body_enc, mail?.body_context));
    expect(subject).toBe("Invitation to join Acme & Sons on Countersign");
    expect(text).toContain(`\n${accept_url}\n`);

    const { json: trail } = await org.admin("GET", "/org/audit-trail?limit=1");
    expect(trail.data[0]).toMatchObject({
      type: "invitation.created",
      actor: { kind: "user", id: org.user_id },
      data: { invitation_id: listed.invitation_id, email, role: "viewer" },
    });
    expect(JSON.stringify(trail)).not.toContain(accept_url.split("#token=")[1]);
  });

  test("can be previewed, which does not reveal whether the address has an account", async () => {
    const [org, other] = [await service.newOrg("Acme"), await service.newOrg()];
    const email = newEmail();
    const answers = [
      await preview(service, (await invite(org, email)).token),
      await preview(service, (await invite(org, other.email, "admin")).token),
    ];
    expect(answers.map(({ status, json }) => [status, json])).toEqual([
      [200, { data: { org_name: "Acme", email, role: "member" } }],
      [200, { data: { org_name: "Acme", email: other.email, role: "admin" } }],
    ]);
  });

  test("for an existing member is 409, whatever the case of the address", async () => {
    const org = await service.newOrg();
    const body = { email: org.email.toUpperCase(), role: "viewer" };
    const { status, json } = await org.admin("POST", "/org/invitations", { body });
    expect([status, json]).toEqual([409, refusedWith("This person is already a member")]);
    expect((await org.admin("GET", "/org/invitations")).json.meta.total).toBe(0);
  });
});

describe("revoking", () => {
  test("a second time is 200 and writes no second entry", async () => {
    const org = await service.newOrg();
    const { invitation_id } = await invite(org, newEmail());
    for (let n = 0; n < 2; n++) {
      const { status, json } = await revoke(org, invitation_id);
      expect([status, json]).toEqual([200, { data: { invitation_id, revoked: true } }]);
    }
    const { json } = await org.admin("GET", "/org/audit-trail?limit=2");
    expect(json.data).toMatchObject([{ type: "invitation.revoked", data: { invitation_id } }, { type: "invitation.created" }]);
  });

  test("an accepted invitation is 409, and the member stays", async () => {
    const org = await service.newOrg();
    const { token, invitation_id } = await invite(org, newEmail());
    await accept(service, token);
    const { status, json } = await revoke(org, invitation_id);
    expect([status, json]).toEqual([409, refusedWith("The invitation was already accepted or revoked")]);
    expect(await membersOf(org)).toHaveLength(2);
  });

  test("an invitation of another org is the same 404 as a missing one", async () => {
    const [org, foreign] = [await service.newOrg(), await service.newOrg()];
    const { token, invitation_id } = await invite(foreign, newEmail());
    const absent = await revoke(org, newId("invitation"));
    expect([absent.status, absent.json]).toEqual([404, refusedWith("Invitation not found")]);
    for (const id of [invitation_id, "nonsense"]) {
      const { status, text } = await revoke(org, id);
      expect([status, text]).toEqual([404, absent.text]);
    }
    expect((await accept(service, token)).status).toBe(201);
  });
});
