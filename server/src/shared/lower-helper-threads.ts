import { existsSync, readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

// About a third of the main thread's weight. Not less, because the main thread waits for them at the end of a garbage collection.
const STEPS_BELOW = 5;
const THREADS = "/proc/self/task";

/**
 * Lowers the priority of V8's threads for compilation and garbage collection below that of the thread that answers requests. On a machine
 * with two cores, four of them working on large files would slow down every request. Must be called by the main thread before it starts
 * worker threads, which set their own priority. If the system does not support or allow thread priorities, nothing changes.
 */
export function lowerHelperThreads(): void {
  if (process.platform !== "linux" || !existsSync(THREADS)) return;
  const priority = Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BELOW);
  for (const thread of readdirSync(THREADS).map(Number)) if (thread !== process.pid) lower(thread, priority);
}

function lower(thread: number, priority: number): void {
  try {
    setPriority(thread, priority);
  } catch (error) {
    const { code } = (error as { info?: { code?: string } }).info ?? {};
    // The thread has ended since it was listed, or it already has a lower priority that only root can raise.
    if (code !== "ESRCH" && code !== "EACCES" && code !== "EPERM") throw error;
  }
}
