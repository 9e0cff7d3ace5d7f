import { median } from "../bench/figure.mjs";

// A run that finds more than this has found one thing many times.
const SHOWN = 20;

/** @param {import("./nemesis.mjs").Outcome} outcome @param {Date} began */
export function summaryOf({ kills, killed, heals, verdict, found, checks, stop }, began) {
  const seconds = (Date.now() - began.getTime()) / 1000;
  const count = (/** @type {string} */ kind) => found.filter((text) => text.startsWith(`${kind}: `)).length;
  const refused = Object.entries(verdict.refused).map(([status, n]) => `${n} × ${status}`);
  /** @type {[string, string][]} */
  const rows = [
    ["kills", `${kills} (${killed.service} service, ${killed.postgres} postgres) in ${(seconds / 60).toFixed(1)} min`],
    ["operations", String(verdict.operations)],
    ["acknowledged", String(verdict.acknowledged)],
    ["lost", String(count("lost"))],
    ["half-made", String(count("halfMade"))],
    ["made twice", String(count("twice"))],
    ["other disagreements", String(count("odd"))],
    ["ends of the service that were none of ours", String(found.filter((text) => text.startsWith("the service ended")).length)],
    ["answers lost, key made / not made", `${verdict.unknownMade} / ${verdict.unknownAbsent}`],
    ["answers other than 201", refused.length === 0 ? "none" : refused.join(", ")],
    ["seconds to heal, median / max", `${median(heals).toFixed(2)} / ${Math.max(...heals).toFixed(2)} (of ${heals.length})`],
    ["orderly stop under load", `exit ${stop.code}, ${stop.lostAnswers} answers lost`],
    ["checks, keys tried in the last", `${checks}, ${verdict.authenticated}`],
    ["verdict", found.length === 0 ? "no violation" : `${found.length} VIOLATIONS`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const details = found.slice(0, SHOWN).map((text) => `- ${text}`);
  return {
    values: { kills, killed, seconds, heals, stop, found, ...verdict },
    violations: found.length,
    table: [...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`), ...details].join("\n"),
  };
}
