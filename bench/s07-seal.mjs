import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contract } from "./documents.mjs";
import { engineTimes } from "./engine-run.mjs";
import { atMost, median } from "./figure.mjs";
import { scratchFolder } from "./harness.mjs";

// Sixteen pages of the contract are 40 kB.
const PAGES = 16;
const ROUNDS = 5;
const WARM_RUNS = 40;
const GOAL = 0.7;

/**
 * S7: our seal and a signature by `@libpdf/core`, of the same file with the same key, alternating in one process. Both start with the
 * file's bytes and end with those of the signed file, PAdES B-B. Ours also verifies the signature with the certificate before it is
 * written.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureSeal({ end }) {
  const file = join(await scratchFolder(end), "contract.pdf");
  const bytes = contract(PAGES, "simple");
  await writeFile(file, bytes);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { seal, libpdfSign } = await engineTimes(file, ["seal", "libpdfSign"], WARM_RUNS);
    rounds.push({ seal_ms: median(seal?.warm_ms ?? []), libpdf_ms: median(libpdfSign?.warm_ms ?? []) });
  }
  const ratio = median(rounds.map(({ seal_ms, libpdf_ms }) => seal_ms / libpdf_ms));
  const ours = median(rounds.map(({ seal_ms }) => seal_ms));
  const theirs = median(rounds.map(({ libpdf_ms }) => libpdf_ms));
  return [
    {
      id: "S7",
      name: `seal a PDF of ${(bytes.length / 1000).toFixed(0)} kB`,
      measured: `${ratio.toFixed(2)} × (${ours.toFixed(1)} ms of ${theirs.toFixed(1)} ms CPU)`,
      goal: `<= ${GOAL} × libpdf's sign`,
      verdict: atMost(ratio, GOAL),
      values: { rounds },
    },
  ];
}
