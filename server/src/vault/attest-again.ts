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

/** A later, corrected declaration about a vaulted original. The latest counts, from the next evaluation on. */
export function attestAgain(deps: PipelineDeps, caller: Caller, envelope_id: EnvelopeId, input: AttestationInput): Promise<Recorded> {
  const { org } = caller;
  return deps.db.tx(org, async (tx: Tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const copy = await lockCopy(tx, org, envelope_id);
    requireState(copy, "active", "escrowed");
    return recordAttestation(tx, caller, envelope_id, attestedAs(deps, envelope, copy), input);
  });
}

/** What was signed here speaks for itself; what a provider of another house had signed is judged like a file from elsewhere. */
function attestedAs({ provider }: PipelineDeps, { status }: Envelope, { source }: AuthoritativeCopy): AttestedSource {
  if (source !== "signed_here") return source;
  if (provider.name === "builtin") throw wrongStatus("attestation of what was signed here", status);
  return "electronic_signed";
}
