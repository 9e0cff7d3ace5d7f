// Shared by the upload figures: the service on a filled database, keys with write access, and continuous measurement of its memory.
import { join } from "node:path";
import { answersAt, fillDatabase, freePort, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { residentMb } from "./process-use.mjs";

export const FILE_BYTES = 52_428_800;
// The default of the service.
export const MEMORY_MB_PER_WORKER = 768;
const ENVELOPES = 500;
const LOOK_EVERY_MS = 20;

/**
 * @param {import("./harness.mjs").Cleanup} end
 * @param {{ keys: number, env?: Record<string, string> }} wanted
 */
export async function uploadBench(end, { keys, env = {} }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const filled = await fillDatabase(database, { envelopes: ENVELOPES, keys, scopes: ["envelopes:read", "envelopes:write"] });
  const service = startService("serve", { folder, port: await freePort(), env: { ...database.env, ...env } });
  end.later(() => service.stop());
  await answersAt(service, "/healthz", 30);
  return { service, database, keys: filled.keys, log: join(folder, "service.log") };
}

/** The largest resident size since the last call, or since the start. @param {import("./harness.mjs").Cleanup} end @param {number} pid */
export function watchMemory(end, pid) {
  let peak = residentMb(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMb(pid));
  }, LOOK_EVERY_MS);
  end.later(() => clearInterval(timer));
  return {
    peakMb() {
      const reached = Math.max(peak, residentMb(pid));
      peak = residentMb(pid);
      return reached;
    },
    stop: () => clearInterval(timer),
  };
}
