import { Problem } from "../../../shared/problems.ts";
import { offerTransfer } from "../../links/offer-transfer.ts";
import { readDocument } from "../document.ts";
import type { QuickKind } from "../kind.ts";
import { leavingNeeds } from "../needs.ts";

/** Offers the record to another vault, when the controller agrees. Whether it is taken there, a person there decides. */
export const transferOut: QuickKind = {
  takes: ["vault_id"],
  needs: async (tx, control, { vault }) => {
    if (vault === null) throw new Problem("remote_vault_not_found");
    return leavingNeeds(tx, control);
  },
  takeEffect: async (tx, caller, { org, envelope }, act) => {
    const { vault } = readDocument(act);
    if (vault === null) throw new Error(`${act.act_id} names no vault`);
    const { envelope_id } = envelope;
    await offerTransfer(tx, org, { envelope_id, vault_id: vault.vault_id, act_id: act.act_id, caller });
  },
};
