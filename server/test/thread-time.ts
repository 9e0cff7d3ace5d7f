import { readFileSync } from "node:fs";

/** What the thread that asks has had of a processor so far. Other threads and other processes, however busy, don't count where Linux tells. */
export function threadTime_ms(): number {
  if (process.platform !== "linux") {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const [onProcessor_ns = Number.NaN] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ").map(Number);
  return onProcessor_ns / 1_000_000;
}
