import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { listRecipients, markUnlocked } from "../store.ts";
import { isWaiting, type Recipient, type SigningDeps } from "../submission.ts";
import { startRound } from "./kba/kba-store.ts";
import { atLeast } from "./minimum.ts";
import { onSigner, type Place, type SettingDeps } from "./on-signer.ts";
import type { Requirement } from "./requirement.ts";
import { insertRequirements, listMethodStates, type ShownMethod } from "./store.ts";

export interface Required {
  readonly signer: Recipient;
  readonly methods: readonly ShownMethod[];
}

/** Sets what is required of a person who has not acted, at least the minimum of the organization. What they passed before must be passed again; a person who is locked stays so. */
export function setRequirements(
  deps: SettingDeps & Pick<SigningDeps, "identityMethods" | "mailsCodes">,
  caller: Caller,
  at: Place,
  required: readonly Requirement[],
): Promise<Required> {
  return onSigner(deps, caller, at, async (tx, signer, { identity_policy: policy, kba_required, form }) => {
    if (!isWaiting(signer)) throw new Problem("signer_signed");
    const asked = atLeast(
      { methods: deps.identityMethods, mailsCodes: deps.mailsCodes(caller.org) },
      required,
      { policy, kba_required, of_form: form !== null },
      { field: "authentication" },
    );
    await requireOf(tx, caller, at.envelope_id, signer, asked);
    return { signer, methods: await methodsOf(tx, caller, at) };
  });
}

/** The rows and their entry, which is what the evidence says was required. */
export async function requireOf(
  tx: Tx,
  caller: Caller,
  envelope_id: EnvelopeId,
  { slug, recipient_id, role, email: user_email }: Pick<Recipient, "slug" | "recipient_id" | "role" | "email">,
  required: readonly Requirement[],
): Promise<void> {
  const set = await insertRequirements(tx, caller.org, slug, required);
  const named = (links_only: boolean) => required.filter((one) => one.links_only === links_only).map(({ method }) => method);
  const link_methods = named(true);
  const data = { role, recipient_id, user_email, set, methods: named(false), ...(link_methods.length > 0 && { link_methods }) };
  await appendAudit(tx, caller.org, { type: "identity.set", by: caller, envelope_id, data });
}

/** Restarts the count of attempts at everything and unlocks the person. Also for a signer who has signed and wants their copy. */
export function resetIdentity(deps: SettingDeps, caller: Caller, at: Place): Promise<Required> {
  return onSigner(deps, caller, at, async (tx, signer) => {
    await startRound(tx, caller.org, at.slug);
    await markUnlocked(tx, caller.org, at.slug);
    const data = { role: signer.role, user_email: signer.email, was_locked: signer.status === "locked" };
    await appendAudit(tx, caller.org, { type: "identity.reset", by: caller, envelope_id: at.envelope_id, data });
    const after = (await listRecipients(tx, caller.org, at.envelope_id)).find(({ slug }) => slug === at.slug);
    return { signer: after ?? signer, methods: await methodsOf(tx, caller, at) };
  });
}

const methodsOf = async (tx: Tx, { org }: Caller, { envelope_id, slug }: Place): Promise<ShownMethod[]> =>
  (await listMethodStates(tx, org, envelope_id)).filter((one) => one.slug === slug);
