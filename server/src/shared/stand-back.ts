import { readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

// A third of its weight, and not less: it waits for them at the end of a clearing.
const STEPS_BELOW = 5;

/**
 * The threads with which V8 compiles and clears memory stand back behind the one that answers requests: as many as four of them, at work
 * for large files, would hold up everybody on a machine of two cores. To be called by that thread, before it has others at work. Linux
 * alone gives each thread a priority.
 */
export function helpersStandBack(): void {
  if (process.platform !== "linux") return;
  const priority = Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BELOW);
  for (const thread of readdirSync("/proc/self/task").map(Number)) if (thread !== process.pid) lower(thread, priority);
}

function lower(thread: number, priority: number): void {
  try {
    setPriority(thread, priority);
  } catch (error) {
    // It has ended since it was listed.
    if ((error as { info?: { code?: string } }).info?.code !== "ESRCH") throw error;
  }
}
