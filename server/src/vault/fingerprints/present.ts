import { iso } from "../../http/shapes.ts";
import type { Review } from "./review-duplicate.ts";
import type { PossibleDuplicate } from "./store.ts";

export const presentPossibleDuplicate = (pair: PossibleDuplicate) => ({
  envelope_id: pair.envelope_id,
  envelope_name: pair.envelope_name,
  state: pair.state,
  stored_at: iso(pair.stored_at),
  other: {
    envelope_id: pair.other_envelope_id,
    envelope_name: pair.other_envelope_name,
    state: pair.other_state,
    stored_at: iso(pair.other_stored_at),
  },
  kinds: pair.kinds,
});

export const presentReview = ({ envelope_id, other_envelope_id, statement, reviewed_by, at }: Review) => ({
  envelope_id,
  other_envelope_id,
  statement,
  reviewed_by,
  at,
});
