// CPU time and memory of other processes, from Linux's /proc. On other systems these figures are not measured.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

// USER_HZ, the unit of /proc/<pid>/stat: 100 on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

/** The fields of /proc/<pid>/stat after the program's name, which can contain any character. @param {number} pid @param {string} [task] */
function statOf(pid, task = "") {
  const text = readFileSync(`/proc/${pid}${task}/stat`, "utf8");
  return text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
}

/** User and system time of all threads. @param {number} pid */
export function cpuSecondsOf(pid) {
  const stat = statOf(pid);
  return ((stat[11] ?? 0) + (stat[12] ?? 0)) / TICKS_PER_SECOND;
}

/** User and system time of the thread that runs the event loop. @param {number} pid */
export function mainThreadCpuSeconds(pid) {
  const stat = statOf(pid, `/task/${pid}`);
  return ((stat[11] ?? 0) + (stat[12] ?? 0)) / TICKS_PER_SECOND;
}

/**
 * Runs a program until it ends. Returns its user and system time, or null if it is not installed.
 * @param {string} program
 * @param {string[]} args
 */
export function cpuSecondsOfRun(program, args) {
  const before = endedChildren();
  const { status, error, stderr } = spawnSync(program, args, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  if (error !== undefined && "code" in error && error.code === "ENOENT") return null;
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return endedChildren() - before;
}

/** The time of the child processes that this process has waited for. */
function endedChildren() {
  const stat = statOf(process.pid);
  return ((stat[13] ?? 0) + (stat[14] ?? 0)) / TICKS_PER_SECOND;
}

/** The process and its running descendants. @param {number} parent @returns {number[]} */
export function familyOf(parent) {
  const children = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent);
  return [parent, ...children];
}

/** @param {number} pid */
function parentOf(pid) {
  try {
    return statOf(pid)[1];
  } catch {
    return null; // it ended in the meantime
  }
}

/** The time of the postmaster, its sessions, and those that have ended. @param {number} postmaster */
export function databaseCpuSeconds(postmaster) {
  const stat = statOf(postmaster);
  const ended = ((stat[13] ?? 0) + (stat[14] ?? 0)) / TICKS_PER_SECOND;
  return ended + familyOf(postmaster).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
}

/** @param {number} pid */
export function residentMb(pid) {
  return megabytes(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m);
}

/** The proportional size: shared pages count in part for each process, so that the sizes of related processes can be added. @param {number} pid */
export function proportionalMb(pid) {
  return megabytes(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m);
}

/** @param {string} file @param {RegExp} line */
function megabytes(file, line) {
  return Number(line.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
}
