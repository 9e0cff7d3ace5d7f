// Collects the verdicts on the files: progress while they come in, a summary at the end. Files that failed are written at once, so that a
// run that is killed leaves them too.

import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {import("./judge.mjs").Opened} Opened */
/** @typedef {import("./judge.mjs").Fault} Fault */
/** @typedef {{ index: number, name: string, bytes: Uint8Array, ms: number } & (Opened | Fault)} Verdict */

const OUTCOMES = /** @type {const} */ (["opened", "refused", "busy", "hung", "crashed", "worsened"]);
const FAILED = ["hung", "crashed", "worsened"];

/** Exit codes. */
const PASSED = 0;
const FAILURE = 1;
const INCOMPLETE = 3;

/**
 * `repeat` gives the command that runs one file again.
 * @param {{ total: number, out?: string | undefined, repeat: (index: number) => string }} run
 */
export function openReport({ total, out, repeat }) {
  const folder = out ?? mkdtempSync(join(tmpdir(), "countersign-fuzz-"));
  mkdirSync(folder, { recursive: true });
  const list = join(folder, "files.txt");
  writeFileSync(list, "");
  const began = performance.now();
  /** @type {Map<string, number>} */
  const counts = new Map();
  const count = (/** @type {string} */ name) => counts.get(name) ?? 0;
  const add = (/** @type {string} */ name) => counts.set(name, count(name) + 1);
  let [done, slowest] = [0, 0];

  return {
    /** @param {Verdict} verdict */
    add({ index, name, bytes, ms, outcome, why, note }) {
      done++;
      slowest = Math.max(slowest, ms);
      add(outcome);
      const reason = why ?? note;
      if (reason !== undefined) add(`${outcome}\t${reason.split("\n", 1)[0]}`);
      appendFileSync(list, `${outcome}\t${(reason ?? "").replaceAll("\n", " ")}\t${ms.toFixed(0)} ms\t${name}\n`);
      const isFailed = FAILED.includes(outcome);
      if (!isFailed && outcome !== "busy") return;
      const saved = isFailed ? join(folder, `${outcome}-${index}.pdf`) : "";
      if (isFailed) writeFileSync(saved, bytes);
      console.log([`${outcome}: ${name}: ${why}`, saved, repeat(index)].filter((line) => line !== "").join("\n  "));
    },
    progress() {
      const rate = done / Math.max(0.001, (performance.now() - began) / 1000);
      const left = rate === 0 ? "" : `, ${Math.ceil((total - done) / rate / 60)} min left`;
      return `${done} of ${total}, ${rate.toFixed(1)} a second${left}: ${OUTCOMES.map((outcome) => `${outcome} ${count(outcome)}`).join(", ")}`;
    },
    /**
     * Prints the summary and returns the exit code.
     * @param {import("@countersign/pdf").PdfPoolStats["kills"]} kills @param {string | null} cutOff why the run ended early
     */
    finish(kills, cutOff) {
      const row = (/** @type {string} */ name, /** @type {number} */ count) => console.log(`${String(count).padStart(6)}  ${name}`);
      if (cutOff !== null) console.log(`Cut off by ${cutOff} after ${done} of ${total} files. The files in progress were not judged.`);
      row("files", done);
      for (const outcome of OUTCOMES) {
        row(outcome === "busy" ? "busy (not judged)" : outcome, count(outcome));
        const reasons = [...counts].filter(([name]) => name.startsWith(`${outcome}\t`)).sort((a, b) => b[1] - a[1]);
        for (const [name, times] of reasons) row(`  ${name.slice(outcome.length + 1)}`, times);
      }
      console.log(
        `threads ended: ${kills.deadline} by deadline, ${kills.starved} by a busy machine, ${kills.memory} by memory, ${kills.crash} by crash; slowest file ${(slowest / 1000).toFixed(1)} s`,
      );
      console.log(`list of files: ${list}`);
      if (FAILED.some((outcome) => count(outcome) > 0) || kills.crash > 0) return FAILURE;
      return cutOff !== null || count("busy") > 0 ? INCOMPLETE : PASSED;
    },
  };
}
