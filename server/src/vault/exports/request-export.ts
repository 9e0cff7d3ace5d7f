import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import type { ActWithDecisions } from "../acts/act.ts";
import { lockControl } from "../acts/control.ts";
import { proposeOn } from "../acts/propose-act.ts";
import type { VaultDeps } from "../copy.ts";
import { lookUpPrincipal } from "../principal-store.ts";
import { refuseGated } from "../registry/refuse-gated.ts";
import type { VaultExport } from "./export.ts";
import { type ExportInput, mustAsk, type PreparedExport, startExport } from "./start-export.ts";

/** Null if a party must confirm the export: then nothing is packed yet. */
async function prepareRequest(deps: VaultDeps, caller: Caller, envelope_id: EnvelopeId): Promise<PreparedExport | null> {
  const asks = await deps.db.tx(caller.org, async (tx) => {
    const isAsked = await mustAsk(tx, await lockControl(tx, caller.org, envelope_id));
    // Without an act there is nothing that could wait for the registry.
    if (!isAsked) await refuseGated(tx, caller.org, "export_out");
    return isAsked;
  });
  return asks ? null : startExport.prepare(deps, caller, envelope_id);
}

type RequestedExport = { readonly started: VaultExport } | { readonly proposed: ActWithDecisions };

/** Starts the export, or proposes it to the secured party and the pledgees. */
async function saveRequest(
  deps: VaultDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  prepared: PreparedExport | null,
  { recipient, reason }: ExportInput,
): Promise<RequestedExport> {
  if (prepared !== null) return { started: await startExport.save(deps, caller, prepared, { recipient, reason }) };
  const { org } = caller;
  const proposed = await deps.db.tx(org, async (tx) => {
    const control = await lockControl(tx, org, envelope_id);
    const proposal = { kind: "export_out", reason, present_version: control.copy.control_version, recipient } as const;
    return proposeOn(tx, caller, control, proposal, { principal: await lookUpPrincipal(tx, org, caller.actor) });
  });
  return { proposed };
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const requestExport = { prepare: prepareRequest, save: saveRequest };
