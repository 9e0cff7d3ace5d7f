import { existsSync, readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

// A third of its weight, and not less: it waits for them at the end of a clearing.
const STEPS_BELOW = 5;
const THREADS = "/proc/self/task";

/**
 * The threads with which V8 compiles and clears memory stand back behind the one that answers requests: as many as four of them, at work
 * for large files, would hold up everybody on a machine of two cores. To be called by that thread before it has started any of its own,
 * which see to it themselves. A courtesy: where the system knows no priority of a thread, or does not grant it, all stays as it is.
 */
export function helpersStandBack(): void {
  if (process.platform !== "linux" || !existsSync(THREADS)) return;
  const priority = Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BELOW);
  for (const thread of readdirSync(THREADS).map(Number)) if (thread !== process.pid) lower(thread, priority);
}

function lower(thread: number, priority: number): void {
  try {
    setPriority(thread, priority);
  } catch (error) {
    const { code } = (error as { info?: { code?: string } }).info ?? {};
    // It has ended since it was listed; or it stands further back already, and only root may bring it forward.
    if (code !== "ESRCH" && code !== "EACCES" && code !== "EPERM") throw error;
  }
}
