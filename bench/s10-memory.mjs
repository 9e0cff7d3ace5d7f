import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { atMost } from "./figure.mjs";
import { answersAt, freePort, lockFile, scratchFolder, startService } from "./harness.mjs";
import { familyOf, proportionalMb, residentMb } from "./process-use.mjs";

const IDLE_SECONDS = 30;

/**
 * S10: resident memory of an idle `start` (HTTP and worker in one process). PostgreSQL's processes share most of their pages, so their
 * proportional sizes are added.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureMemory({ end, seconds }) {
  const folder = await scratchFolder(end);
  const service = startService("start", { folder, port: await freePort() });
  end.later(() => service.stop());
  await answersAt(service, "/healthz", 60);
  await delay((seconds ?? IDLE_SECONDS) * 1000);
  const resident = residentMb(service.pid);
  const postmaster = (await lockFile(join(folder, "data/postgres"))).pid;
  const processes = familyOf(postmaster);
  const database = processes.reduce((sum, pid) => sum + proportionalMb(pid), 0);
  return [
    {
      id: "S10",
      name: `resident memory of start, ${seconds ?? IDLE_SECONDS} s idle`,
      measured: `${resident.toFixed(0)} MB`,
      goal: "<= 150 MB",
      verdict: atMost(resident, 150),
      values: { resident_mb: resident, proportional_mb: proportionalMb(service.pid) },
    },
    {
      id: "S10",
      name: `PostgreSQL, ${processes.length} processes together`,
      measured: `${database.toFixed(0)} MB`,
      goal: "",
      verdict: "info",
      values: { proportional_mb: database },
    },
  ];
}
