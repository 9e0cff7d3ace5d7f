import type { Actor } from "../../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId, HoldId } from "../../shared/ids.ts";

/** Keeps a copy in the vault while it is active, whatever retention and exports would allow. A copy can have several holds. */
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
