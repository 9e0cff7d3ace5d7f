import { appendAudit } from "../../audit/append-audit.ts";
import { hasEntry } from "../../audit/find-entry.ts";
import type { Read, Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { markViewed } from "../store.ts";
import { refuseEnded, type SigningDeps } from "../submission.ts";
import { type Ceremony, ceremonyOf } from "./ceremony.ts";

/**
 * What the page needs to begin. Who opened is recorded once in each signing session; the first opening at which a signer can go on
 * makes signer and envelope `viewed`. A page that asks again, as one that waits does, takes no lock.
 */
export function openSigning(deps: SigningDeps, who: WidgetCaller): Promise<Ceremony & { readonly server_time: Date }> {
  return deps.db.tx(who.org, async (tx) => {
    const before = await look(deps, tx, who);
    const known = (await wasOpened(tx, who)) && !isFirstView(before);
    if (!known) await recordOpening(deps, tx, who);
    return { ...(known ? before : await look(deps, tx, who)), server_time: tx.now };
  });
}

async function look(deps: SigningDeps, read: Read, who: WidgetCaller): Promise<Ceremony> {
  const envelope = await deps.findEnvelope(read, who.org, who.holder.envelope_id);
  refuseEnded(envelope);
  return ceremonyOf(read, who, envelope);
}

const isFirstView = ({ state, you }: Ceremony): boolean => state === "ready" && you?.status === "pending";

async function recordOpening(deps: SigningDeps, tx: Tx, who: WidgetCaller): Promise<void> {
  const { org, holder } = who;
  const { envelope_id, user_email, credential, signing_session } = holder;
  const envelope = await deps.lockEnvelope(tx, org, envelope_id);
  refuseEnded(envelope);
  const ceremony = await ceremonyOf(tx, who, envelope);
  const first = isFirstView(ceremony) ? holder.slug : null;
  if (first !== null) await markViewed(tx, org, first);
  // The page sends its first calls at once; whoever waited for the lock finds the other's entry.
  if (!(await wasOpened(tx, who)))
    await appendAudit(tx, org, { type: openedBy(who), by: who, envelope_id, data: { user_email, credential, signing_session } });
  if (first !== null) await deps.onSubmission(tx, org, { kind: "viewed", envelope_id, slug: first, by: who, signing_session });
}

const openedBy = ({ holder }: WidgetCaller) => (holder.slug === null ? "viewer.opened" : "signer.opened");

function wasOpened(read: Read, who: WidgetCaller): Promise<boolean> {
  const { envelope_id, user_email, signing_session } = who.holder;
  return hasEntry(read, who.org, { type: openedBy(who), envelope_id, user_email, signing_session });
}
