// Runs the commands of docs/guides/quick-start.md as a reader does: block by block, with the ids of the responses before.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runProgram } from "./run-program.mjs";

const ADDRESS = "https://sign.example.com";
// The document is sealed a second or two after the last signature.
const TRIES = 20;
const BETWEEN_TRIES_MS = 500;
const NOT_PINNED = 3;

/** @param {import("./flows.mjs").Place} place @returns {Promise<string>} what the last block prints */
export async function walkQuickStart({ url, apiKey, folder }) {
  const guide = await readFile(new URL("../../docs/guides/quick-start.md", import.meta.url), "utf8");
  const blocks = [...guide.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block.replaceAll(ADDRESS, url));
  const { PATH = "", HOME = "" } = process.env;
  /** @type {Record<string, string>} */
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME };
  let said = "";
  for (const block of blocks) {
    // `export TEMPLATE=tmpl_…`: the reader copies the id from the response before.
    const filled = block.replace(/^export (\w+)=(\w+_)…$/gm, (_, name, prefix) => {
      env[name] = prefix === "lk_" ? apiKey : (new RegExp(`${prefix}[0-9a-z]+`).exec(said)?.[0] ?? assert.fail(`no ${prefix} in ${said}`));
      return "";
    });
    for (const [, name = "", value = ""] of filled.matchAll(/^export (\w+)=(\S+)$/gm)) env[name] = value;
    said = await runBlock(filled, folder, env, block === blocks.at(-1));
  }
  return said;
}

/** @param {string} block @param {string} folder @param {Record<string, string>} env @param {boolean} isLast */
async function runBlock(block, folder, env, isLast) {
  for (let attempt = 1; ; attempt++) {
    const { code, out, err } = await runProgram(["bash", "-euo", "pipefail", "-c", block], { cwd: folder, env });
    if (code === 0 || (isLast && code === NOT_PINNED)) {
      assert.ok(!out.includes('"error":'), out);
      return out;
    }
    assert.ok(attempt < TRIES && err.includes("409"), `${block}\n${out}${err}`);
    await delay(BETWEEN_TRIES_MS);
  }
}
