import { randomBytes } from "node:crypto";
import type { PdfPool } from "@countersign/pdf/pool";
import { PdfBusy } from "@countersign/pdf/pool";
import { afterAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { testDatabase } from "../../test/database.ts";
import { type Running, runCommand, startProcess, stopProcess } from "../../test/process.ts";
import { testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { sealReadiness } from "./readiness.ts";
import type { SealDeps } from "./seal.ts";

const service = testService();
const seals = () => service.features.seals;
const LOCKED =
  "the seal keys in the database were created with another APP_SECRET; start with that one. Until then nothing can be sealed, but sealed documents can be verified";

/** The real pool, which also records its calls. */
function listening(change: Partial<Pick<PdfPool, "verify" | "placeSeal">> = {}): { deps: SealDeps; asked: string[] } {
  const asked: string[] = [];
  const { pdf } = seals();
  const recordingPool = {
    ...pdf,
    placeSeal: (...args: Parameters<PdfPool["placeSeal"]>) => {
      asked.push("placeSeal");
      return (change.placeSeal ?? pdf.placeSeal)(...args);
    },
    verify: (...args: Parameters<PdfPool["verify"]>) => {
      asked.push("verify");
      return (change.verify ?? pdf.verify)(...args);
    },
  };
  return { deps: { ...seals(), pdf: recordingPool }, asked };
}

test("a service that can seal is ready, and creates the keys of the installation, but no organization's certificate", async () => {
  const answer = await fetch(`${service.url}/readyz`);
  expect([answer.status, await answer.json()]).toMatchObject([200, { checks: { seals: "ok" } }]);
  expect(await service.database.owner("select purpose from instance_keys order by 1")).toEqual([
    { purpose: "log" },
    { purpose: "records" },
    { purpose: "root" },
    { purpose: "vault" },
  ]);
  expect(await service.database.owner("select from seal_keys")).toEqual([]);
});

describe("the self-test", () => {
  test("seals once, verifies, and verifies with a changed byte; concurrent and later calls get that result", async () => {
    const { deps, asked } = listening();
    const ready = sealReadiness(deps, () => undefined);
    expect(await Promise.all([ready(), ready(), ready()])).toEqual([null, null, null]);
    expect(await ready()).toBeNull();
    expect(asked).toEqual(["placeSeal", "verify", "verify"]);
  });

  test("fails if a changed page passes or a valid one does not, and is repeated after 30 seconds", async () => {
    let now = 0;
    let broken = true;
    const [logged, ready] = withVerify(async (source, trust, turn) => {
      const reports = await seals().pdf.verify(source, trust, turn);
      return broken ? reports.map((one) => ({ ...one, intact: true, trusted: true })) : reports;
    });
    for (now of [0, 29_999]) expect(await ready()).toBe("the test seal failed; see the log");
    expect(logged.map(String)).toEqual(["Error: the test seal verifies although the page was changed"]);
    broken = false;
    now = 30_000;
    expect(await ready()).toBeNull();
    const [others, blind] = withVerify(async () => []);
    expect(await blind()).toBe("the test seal failed; see the log");
    expect(others.map(String)).toEqual(["Error: the test seal does not verify: undefined"]);

    function withVerify(verify: PdfPool["verify"]): [unknown[], () => Promise<string | null>] {
      const errors: unknown[] = [];
      const { deps } = listening({ verify });
      return [
        errors,
        sealReadiness(
          deps,
          (error) => errors.push(error),
          () => now,
        ),
      ];
    }
  });

  test("reports busy threads as unknown", async () => {
    const { deps } = listening({ placeSeal: () => Promise.reject(new PdfBusy("too much is waiting")) });
    expect(await sealReadiness(deps, () => undefined)()).toBe("unknown while the PDF threads are busy");
  });

  test("under another APP_SECRET says so, and that sealed documents can be verified", async () => {
    expect(await sealReadiness({ ...seals(), sealKey: [{ version: 1, key: randomBytes(32) }] }, () => undefined)()).toBe(LOCKED);
  });
});

describe("processes on one database", () => {
  const database = testDatabase();
  let running: Running[] = [];
  afterAll(() => Promise.all(running.map((one) => stopProcess(one))));
  const readiness = async ({ url }: Running) => {
    const answer = await fetch(`${url.replace("localhost", "127.0.0.1")}/readyz`);
    return [answer.status, ((await answer.json()) as { checks: { seals: string } }).checks.seals];
  };

  testInAll(
    "started at once create one root together; one with another APP_SECRET is refused",
    async () => {
      const env = { ...database.env, APP_SECRET: "two processes, one secret: 77aa8d1f0c", LOG_LEVEL: "error" };
      running = await Promise.all([startProcess("serve", env), startProcess("serve", env)]);
      // The first test seal of a process may take longer than a check has.
      const all = () => Promise.all(running.map(readiness));
      await until("both to seal", async () => (await all()).every(([, answer]) => answer === "ok"), 60_000);
      expect(await all()).toEqual([
        [200, "ok"],
        [200, "ok"],
      ]);
      expect(running.map(({ stderr }) => stderr())).toEqual(["", ""]);
      expect(await database.owner("select purpose from instance_keys order by 1")).toHaveLength(4);
      const stranger = await runCommand(["serve"], { ...env, APP_SECRET: "another secret altogether: 0c77aa8d1f" });
      expect([stranger.code, stranger.stderr]).toEqual([1, "APP_SECRET is not the one that this database was made with\n"]);
    },
    90_000,
  );
});
