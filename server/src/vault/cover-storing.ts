import type { Link } from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { type Covered, ensureCovered } from "../transparency/ensure-covered.ts";
import type { PipelineDeps } from "./vault.ts";

/** Ensures that the storing is in a signed checkpoint, with a time-stamp if configured. Every later evaluation uses the same checkpoint. */
export async function coverStoring(deps: PipelineDeps, org: OrgId, envelope_id: EnvelopeId): Promise<Covered> {
  const links = await deps.db.tx(org, (tx) => readChain(tx, org, envelope_id));
  return ensureCovered(deps.log, upToStoring(links));
}

/** The hashes of all entries up to the last one that was written together with the copy. */
export function upToStoring(links: readonly Link[]): string[] {
  const stored = links.findIndex(({ entry }) => entry.type === "vault.stored");
  if (stored < 0) throw new Error("nothing is stored yet");
  const isTogether = ({ entry }: Link) => entry.type === "custody.assigned" || entry.type === "assignment.recorded";
  let last = stored;
  while (last + 1 < links.length && last < stored + 2 && isTogether(links[last + 1] as Link)) last += 1;
  return links.slice(0, last + 1).map(({ entry }) => entry.hash);
}
