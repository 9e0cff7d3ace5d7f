import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import { linkAssignment } from "../assignments/store.ts";
import { ensureParty } from "../parties/ensure-party.ts";
import { lookUpPrincipal } from "../principal-store.ts";
import type { Control } from "./control.ts";
import { proposeOn } from "./propose-act.ts";
import { setController } from "./register-store.ts";

/** Asks a secured party that was named with an e-mail address to confirm that the record is assigned to it. A name alone is left as it is. */
export async function proposeDesignation(tx: Tx, caller: Caller, control: Control): Promise<void> {
  const { org, assignee, copy, envelope } = control;
  if (assignee === null || assignee.party.email === undefined || copy.state !== "active") return;
  const party = await ensureParty(tx, caller, { ...assignee.party, email: assignee.party.email });
  await linkAssignment(tx, org, assignee, party.party_id);
  await setController(tx, org, envelope.envelope_id, party.party_id);
  const linked = { ...control, assignee: { ...assignee, party_id: party.party_id }, party };
  const principal = await lookUpPrincipal(tx, org, caller.actor);
  const proposal = { kind: "designate", reason: "", present_version: copy.control_version, party_id: party.party_id } as const;
  await proposeOn(tx, caller, linked, proposal, { principal });
}
