import { readdirSync, rmSync, statfsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { mountedDisk, unmountDisk } from "../../test/disk.ts";
import { form } from "../../test/form.ts";
import { leasePdf } from "../../test/lease.ts";
import { testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { trackOutcomes } from "../shared/outcomes.ts";
import { fullnessOf } from "../storage/disk-space.ts";
import { buildHealth, hard, reported } from "./health.ts";
import { failingReason, loopsReason, stuckReason } from "./liveness.ts";

const readinessOf = async ({ url }: { url: string }) => {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.json()];
};

describe("readiness", () => {
  const service = testService();

  test("a running service is ready, and says so of each check", async () => {
    expect(await readinessOf(service)).toEqual([
      200,
      {
        status: "ready",
        checks: {
          service: "ok",
          database: "ok",
          tenancy: "ok",
          migrations: "ok",
          mode: "ok",
          disk: "ok",
          storage: "ok",
          seals: "ok",
          log: "ok",
        },
      },
    ]);
  });

  test("a schema that is too old makes it not ready", async () => {
    const [newest] = await service.database.owner<{ name: string; checksum: string }>(
      "delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum",
    );
    expect(await readinessOf(service)).toMatchObject([
      503,
      { status: "not ready", checks: { database: "ok", migrations: "1 migrations are missing: run countersign migrate" } },
    ]);
    await service.database.owner("insert into schema_migrations (name, checksum) values ($1, $2)", [newest?.name, newest?.checksum]);
    expect(await readinessOf(service)).toMatchObject([200, { status: "ready" }]);
  });

  test("a schema of a newer version makes it not ready only if that version says that this one does not work with it", async () => {
    const add = (works_with: number | null) =>
      service.database.owner("insert into schema_migrations (name, checksum, works_with) values ('9999-newer.sql', 'x', $1)", [works_with]);
    const remove = () => service.database.owner("delete from schema_migrations where name = '9999-newer.sql'");
    await add(1);
    expect(await readinessOf(service)).toMatchObject([200, { status: "ready", checks: { migrations: "ok" } }]);
    await remove();
    for (const works_with of [9999, null]) {
      await add(works_with);
      const migrations = "the database is newer than this program works with (it has 9999-newer.sql): start the newer version";
      expect(await readinessOf(service)).toMatchObject([503, { status: "not ready", checks: { database: "ok", migrations } }]);
      await remove();
    }
    expect(await readinessOf(service)).toMatchObject([200, { status: "ready" }]);
  });

  test("a history that was changed is a sentence too", async () => {
    const change = (to: string) =>
      service.database.owner(
        "update schema_migrations set checksum = $1 where name = (select min(name) from schema_migrations) returning (select checksum from schema_migrations order by name limit 1) as was",
        [to],
      );
    const [before] = await change("other");
    expect(await readinessOf(service)).toMatchObject([
      503,
      { checks: { migrations: "Migration 0001-lay-the-floor.sql was changed after it was applied. Restore the file." } },
    ]);
    await change(String(before?.was));
    expect(await readinessOf(service)).toMatchObject([200, { status: "ready" }]);
  });

  test("without the blob store it is degraded: lists answer, and an upload is 503 with Retry-After", async () => {
    const { admin } = await service.newOrg();
    const upload = () => admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: leasePdf }));
    expect((await upload()).status).toBe(200);
    const blobs = join(service.config.dataDir, "blobs");
    await rename(blobs, `${blobs}.away`);
    await writeFile(blobs, "a file, where a folder should be");
    // The check of the store is cached for five seconds in itself.
    const degraded = { status: "degraded", checks: { storage: "the blob store cannot be reached or written to" } };
    await expect.poll(() => readinessOf(service), { timeout: 20_000 }).toMatchObject([200, degraded]);
    const refused = await upload();
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect((await admin("GET", "/partner/envelopes")).status).toBe(200);
    rmSync(blobs);
    await rename(`${blobs}.away`, blobs);
    expect((await upload()).status).toBe(200);
  });
});

const small = mountedDisk("20m");

describe.skipIf(small === null)("with a disk of 20 MB (needs mount)", () => {
  // Registered first, so that it runs after the service has stopped.
  afterAll(() => unmountDisk(small ?? ""));
  const service = testService({ DATA_DIR: join(small ?? tmpdir(), "data") });

  test("the service is not ready, because the disk is full", async () => {
    expect(await readinessOf(service)).toMatchObject([503, { status: "not ready", checks: { disk: "the disk of DATA_DIR is full" } }]);
  });

  test("an upload that does not fit is 503 and leaves nothing, and a small one is taken", async () => {
    const { admin } = await service.newOrg();
    const bytes = Buffer.concat([leasePdf, Buffer.alloc(25_000_000, "%")]);
    const refused = await admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes }));
    expect([refused.status, refused.json.error, refused.headers["retry-after"]]).toEqual([503, "Not enough disk space for uploads", "5"]);
    expect(readdirSync(join(service.config.dataDir, "uploads"))).toEqual([]);
    // A file system may free the blocks of a removed file a moment later.
    await until("the space of the removed file", async () => {
      const { bavail, bsize } = statfsSync(small ?? "");
      return bavail * bsize > 15_000_000;
    });
    expect((await admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: leasePdf }))).status).toBe(200);
  });
});

test("a disk is full below 200 MB or one percent, and low below 1 GB", () => {
  const [mb, gb] = [1_000_000, 1_000_000_000];
  expect(fullnessOf({ free_bytes: 199 * mb, total_bytes: gb })).toBe("full");
  expect(fullnessOf({ free_bytes: 9 * gb, total_bytes: 1_000 * gb })).toBe("full");
  expect(fullnessOf({ free_bytes: 200 * mb, total_bytes: gb })).toBe("low");
  expect(fullnessOf({ free_bytes: gb, total_bytes: 100 * gb })).toBe("enough");
});

describe("a check", () => {
  const healthWith = (checks: Parameters<typeof buildHealth>[0], more: object = {}) =>
    buildHealth(checks, { onFailure: () => undefined, ...more });

  test("is checked at most once in five seconds, however many requests ask", async () => {
    let asked = 0;
    const health = healthWith({
      database: hard(async () => {
        asked++;
        return null;
      }),
    });
    await Promise.all([health.ready(), health.ready()]);
    await health.ready();
    expect(asked).toBe(1);
  });

  test("that does not answer in time fails, and is not asked again before it answers", async () => {
    let asked = 0;
    const health = healthWith(
      {
        database: hard(() => {
          asked++;
          return new Promise(() => undefined);
        }),
        log: reported(async () => null),
      },
      { limitMs: 10, rememberedMs: 0 },
    );
    const expected = { status: "not ready", checks: { database: "no answer within 0.01 seconds", log: "ok" } };
    expect([await health.ready(), await health.ready(), asked]).toEqual([expected, expected, 1]);
  });

  test("that throws is reported at its level, and its error goes to the log", async () => {
    const logged: unknown[] = [];
    const broken = new Error("broken");
    const health = healthWith({ log: reported(() => Promise.reject(broken)) }, { onFailure: (error: unknown) => logged.push(error) });
    expect(await health.ready()).toEqual({ status: "degraded", checks: { log: "failed; see the log" } });
    expect(logged).toEqual([broken]);
  });
});

describe("the loops of a worker", () => {
  let now = 0;
  let answers = true;
  const turned = { relay: 0, delivery: 0 };
  const loops = { turns: () => turned };
  const stuck = stuckReason(
    loops,
    async () => answers,
    () => now,
  );
  afterEach(() => Object.assign(turned, { relay: now, delivery: now }));

  test("make it not ready after 30 seconds without a turn", async () => {
    const late = loopsReason(loops, () => now);
    now = 30_000;
    expect(await late()).toBeNull();
    now = 30_001;
    turned.relay = now;
    expect(await late()).toBe("no turn of delivery for 30 seconds");
  });

  test("are a reason to restart it after 120 seconds without a turn while the database answers", async () => {
    expect(await stuck()).toBeNull();
    now += 120_000;
    expect(await stuck()).toBeNull();
    now += 1;
    expect(await stuck()).toBe("no turn of relay, delivery for 120 seconds");
  });

  test("are none while the database is away, and for 120 seconds after it came back", async () => {
    answers = false;
    now += 3_600_000;
    expect(await stuck()).toBeNull();
    answers = true;
    expect(await stuck()).toBeNull();
    now += 120_000;
    expect(await stuck()).toBeNull();
    now += 1;
    expect(await stuck()).not.toBeNull();
  });
});

test("a mail server is reported after ten minutes of failures only, and no more once it takes a message", async () => {
  let now = 0;
  const outcomes = trackOutcomes(() => now);
  const reason = failingReason(outcomes, "the mail server", () => now);
  expect(await reason()).toBeNull();
  outcomes.failed();
  now = 599_999;
  outcomes.failed();
  expect(await reason()).toBeNull();
  now = 600_000;
  expect(await reason()).toBe("every request to the mail server has failed for ten minutes");
  outcomes.succeeded();
  expect(await reason()).toBeNull();
});
