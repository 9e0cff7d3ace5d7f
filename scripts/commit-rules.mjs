// The rules of CONTRIBUTING.md for a commit message that a program can check. It cannot tell whether a commit has one idea, but it refuses
// `;` and ` + `, which usually join two.

const SUBJECT_LIMIT = 72;

// `Console: show the key` and `Signing page: show the key`: a subject can begin with its area.
const AREA = /^[\p{L}\p{N}][\p{L}\p{N}/._-]*( [\p{L}\p{N}/._-]+)?: +/u;

// Imperatives that look like another form. Add new ones here.
const IMPERATIVES = new Set(
  [
    ["alias", "bias", "canvas", "focus"],
    ["bring", "cling", "fling", "ping", "ring", "sing", "sling", "spring", "sting", "string", "swing", "wring"],
    ["bleed", "breed", "embed", "exceed", "feed", "heed", "need", "proceed", "seed", "shed", "shred", "speed", "succeed", "weed"],
  ].flat(),
);

const OTHER_FORMS = new Set(
  [
    ["am", "are", "been", "did", "done", "had", "has", "is", "was", "were"],
    ["became", "began", "bought", "broke", "brought", "built", "came", "caught", "chose", "drew", "found", "gave", "got", "grew"],
    [
      "held",
      "hid",
      "kept",
      "knew",
      "known",
      "laid",
      "led",
      "left",
      "lost",
      "made",
      "meant",
      "met",
      "paid",
      "ran",
      "rewrote",
      "said",
      "sent",
    ],
    ["shown", "sold", "sought", "spent", "stood", "stuck", "swept", "taught", "thought", "threw", "told", "took", "understood"],
    ["went", "withdrew", "withdrawn", "won", "written", "wrote"],
  ].flat(),
);

const NOT_VERBS = new Set(
  [
    ["a", "all", "an", "any", "both", "each", "every", "it", "its", "my", "no", "nothing", "one", "our", "some", "that", "the", "their"],
    ["there", "these", "they", "this", "those", "two", "we", "what", "when", "where", "which", "who", "you", "your"],
    ["also", "and", "as", "at", "but", "by", "for", "from", "in", "more", "new", "now", "of", "on", "only", "or", "to", "with", "without"],
  ].flat(),
);

/**
 * The mistakes in a commit message; empty if there are none.
 * @param {string} message the whole message, without the comments that git puts into its file
 * @returns {string[]}
 */
export function faultsOf(message) {
  const [subject = "", second = ""] = message.split(/\r?\n/);
  if (subject.trim() === "") return ["the subject is empty"];
  // git writes this subject. Its length depends on the subject that it quotes.
  if (/^(Revert|Reapply) "/.test(subject)) return [];
  const faults = [];
  const length = [...subject].length;
  if (length > SUBJECT_LIMIT) faults.push(`the subject has ${length} characters; ${SUBJECT_LIMIT} are allowed`);
  if (/\.$/.test(subject)) faults.push("the subject ends with a period");
  if (/;| \+ /.test(subject)) faults.push("the subject joins two ideas with `;` or ` + `: make two commits, or name the one idea");
  if (!/^\p{Lu}/u.test(subject)) faults.push("the subject does not begin with a capital letter");
  faults.push(...faultOfMood(subject.replace(AREA, "")));
  if (second.trim() !== "") faults.push("the second line is not blank");
  return faults;
}

/** @param {string} words the subject without its area */
function faultOfMood(words) {
  const first = /^[\p{L}\p{N}'’-]+/u.exec(words)?.[0] ?? "";
  const verb = first.toLowerCase();
  if (IMPERATIVES.has(verb)) return [];
  const odd =
    NOT_VERBS.has(verb) ||
    OTHER_FORMS.has(verb) ||
    /ing$|[^e]ed$|^(agreed|decreed|freed|guaranteed)$|[^s]s$/.test(verb) ||
    /^\P{Ll}{2,}$/u.test(first);
  return odd || verb === ""
    ? [`the subject does not begin with a verb in the imperative (${first || "no word"}): "Add", not "Added" or "Adds"`]
    : [];
}
