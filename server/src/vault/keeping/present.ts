import { iso, isoOrNull } from "../../http/shapes.ts";
import type { AuthoritativeCopy } from "../copy.ts";
import type { LegalHold } from "./hold.ts";

export const presentRetention = ({ envelope_id, retention_until, lock_kind, lock_until }: AuthoritativeCopy) => ({
  envelope_id,
  retention_until: iso(retention_until),
  lock: { kind: lock_kind, until: iso(lock_until) },
});

export const presentHold = (hold: LegalHold) => ({
  hold_id: hold.hold_id,
  envelope_id: hold.envelope_id,
  reason: hold.reason,
  placed_by: { kind: hold.placed_by.kind, id: hold.placed_by.id },
  placed_at: iso(hold.placed_at),
  released_by: hold.released_by === null ? null : { kind: hold.released_by.kind, id: hold.released_by.id },
  released_at: isoOrNull(hold.released_at),
});
