import { afterAll, beforeAll, expect, test } from "vitest";
import { type Authority, makeAuthority } from "../../../pdf/fixtures/time-stamp-authority.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { type AuthorityPeer, startAuthority } from "../../test/time-stamp-authority.ts";
import { completedEnvelope } from "../../test/vaulted.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { recordAcceptance } from "../envelopes/certification.ts";
import { systemCaller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { storeEnvelope } from "./store-envelope.ts";
import type { PipelineDeps } from "./vault.ts";

const service = testService();
let authority: Authority;
let peer: AuthorityPeer;
let org: TestOrg;
beforeAll(async () => {
  // Its clock stands still, so it is set ahead of the time at which anything is stored.
  authority = await makeAuthority({ at: new Date(Date.now() + 3_600_000) });
  peer = await startAuthority(503);
  org = await service.newOrg();
});
afterAll(() => peer.close());

/** The pipeline with TSA_URL set: the log asks the authority. Seals are made without time-stamps, which have their own tests. */
function stamped(): PipelineDeps {
  const { vault } = service.features;
  const timeStamps = { url: peer.url, roots: [authority.root], timeout_ms: 10_000 };
  const seals = { ...vault.seals, timeStamps };
  return { ...vault, seals, log: { ...vault.log, seals, tsaRoots: [authority.root] } };
}

/** A signed envelope with accepted terms, as the job expects it. */
async function waiting(): Promise<EnvelopeId> {
  const envelope_id = await completedEnvelope(service, org);
  const caller = systemCaller(org.org_id);
  await service.db.tx(org.org_id, async (tx) => {
    const accepted = await recordAcceptance(service.features.envelopes, tx, org.org_id, caller, envelope_id, {
      accepted: true,
      terms_version: "2026-01",
    });
    await appendAudit(tx, org.org_id, { type: "certification.accepted", by: caller, envelope_id, data: { ...accepted } });
  });
  return envelope_id;
}

const run = (envelope_id: EnvelopeId) => storeEnvelope(stamped(), { org_id: org.org_id, envelope_id });
const statusOf = async (envelope_id: EnvelopeId) => (await org.admin("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status;
const checkSix = async (envelope_id: EnvelopeId) =>
  (await org.admin("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data.checks[5];
/** The time of each queued run. */
const queued = (envelope_id: EnvelopeId) =>
  service.database.owner<{ run_at: Date }>(
    `select run_at from outbox
     where task = 'vault.store' and run_at is not null and payload ->> 'envelope_id' = $1`,
    [envelope_id],
  );

test("while the authority is unavailable the envelope stays completed and the job is retried; the first response vaults it", async () => {
  const envelope_id = await waiting();
  peer.always(503);
  const before = Date.now();
  await run(envelope_id);
  await run(envelope_id);
  expect([await statusOf(envelope_id), (await queued(envelope_id)).length]).toEqual(["completed", 2]);
  const after = Date.now();
  for (const { run_at } of await queued(envelope_id)) {
    const asked = run_at.getTime() - 30_000;
    expect([asked >= before, asked <= after]).toEqual([true, true]);
  }
  peer.always((request) => authority.answer(request));
  await run(envelope_id);
  expect([await statusOf(envelope_id), (await queued(envelope_id)).length]).toEqual(["vaulted", 2]);
  expect(await checkSix(envelope_id)).toMatchObject({ satisfied: true, detail: expect.stringContaining("time stamp of") });
});

test("ten minutes after storing it is evaluated without a token, and check 6 is attested by our own clock", async () => {
  const envelope_id = await waiting();
  peer.always(503);
  await run(envelope_id);
  const age = (span: string) =>
    service.database.owner("update authoritative_copies set stored_at = stored_at - $2::interval where envelope_id = $1", [
      envelope_id,
      span,
    ]);
  await age("9 minutes");
  await run(envelope_id);
  expect(await statusOf(envelope_id)).toBe("completed");
  await age("1 minute");
  await run(envelope_id);
  expect(await statusOf(envelope_id)).toBe("vaulted");
  const { satisfied, grade, grade_reason } = await checkSix(envelope_id);
  expect([satisfied, grade, grade_reason]).toEqual([true, "attested", "The time is that of this installation's own clock."]);
  expect(await queued(envelope_id)).toHaveLength(2);
});
