import { expect, test } from "vitest";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { newEnvelope, newTemplate } from "../../test/lease.ts";
import { countRows } from "../../test/org-rows.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { testService } from "../../test/service.ts";

const service = testService();
testJobs(service);

test("a job resets a sandbox, and jobs about what it had are left out", async () => {
  const org = await service.newOrg();
  const sandbox = await newSandbox(service, org);
  const key = await sandbox.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  expect((await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} })).status).toBe(200);
  expect((await key.send("POST", `/test/envelopes/${envelope_id}/sign`, { body: {} })).status).toBe(200);
  // The document is being finished while everything is removed.
  expect((await org.admin("POST", `/org/sandboxes/${sandbox.org_id}/reset`)).status).toBe(202);
  await jobsDone(service);
  const left = Object.entries(await countRows(service, sandbox.org_id)).filter(([, n]) => n > 0);
  const stays = ["blobs", "members", "org_keys", "org_security", "org_settings", "orgs", "seal_keys"];
  expect(left.map(([name]) => name).filter((name) => !stays.includes(name))).toEqual([]);
  expect(await service.database.owner("select from blobs where org_id = $1 and kept", [sandbox.org_id])).toEqual([]);
  expect((await org.admin("GET", "/org/sandboxes")).json.data.sandboxes[0].resetting_since).toBeNull();
  expect(await service.database.owner("select task from failed_jobs")).toEqual([]);
});
