/**
 * One row of the table.
 * @typedef {object} Figure
 * @property {string} id as goals name it, `S3`
 * @property {string} name
 * @property {string} measured
 * @property {string} goal
 * @property {"met" | "missed" | "info"} verdict
 * @property {Record<string, unknown>} [values] what was measured, for the results file
 */
/**
 * @typedef {object} Bench
 * @property {import("./harness.mjs").Cleanup} end
 * @property {number | null} seconds how long one measurement takes, where it was asked for
 * @property {boolean} freshClone
 * @property {string | null} keep a folder in which a large database stays for the next run
 */

/** @param {number} value @param {number} goal @returns {"met" | "missed"} */
export const atLeast = (value, goal) => (value >= goal ? "met" : "missed");
/** @param {number} value @param {number} goal @returns {"met" | "missed"} */
export const atMost = (value, goal) => (value <= goal ? "met" : "missed");

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** @param {readonly Figure[]} figures */
export function table(figures) {
  const rows = [["", "figure", "measured", "goal", "verdict"], ...figures.map((f) => [f.id, f.name, f.measured, f.goal, f.verdict])];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
