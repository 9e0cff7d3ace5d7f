// node scripts/check-commits.mjs           checks the commits after the one that scripts/commits-checked-since names
// node scripts/check-commits.mjs <file>    checks the message in that file, as the hook scripts/hooks/commit-msg does
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { faultsOf } from "./commit-rules.mjs";

const SCISSORS = /^. -{24} >8 -{24}$/m;
const SEPARATOR = "\u001e";

// The tree to check is the working directory, so that the check can be tried on another one.
const [file] = process.argv.slice(2);
const result = file === undefined ? checkHistory() : checkFile(file);
console.log(result.words);
process.exitCode = result.ok ? 0 : 1;

/** @param {string} path */
function checkFile(path) {
  const [written = ""] = readFileSync(path, "utf8").split(SCISSORS);
  const message = git(["stripspace", "--strip-comments"], written) ?? written;
  // An empty message ends the commit; git joins the others to an earlier commit before anyone else sees them.
  if (message.trim() === "" || /^(fixup|squash|amend)! /.test(message)) return { ok: true, words: "" };
  const faults = faultsOf(message);
  return { ok: faults.length === 0, words: faults.map((fault) => `commit message: ${fault}`).join("\n") };
}

function checkHistory() {
  const none = (/** @type {string} */ why) => ({ ok: true, words: `commit messages: not checked, ${why}` });
  // A tree that was exported into another checkout does not belong to that checkout.
  if (git(["rev-parse", "--show-prefix"])?.trim() !== "") return none("this is not a git checkout");
  const [base = "", date = ""] = readFileSync(fileURLToPath(new URL("commits-checked-since", import.meta.url)), "utf8")
    .trim()
    .split(" ");
  const hasBase = git(["cat-file", "-e", `${base}^{commit}`]) !== null;
  const isShallow = git(["rev-parse", "--is-shallow-repository"])?.trim() === "true";
  if (!hasBase && !isShallow) return none(`commit ${base.slice(0, 7)}, after which they are, is not in this clone`);
  // A shallow clone does not contain the base. Then the time of a commit shows whether it is newer.
  const range = hasBase ? [`${base}..HEAD`] : [`--since=${date}`, "HEAD"];
  const log = git(["log", "--no-merges", `--format=%h%n%B${SEPARATOR}`, ...range]);
  if (log === null) return none("git could not list the commits");
  const commits = log
    .split(SEPARATOR)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const bad = commits.flatMap((entry) => {
    const [hash = "", ...lines] = entry.split("\n");
    return faultsOf(lines.join("\n")).map((fault) => `${hash} ${lines[0]}\n  ${fault}`);
  });
  const count = `${commits.length} ${hasBase ? "" : "in this shallow clone "}after ${base.slice(0, 7)}`;
  return { ok: bad.length === 0, words: [...bad, `commit messages: ${count}, ${bad.length} faults`].join("\n") };
}

/**
 * The output of git, or null if there is no git or it fails.
 * @param {string[]} args
 * @param {string} [input]
 */
function git(args, input = "") {
  const { status, stdout } = spawnSync("git", args, { input, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout : null;
}
