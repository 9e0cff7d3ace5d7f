import type { SealReport } from "@countersign/pdf/pool";
import { issueSeal } from "./ensure-seal.ts";
import { ensureInstanceKeys } from "./instance-keys.ts";
import { type SealDeps, type Signer, signBy } from "./seal.ts";
import { sealBytes } from "./seal-document.ts";

/**
 * Signs with the keys of the installation, seals a page, verifies it, changes one byte and expects a refusal. Covers everything except the time-stamp, which depends on an external
 * authority.
 */
export async function testSeal(deps: SealDeps): Promise<void> {
  const { root, records, log, at } = await ensureInstanceKeys(deps);
  for (const key of [records, log]) await key.sign(Buffer.from(SELF_TEST_RECORD));
  const signer = deps.bought ?? (await temporarySigner(root, at));
  const place = { key: "self-test", name: NAME, reason: "Self-test", at };
  const { bytes } = await sealBytes({ ...deps, timeStamps: { ...deps.timeStamps, url: null } }, signer, blankPage(), place);
  const trust = { roots: signer.certificates.slice(-1), at };
  const [sealed] = await deps.pdf.verify(bytes, trust);
  if (!isGood(sealed)) throw new Error(`the test seal does not verify: ${sealed?.fault}`);
  const [changed] = await deps.pdf.verify(widened(bytes), trust);
  if (changed?.intact !== false) throw new Error("the test seal verifies although the page was changed");
}

const NAME = "Self-test";
const SELF_TEST_RECORD = '{"type":"countersign/self-test/1"}';

/** A certificate under the root for this test only; its key is never stored. */
async function temporarySigner(root: Parameters<typeof issueSeal>[0], not_before: Date): Promise<Signer> {
  const { certificate, key } = await issueSeal(root, { org_name: NAME, org_id: NAME }, not_before);
  return { certificates: [certificate, root.certificate], sign: signBy(key) };
}

const isGood = (report: SealReport | undefined): boolean => report?.intact === true && report.trusted && report.covers_whole_file;

const WIDTH = "612";
const WIDER = "613";

/** One empty page (ISO 32000-2, 7.5). */
function blankPage(): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} 792] /Resources << >> >>`,
  ];
  let file = "%PDF-1.7\n";
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}${trailer}`, "latin1");
}

/** Changes one byte of the page. */
function widened(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  copy.write(WIDER, copy.indexOf(WIDTH), "latin1");
  return copy;
}
