import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { listUndelivered } from "../../mail/store.ts";
import { isId, type OrgId } from "../../shared/ids.ts";
import { isOpen } from "./act.ts";
import { readDocument } from "./document.ts";
import { unreachableMail } from "./messages.ts";
import { findAct, touchAct } from "./store.ts";
import { summaryOf } from "./summary.ts";

/**
 * In the transaction that records the failure: the admins learn that a request did not reach a person, once for each act and address, and
 * a poll for changed acts finds it. A closed act waits for no one.
 */
export async function tellUnreachable(
  deps: { readonly consoleUrl: string },
  tx: Tx,
  org: OrgId,
  { about, to }: { readonly about: string; readonly to: string },
): Promise<void> {
  if (!isId("act", about)) return;
  const same = (await listUndelivered(tx, org, [about])).filter((one) => one.to === to);
  // None: another kind of message. More than one: a repeated request to the same address.
  if (same.length !== 1) return;
  const act = await findAct(tx, org, about);
  if (!isOpen(act)) return;
  await touchAct(tx, org, act, tx.now);
  const party = act.needs.find(({ unreachable }) => unreachable.includes(to))?.name ?? "";
  const summary = summaryOf(readDocument(act));
  const { kind, subject, text } = unreachableMail({ party_name: party, address: to, summary, url: `${deps.consoleUrl}/acts/${about}` });
  await enqueue(tx, "orgs.notify-admins", { org_id: org, kind, subject, text });
}
