import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { atMost, median } from "./figure.mjs";
import { answersAt, freePort, root, scratchFolder, startProgram, startService } from "./harness.mjs";

const AGAIN = 3;
const GIVE_UP_SECONDS = 300;

/**
 * S14: from the start of the program to its first response at /healthz. Always for the built service, and on request for `npm start` in a
 * fresh clone with an empty npm cache (which needs the package registry).
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureStart({ end, freshClone }) {
  const figures = await measureBuilt(end);
  return freshClone ? [...figures, ...(await measureClone(end))] : figures;
}

/** @param {import("./harness.mjs").Cleanup} end @returns {Promise<import("./figure.mjs").Figure[]>} */
async function measureBuilt(end) {
  const folder = await scratchFolder(end);
  const port = await freePort();
  /** @param {NodeJS.Signals} signal how it ends */
  const startOnce = async (signal) => {
    const service = startService("start", { folder, port });
    end.later(() => service.stop());
    const seconds = await answersAt(service, "/healthz", GIVE_UP_SECONDS);
    await service.stop(signal);
    return seconds;
  };
  const first = await startOnce("SIGTERM");
  const again = [];
  for (let run = 0; run < AGAIN; run++) again.push(await startOnce("SIGTERM"));
  await startOnce("SIGKILL");
  const afterKill = await startOnce("SIGTERM");
  return [
    {
      id: "S14",
      name: "start, built, empty DATA_DIR → first response",
      measured: `${first.toFixed(2)} s`,
      goal: "<= 60 s",
      verdict: atMost(first, 60),
    },
    {
      id: "S14",
      name: "start again, same DATA_DIR",
      measured: `${median(again).toFixed(2)} s`,
      goal: "<= 5 s",
      verdict: atMost(median(again), 5),
      values: { seconds: again },
    },
    { id: "S14", name: "start again after kill -9", measured: `${afterKill.toFixed(2)} s`, goal: "", verdict: "info" },
  ];
}

/** @param {import("./harness.mjs").Cleanup} end @returns {Promise<import("./figure.mjs").Figure[]>} */
async function measureClone(end) {
  const folder = await scratchFolder(end);
  const clone = join(folder, "clone");
  const cloned = spawnSync("git", ["clone", "--quiet", "--no-hardlinks", root, clone], { encoding: "utf8" });
  if (cloned.status !== 0) throw new Error(`git clone: ${cloned.stderr}`);
  const port = await freePort();
  const npmStart = async () => {
    const program = startProgram({
      command: "npm",
      args: ["start"],
      cwd: clone,
      env: { npm_config_cache: join(folder, "npm-cache"), DATA_DIR: join(folder, "data") },
      port,
      log: join(folder, "npm.log"),
      group: true,
    });
    end.later(() => program.stop());
    const seconds = await answersAt(program, "/healthz", GIVE_UP_SECONDS);
    await program.stop();
    return seconds;
  };
  const first = await npmStart();
  const again = await npmStart();
  return [
    {
      id: "S14",
      name: "npm start, fresh clone, empty npm cache → first response",
      measured: `${first.toFixed(1)} s`,
      goal: "<= 60 s",
      verdict: atMost(first, 60),
    },
    { id: "S14", name: "npm start again", measured: `${again.toFixed(2)} s`, goal: "<= 5 s", verdict: atMost(again, 5) },
  ];
}
