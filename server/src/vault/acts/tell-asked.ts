import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import type { ActId, OrgId, PartyId } from "../../shared/ids.ts";
import { isApprover } from "../parties/party.ts";
import { findParty, listKnownAddresses, listPeople } from "../parties/store.ts";
import { findOrgSettings } from "../store.ts";
import type { PipelineDeps } from "../vault.ts";
import { type ActWithDecisions, isOpen, objectors, openNeeds } from "./act.ts";
import { readDocument } from "./document.ts";
import { askedMail, objectionMail } from "./messages.ts";
import { findAct } from "./store.ts";
import { summaryOf } from "./summary.ts";

/** All people whose address is known for the party, and the admins: any of them can stop it. */
async function tellObjectors(
  deps: Pick<PipelineDeps, "mail" | "publicUrl">,
  tx: Tx,
  org: OrgId,
  act: ActWithDecisions,
  about: { readonly org_name: string; readonly summary: string; readonly reason: string },
): Promise<void> {
  const { act_id, waits_until } = act;
  if (waits_until === null) return;
  for (const { party_id, name: party_name } of objectors(act)) {
    const told = { ...about, party_name, waits_until };
    const words = objectionMail({ ...told, url: `${deps.publicUrl}/p/#/acts/${act_id}` });
    for (const to of await listKnownAddresses(tx, org, party_id as PartyId))
      await queueMail(deps.mail, tx, org, { ...words, to, org_name: about.org_name, expires_at: waits_until, about: act_id });
    const { kind, subject, text } = objectionMail({ ...told, url: `${deps.publicUrl}/console/acts/${act_id}` });
    await enqueue(tx, "orgs.notify-admins", { org_id: org, kind, subject, text });
  }
}

/** Mails every approver of the parties that have not decided, and the admins of other organizations. Members see it in the console. */
export function tellAsked(
  deps: Pick<PipelineDeps, "db" | "mail" | "publicUrl">,
  { org_id: org, act_id }: { readonly org_id: OrgId; readonly act_id: ActId },
): Promise<void> {
  return deps.db.tx(org, async (tx) => {
    const act = await findAct(tx, org, act_id);
    if (!isOpen(act)) return;
    const { name: org_name } = await findOrgSettings(tx, org);
    const document = readDocument(act);
    if (act.waits_until !== null)
      return tellObjectors(deps, tx, org, act, { org_name, summary: summaryOf(document), reason: document.reason });
    const asked = new Set(openNeeds(act).flatMap(({ party_id }) => (party_id === null ? [] : [party_id])));
    for (const party_id of asked) {
      const party = await findParty(tx, org, party_id);
      const about = { org_name, party_name: party.name, summary: summaryOf(document), reason: document.reason, expires_at: act.expires_at };
      if (party.org_ref !== null) {
        const { kind, subject, text } = askedMail({ ...about, to: "organization", url: `${deps.publicUrl}/console/acts/${act_id}` });
        await enqueue(tx, "orgs.notify-admins", { org_id: party.org_ref, kind, subject, text });
      }
      const words = askedMail({ ...about, to: "person", url: `${deps.publicUrl}/p/#/acts/${act_id}` });
      for (const { email } of (await listPeople(tx, org, party_id)).filter(isApprover)) {
        await queueMail(deps.mail, tx, org, { ...words, to: email, org_name, expires_at: act.expires_at, about: act_id });
      }
    }
  });
}
