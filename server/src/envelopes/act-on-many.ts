import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, UserId } from "../shared/ids.ts";
import { invalidField, Problem, type ProblemCode } from "../shared/problems.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { giveOwner } from "./give-owner.ts";
import { remindSigners } from "./remind-signers.ts";
import { addTags, removeTags } from "./set-tags.ts";
import { lockRow } from "./store.ts";
import { voidEnvelope } from "./void-envelope.ts";

export const actions = ["remind", "void", "discard", "tag", "untag", "set_owner"] as const;
export type Action = (typeof actions)[number];

export interface ActionRequest {
  readonly action: Action;
  readonly envelope_ids: readonly EnvelopeId[];
  readonly tags?: readonly string[];
  readonly owner_user_id?: UserId;
  readonly reason?: string;
}

export interface ActedOn {
  readonly done: readonly EnvelopeId[];
  readonly failed: readonly { readonly envelope_id: EnvelopeId; readonly code: ProblemCode; readonly error: string }[];
}

/**
 * Does the same to each envelope, each in its own transaction: what is done stays done, whatever happens to the others. A refusal is
 * reported with the envelope; a failure of the service ends the request.
 */
export async function actOnMany(deps: EnvelopeDeps, caller: Caller, request: ActionRequest): Promise<ActedOn> {
  const act = actOf(deps, caller, request);
  const done: EnvelopeId[] = [];
  const failed: { envelope_id: EnvelopeId; code: ProblemCode; error: string }[] = [];
  for (const envelope_id of new Set(request.envelope_ids)) {
    try {
      await act(envelope_id);
      done.push(envelope_id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // Only the sentence of a detail says what is wrong with this envelope.
      const [detail] = error.details ?? [];
      failed.push({ envelope_id, code: error.code, error: detail === undefined ? error.says : `${detail.field} ${detail.message}` });
    }
  }
  return { done, failed };
}

/** Throws a 422 if the action needs a member that is not there, before anything is done. */
function actOf(deps: EnvelopeDeps, caller: Caller, request: ActionRequest): (envelope_id: EnvelopeId) => Promise<unknown> {
  const { action, tags, owner_user_id, reason } = request;
  if (action !== "remind" && !caller.scopes.includes("envelopes:write")) {
    throw new Problem("scope_missing", "", { words: { scope: "envelopes:write" } });
  }
  const locked = (change: (tx: Tx, envelope: Envelope) => Promise<void>) => (envelope_id: EnvelopeId) =>
    deps.db.tx(caller.org, async (tx) => change(tx, await lockRow(tx, caller.org, envelope_id)));
  switch (action) {
    case "remind":
      return (envelope_id) => remindSigners(deps, caller, envelope_id);
    case "discard":
      return (envelope_id) => voidEnvelope(deps, caller, envelope_id, "discarded", "discard");
    case "void": {
      const why = reason ?? missing("reason");
      return (envelope_id) => voidEnvelope(deps, caller, envelope_id, why);
    }
    case "tag": {
      const names = tags ?? missing("tags");
      return locked((tx, envelope) => addTags(tx, caller, envelope, names));
    }
    case "untag": {
      const names = tags ?? missing("tags");
      return locked((tx, envelope) => removeTags(tx, caller, envelope, names));
    }
    case "set_owner": {
      const owner = owner_user_id ?? missing("owner_user_id");
      return locked((tx, envelope) => giveOwner(tx, caller, envelope, owner));
    }
  }
}

function missing(field: string): never {
  throw invalidField(field, "required", "is required for this action");
}
