import type { IdentityMethod } from "@countersign/evidence";
import { type Ceremony, notNow } from "../builtin/ceremony.ts";
import type { IdentityStep } from "./identity.ts";

/** Throws unless this method can be tried now: it is the person's turn, the method is required, and those before it were passed. */
export function refuseUnasked({ state, identity }: Ceremony, method: IdentityMethod): IdentityStep {
  if (state === "waiting") throw notNow("not_your_turn", "not_your_turn", "others must act before you");
  const step = identity.steps.find((one) => one.method === method);
  if (step === undefined) throw notNow("identity_unavailable", "identity_unavailable", "this is not asked of you");
  if (identity.state === "locked" || step.state === "locked") {
    throw notNow("signer_locked", "locked", "the sender must let you try again");
  }
  const before = identity.steps.slice(0, identity.steps.indexOf(step));
  if (before.some((one) => one.state !== "passed")) throw notNow("identity_required", "identity_required", "another step comes first");
  if (step.state === "unavailable") {
    throw notNow("identity_unavailable", "identity_unavailable", "the sender has not set your questions yet");
  }
  return step;
}
