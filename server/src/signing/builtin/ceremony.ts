import type { Read } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import { listSigners } from "../store.ts";
import { hasTurn, type LiveEnvelope, type Signer } from "../submission.ts";

/** How the page begins. `ready`: it is this signer's turn, and nothing is in the way. */
export const ceremonyStates = ["ready", "signed", "read_only", "waiting", "locked", "identity_unavailable"] as const;
export type CeremonyState = (typeof ceremonyStates)[number];

export interface Ceremony {
  readonly envelope: LiveEnvelope;
  /** null: somebody who may only look */
  readonly you: Signer | null;
  readonly state: CeremonyState;
}

/** The first that holds counts. */
export function stateOf(envelope: LiveEnvelope, signers: readonly Signer[], you: Signer | null): CeremonyState {
  if (you === null) return "read_only";
  if (you.status === "signed") return "signed";
  if (!hasTurn(envelope.signing_order, signers, you)) return "waiting";
  if (you.status === "locked") return "locked";
  // Questions cannot be set yet, so nobody of whom they are required can answer any: never a silent downgrade.
  return envelope.kba_required ? "identity_unavailable" : "ready";
}

/** The ceremony as the holder of a token stands in it. */
export async function ceremonyOf(read: Read, { org, holder }: WidgetCaller, envelope: LiveEnvelope): Promise<Ceremony> {
  const signers = await listSigners(read, org, envelope.envelope_id);
  const you = holder.slug === null ? null : mine(signers, holder.slug);
  return { envelope, you, state: stateOf(envelope, signers, you) };
}

function mine(signers: readonly Signer[], slug: Slug): Signer {
  const you = signers.find((signer) => signer.slug === slug);
  // The sender corrected the signer since the token was looked at.
  if (you === undefined) throw new Problem("invalid_token", "the signer was corrected");
  return you;
}

/** The slug that the token speaks for; whoever only looks cannot act. */
export function signerOf({ holder }: WidgetCaller): Slug {
  if (holder.slug !== null) return holder.slug;
  const details = [{ location: "header", field: "Authorization", code: "read_only", message: "its address is no signer's" }] as const;
  throw new Problem("read_only", "", { details });
}
