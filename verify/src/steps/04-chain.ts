import { firstFault, type Link, readChain } from "@countersign/evidence";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";
import type { AnyManifest } from "./02-manifest.ts";

/**
 * Each entry follows the one before it, from the first to the last, and its data is what was recorded or was erased with an entry that
 * says so.
 */
export function checkChain(files: Files, { org_id, envelope_id }: AnyManifest): StepResult<readonly Link[]> {
  const read = readChain(fileOf(files, "chain.jsonl"));
  if ("line" in read) throw new BundleRejected("chain.jsonl", `line ${read.line} is not an audit entry in canonical form`, read.line);
  const { links } = read;
  if (links.length === 0) throw new BundleRejected("chain.jsonl", "is empty");
  const fault = firstFault(links, { org_id, subject: envelope_id });
  if (fault !== null) throw new BundleRejected("chain.jsonl", `${fault.kind}: expected ${fault.expected}, found ${fault.found}`, fault.seq);
  return { value: links, says: `${links.length} entries of ${envelope_id}`, notes: [...damageNotes(links), ...erasureNotes(links)] };
}

function damageNotes(links: readonly Link[]): string[] {
  return links.flatMap(({ entry: { seq, at, type } }) => {
    const what = damages[type];
    return what === undefined ? [] : [`Entry ${seq} (${at}) records that ${what}.`];
  });
}

const damages: Readonly<Record<string, string>> = {
  "vault.document.tamper_detected": "the stored document was found altered or missing",
  "document.record_mismatch": "what was signed was found to differ from the audit trail",
};

function erasureNotes(links: readonly Link[]): string[] {
  const erased = links.filter(({ data }) => data === null).length;
  return erased === 0 ? [] : [`The data of ${erased} entries was erased, as later entries record. It can no longer be compared.`];
}
