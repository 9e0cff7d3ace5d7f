import { expect, test } from "vitest";
import { PASSWORD, testService } from "../../test/service.ts";
import { decrypt } from "../shared/secrets.ts";
import { notifyAdmins } from "./notify-admins.ts";

const service = testService();

test("each admin of the org gets one message, and no one else does", async () => {
  const org = await service.newOrg("Acme");
  await service.newOrg();
  for (const role of ["admin", "member"]) {
    const invited = await org.admin("POST", "/org/invitations", { body: { email: `${role}@example.com`, role } });
    const token = invited.json.data.accept_url.split("#token=")[1];
    const { status } = await service.send("POST", "/auth/invitations/accept", { body: { token, name: "Ben", password: PASSWORD } });
    expect(status).toBe(201);
  }
  const { orgs } = service.features;
  await notifyAdmins(orgs, { org_id: org.org_id, kind: "endpoint_disabled", subject: "A subject", text: "A text\n\nMore" });
  const rows = await service.database.owner("select * from mail_messages where kind = 'endpoint_disabled' order by mail_id");
  expect(rows.map(({ org_id, to_address, sent_at }) => ({ org_id, to_address, sent_at }))).toEqual([
    { org_id: org.org_id, to_address: org.email, sent_at: null },
    { org_id: org.org_id, to_address: "admin@example.com", sent_at: null },
  ]);
  for (const { body_enc, body_context } of rows) {
    expect(JSON.parse(decrypt(orgs.keys.mail, body_enc, body_context))).toEqual({
      subject: "A subject",
      text: "A text\n\nMore\n",
      html: expect.stringMatching(/>A text<\/td>[\s\S]*>More<\/td>/),
      org_name: "Acme",
    });
  }
});
