import type { Actor } from "../../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId, HoldId } from "../../shared/ids.ts";

/** Keeps a copy here while it stands, whatever retention and vault-out would allow. Several stack. */
export interface LegalHold {
  readonly hold_id: HoldId;
  readonly envelope_id: EnvelopeId;
  readonly copy_id: AuthoritativeCopyId;
  readonly reason: string;
  readonly placed_by: Actor;
  readonly placed_at: Date;
  readonly released_by: Actor | null;
  readonly released_at: Date | null;
}
