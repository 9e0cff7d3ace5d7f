import type { Tx } from "../db/sql.ts";
import { deliveryFailedForSender } from "../mail/messages/to-sender.ts";
import { isId, type OrgId } from "../shared/ids.ts";
import { lookUpRecipient } from "../signing/store.ts";
import { isActing, isWaiting } from "../signing/submission.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { tellSender } from "./notify.ts";
import { findEnvelope, orgName } from "./store.ts";

/**
 * Notifies the sender, in the same transaction, that a message to a recipient failed permanently. An address that no recipient has any more
 * was corrected in the meantime, so nothing needs to be done.
 */
export async function tellUndelivered(
  deps: Pick<EnvelopeDeps, "consoleUrl">,
  tx: Tx,
  org: OrgId,
  { about, to }: { readonly about: string; readonly to: string },
): Promise<void> {
  if (!isId("envelope", about)) return;
  const signer = await lookUpRecipient(tx, org, about, to);
  if (signer === null) return;
  const envelope = await findEnvelope(tx, org, about);
  const { envelope_name } = envelope;
  const words = deliveryFailedForSender({
    envelope_name,
    org_name: await orgName(tx, org),
    url: `${deps.consoleUrl}/envelopes/${about}`,
    signer_name: signer.name,
    address: to,
    person: signer.kind === "signer" ? "signer" : "recipient",
    task: isActing(signer) && isWaiting(signer) ? "sign" : "keep a copy",
  });
  await tellSender(tx, org, envelope, { kind: "mail_failed", envelope_name, person: signer.name, address: to }, words);
}
