import type { Tx } from "../db/sql.ts";
import type { Envelope } from "../envelopes/envelope.ts";
import { lockRow, wrongStatus } from "../envelopes/store.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { type AttestationInput, type AttestedSource, recordAttestation } from "./attestation.ts";
import type { Recorded } from "./attestation-store.ts";
import { type AuthoritativeCopy, requireState } from "./copy.ts";
import { lockCopy } from "./copy-store.ts";
import type { PipelineDeps } from "./vault.ts";

/** Records a later, corrected attestation about a vaulted original. The next evaluation uses the latest one. */
export function attestAgain(deps: PipelineDeps, caller: Caller, envelope_id: EnvelopeId, input: AttestationInput): Promise<Recorded> {
  const { org } = caller;
  return deps.db.tx(org, async (tx: Tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const copy = await lockCopy(tx, org, envelope_id);
    requireState(copy, "active", "escrowed");
    return recordAttestation(tx, caller, envelope_id, attestedAs(deps, envelope, copy), input);
  });
}

/**
 * Documents signed by the built-in provider need no attestation. Those signed by another provider are treated like files from elsewhere.
 */
function attestedAs({ provider }: PipelineDeps, { status }: Envelope, { source }: AuthoritativeCopy): AttestedSource {
  if (source !== "signed_here") return source;
  if (provider.name === "builtin") throw wrongStatus("attestation of what was signed here", status);
  return "electronic_signed";
}
