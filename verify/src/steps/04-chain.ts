import { firstFault, type Link, type Manifest, readChain } from "@countersign/evidence";
import { type Files, fileOf, type Passed, Refused } from "../step.ts";

/** From its genesis to its end, each entry follows the one before it, and its data is what was recorded, or was erased on record. */
export function checkChain(files: Files, { org_id, envelope_id }: Manifest): Passed<readonly Link[]> {
  const read = readChain(fileOf(files, "chain.jsonl"));
  if ("line" in read) throw new Refused("chain.jsonl", `line ${read.line} is not an entry in canonical form`, read.line);
  const { links } = read;
  if (links.length === 0) throw new Refused("chain.jsonl", "is empty");
  const fault = firstFault(links, { org_id, subject: envelope_id });
  if (fault !== null) throw new Refused("chain.jsonl", `${fault.kind}: expected ${fault.expected}, found ${fault.found}`, fault.seq);
  return { value: links, says: `${links.length} entries of ${envelope_id}`, notes: [...damage(links), ...erasure(links)] };
}

function damage(links: readonly Link[]): string[] {
  const found = links.filter(({ entry }) => entry.type === "vault.document.tamper_detected");
  return found.map(({ entry: { seq, at } }) => `Entry ${seq} of ${at} records that the stored bytes were found altered or missing.`);
}

function erasure(links: readonly Link[]): string[] {
  const erased = links.filter(({ data }) => data === null).length;
  return erased === 0 ? [] : [`The data of ${erased} entries was erased, as later entries say; what they said cannot be compared.`];
}
