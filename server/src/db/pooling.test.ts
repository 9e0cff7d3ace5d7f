import { expect, test } from "vitest";
import { newSession, page, sentEnvelope, tokenFor } from "../../test/envelopes.ts";
import { testService } from "../../test/service.ts";
import { takeQuota } from "../http/quota.ts";
import { requireSessions } from "./pooling.ts";
import { named, sql } from "./sql.ts";

const service = testService({ DATABASE_POOLING: "transaction" });

/** What is set on the connections of the pool, used all at once. */
const leftOnConnections = () =>
  Promise.all(
    Array.from({ length: 10 }, () =>
      service.db.lease(async (read) => {
        const { rows } = await read.query<{ org: string | null; statements: number }>(
          sql`select current_setting('app.org', true) as org, (select count(*)::int from pg_prepared_statements) as statements, pg_sleep(0.05)::text`,
        );
        return `${rows[0]?.org ?? ""} ${rows[0]?.statements}`;
      }),
    ),
  );

test("keys, sessions and widgets see their own organization, and leave nothing on a connection", async () => {
  const [mine, theirs] = [await service.newOrg(), await service.newOrg()];
  const [sent, other] = [await sentEnvelope(service, mine), await sentEnvelope(service, theirs)];
  const key = await mine.newKey();
  const signer = page(service, await tokenFor(mine, sent.envelope_id, "ann@example.com"), newSession());
  const list = async (send: typeof key.send) =>
    (await send("GET", "/partner/envelopes")).json.data.map((one: { envelope_id: string }) => one.envelope_id);
  expect(await Promise.all([list(key.send), list(mine.admin), list(theirs.admin)])).toEqual([
    [sent.envelope_id],
    [sent.envelope_id],
    [other.envelope_id],
  ]);
  expect((await key.send("GET", `/partner/envelopes/${other.envelope_id}`)).status).toBe(404);
  const [own, foreign] = await Promise.all(
    [sent, other].map(async ({ envelope_id }) => (await signer("GET", `/embed/sign/${envelope_id}`)).status),
  );
  expect([own, foreign]).toEqual([200, 404]);
  expect(new Set(await leftOnConnections())).toEqual(new Set([" 0"]));
});

test("a counter that a refused request took is kept", async () => {
  const { org_id } = await service.newOrg();
  const taken = async () => (await service.db.lease((read) => takeQuota(read, "refused", 5, 60))).remaining;
  const refused = service.db.lease(async (read) => {
    await read.enter(org_id);
    await takeQuota(read, "refused", 5, 60);
    throw new Error("refused");
  });
  await expect(refused).rejects.toThrow("refused");
  expect(await taken()).toBe(3);
});

test("a lease that enters another organization sees only that one", async () => {
  const [one, two] = [await service.newOrg(), await service.newOrg()];
  await Promise.all([sentEnvelope(service, one), sentEnvelope(service, two)]);
  const seen = await service.db.lease(async (read) => {
    const orgs = named("orgs-of-envelopes")`select distinct org_id from envelopes`;
    await read.enter(one.org_id);
    const first = await read.query(orgs);
    await read.enter(two.org_id);
    return [first.rows, (await read.query(orgs)).rows];
  });
  expect(seen).toEqual([[{ org_id: one.org_id }], [{ org_id: two.org_id }]]);
});

test("a direct connection is not taken for a pooler", async () => {
  await requireSessions(service.database.appUrl, "DATABASE_APP_URL");
});
