// The tables of compare.mjs.

/**
 * @typedef {{
 *   name: string,
 *   outcome: string,
 *   why?: string,
 *   warnings?: readonly string[],
 *   page_warnings?: readonly { readonly code: string, readonly pages: readonly number[] }[],
 *   removed?: { readonly [what: string]: number },
 * } & Partial<import("./compare-worker.mjs").Compared>} Row
 */

/** @type {[title: string, of: (row: Row) => number][]} */
const COLUMNS = [
  ["words lost", (row) => sum(row, ({ lost_words }) => lost_words)],
  ["words gained", (row) => sum(row, ({ gained_words }) => gained_words)],
  ["pages that look different", (row) => sum(row, ({ changed_pixels }) => (changed_pixels > 0 ? 1 : 0))],
  ["pages with fields that look different", (row) => sum(row, ({ changed_squares }) => (changed_squares > 0 ? 1 : 0))],
  ["live widgets left", (row) => row.after?.widgets ?? 0],
  ["NeedAppearances left", (row) => (row.after?.need_appearances ? 1 : 0)],
];

/** @param {Row} row @param {(difference: import("./compare-worker.mjs").Difference) => number} of */
function sum({ differences = [] }, of) {
  return differences.reduce((total, difference) => total + of(difference), 0);
}

/** @param {Row[]} rows */
export function printTable(rows) {
  for (const row of rows.filter(isDifferent)) {
    const cells = COLUMNS.flatMap(([title, of]) => (of(row) === 0 ? [] : `${title} ${of(row)}`));
    console.log(`${row.name}: ${cells.join(", ")}. ${reasonsOf(row).join("; ")}`);
  }
  for (const [name, count] of totals(rows)) line(name, count);
}

/** @param {Row[]} before @param {Row[]} after */
export function printSideBySide(before, after) {
  const old = new Map(before.map((row) => [row.name, row]));
  for (const row of after) {
    const was = old.get(row.name);
    const [had, has] = [summaryOf(was), summaryOf(row)];
    if (had !== has) console.log(`${row.name}\n  before: ${had}\n  after:  ${has}`);
  }
  const [had, has] = [totals(before), totals(after)];
  line("", "before", "after");
  for (const name of new Set([...had.keys(), ...has.keys()])) line(name, had.get(name) ?? 0, has.get(name) ?? 0);
}

/** @param {Row} row */
function isDifferent(row) {
  return COLUMNS.some(([, of]) => of(row) > 0);
}

/**
 * For each kind of difference, what is known about the file that explains it. A lost word is explained only if the answer to the upload says
 * that hidden content was removed from its page.
 * @param {Row} row @returns {string[]}
 */
function reasonsOf({ before, after, differences = [], warnings = [], page_warnings = [], removed = {} }) {
  /** Whether the answer names every page of which this is true. @param {string} code @param {(difference: import("./compare-worker.mjs").Difference) => boolean} is */
  const isNamed = (code, is) => {
    const named = page_warnings.flatMap((warning) => (warning.code === code ? warning.pages : []));
    return differences.every((difference) => !is(difference) || named.includes(difference.page));
  };
  const any = (/** @type {(difference: import("./compare-worker.mjs").Difference) => boolean} */ is) => differences.some(is);
  const had = (/** @type {string[]} */ ...kinds) => kinds.some((kind) => (before?.annotations[kind] ?? 0) > 0);
  const why = (/** @type {boolean} */ is, /** @type {string} */ what, /** @type {(string | false)[]} */ ...reasons) => {
    const given = reasons.filter((reason) => reason !== false);
    return is ? [given.length > 0 ? given.join(", ") : `${what} NOT EXPLAINED`] : [];
  };
  const isLive = (after?.widgets ?? 0) > 0 && "form not flattened";
  const isRedrawn = before?.need_appearances === true && "outdated fields were drawn anew";
  const noIcon = Object.keys(removed).includes("Annots/FileAttachment") && "icon of an attachment is gone";
  return [
    ...why(
      any(({ lost_words }) => lost_words > 0),
      "lost words",
      isNamed("hidden_content_removed", ({ lost_words }) => lost_words > 0) && HIDDEN,
    ),
    ...why(
      any(({ gained_words }) => gained_words > 0),
      "gained words",
      had("Widget", "FreeText", "Stamp") && "text of fields or notes is now page text",
      isNamed("hidden_content_removed", ({ gained_words }) => gained_words > 0) && "words that were one with hidden ones",
    ),
    ...why(
      any(isChanged),
      "look",
      isNamed("hidden_content_removed", isChanged) && HIDDEN,
      isNamed("look_changed", isChanged) && "the answer names the page",
      Object.keys(before?.without_appearance ?? {}).some((kind) => kind !== "Widget" && kind !== "Link" && kind !== "Popup") &&
        "marks without an appearance are drawn by us",
      warnings.includes("annotations_removed") && "marks without appearance are gone",
      noIcon,
      isLive || isRedrawn,
    ),
    ...why(isLive !== false && differences.length === 0, "widgets", isLive),
  ];
}

const HIDDEN = "hidden content was removed, as the answer says";

/** @param {import("./compare-worker.mjs").Difference} difference */
const isChanged = ({ changed_pixels, changed_squares }) => changed_pixels + changed_squares > 0;

/** @param {Row | undefined} row */
function summaryOf(row) {
  if (row === undefined) return "not in this run";
  if (row.outcome !== "compared") return `${row.outcome}: ${row.why}`;
  const cells = COLUMNS.flatMap(([title, of]) => (of(row) === 0 ? [] : `${title} ${of(row)}`));
  return cells.length === 0 ? "no difference" : cells.join(", ");
}

/** @param {Row[]} rows @returns {Map<string, number>} */
function totals(rows) {
  /** @type {Map<string, number>} */
  const counts = new Map([["files", rows.length]]);
  const add = (/** @type {string} */ name, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);
  const compared = rows.filter(({ outcome }) => outcome === "compared");
  add("compared", compared.length);
  add(
    "  pages compared",
    compared.reduce((total, row) => total + (row.compared ?? 0), 0),
  );
  add("  without any difference", compared.filter((row) => !isDifferent(row)).length);
  for (const [title, of] of COLUMNS) {
    add(`  files: ${title}`, compared.filter((row) => of(row) > 0).length);
    add(
      `  ${title}`,
      compared.reduce((total, row) => total + of(row), 0),
    );
  }
  add("  files with another number of pages", compared.filter(({ pages: [had, has] = [0, 0] }) => had !== has).length);
  for (const { outcome } of rows) if (outcome !== "compared") add(outcome);
  const reasons = rows.flatMap(({ outcome, why }) => (why === undefined ? [] : `  ${outcome}: ${why.split("\n", 1)[0]}`)).sort();
  for (const reason of reasons) add(reason);
  return counts;
}

/** @param {string} name @param {...(number | string)} cells */
function line(name, ...cells) {
  console.log(`${cells.map((cell) => String(cell).padStart(8)).join("")}  ${name}`);
}
