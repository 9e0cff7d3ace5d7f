import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import { type ActId, newId } from "../../shared/ids.ts";
import type { Control } from "../acts/control.ts";
import { setCopyState } from "../copy-store.ts";
import { refusePending } from "../custody/expire-transfers.ts";
import type { Recipient } from "../exports/export.ts";
import { refuseHeld } from "../keeping/store.ts";
import { ensurePerson } from "../people/ensure-person.ts";
import { insertEnding } from "./ending-store.ts";

export interface PaperOrder {
  readonly act_id: ActId;
  readonly recipient: Recipient;
  readonly reason: string;
}

export async function refusePaper(tx: Tx, { org, copy }: Control): Promise<void> {
  await refusePending(tx, org, copy);
  await refuseHeld(tx, org, copy);
}

/** The electronic record ends here, before anything is printed. A job makes the PDF, which names this moment on each page. */
export async function beginPaper(tx: Tx, caller: Caller, control: Control, { act_id, recipient, reason }: PaperOrder): Promise<void> {
  const { org, copy } = control;
  const { copy_id, envelope_id, sha256: hash, now: begun_at } = copy;
  await refusePaper(tx, control);
  const ending_id = newId("recordEnding", begun_at.getTime());
  const person_id = await ensurePerson(tx, recipient.email);
  await insertEnding(tx, org, { ending_id, kind: "paper", envelope_id, copy_id, act_id, reason, begun_at, recipient, person_id });
  await setCopyState(tx, org, copy, "papering");
  const data = { ending_id, copy_id, hash, act_id, recipient: { ...recipient }, reason, ended_at: begun_at.toISOString() };
  const type = "vault.paper_begun";
  const { hash: cause } = await appendAudit(tx, org, { type, by: caller, envelope_id, data });
  await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash: cause } });
  await enqueue(tx, "vault.make-paper", { org_id: org, ending_id });
}
