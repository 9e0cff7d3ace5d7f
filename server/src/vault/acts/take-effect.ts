import { type Appended, appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import { requireState, vaultJobCaller } from "../copy.ts";
import { concerns } from "../registry/registry.ts";
import { startRegistration } from "../registry/start-registration.ts";
import { lookUpRegistry } from "../registry/store.ts";
import { type ActKind, type ActWithDecisions, isOpen } from "./act.ts";
import type { Control } from "./control.ts";
import { endAct } from "./end-act.ts";
import { DEFAULT_STATES, type Kind } from "./kind.ts";
import { kinds, type RecordKind } from "./kinds.ts";
import { raiseControlVersion } from "./register-store.ts";
import { listOpenActs, setActState } from "./store.ts";

/**
 * The register, the entry and the version change in one transaction, under the locks of envelope, copy and act. Every other open act was
 * proposed on what has just changed, and ends.
 */
export async function takeEffect(tx: Tx, caller: Caller, control: Control, act: ActWithDecisions): Promise<void> {
  const { org, copy } = control;
  const { act_id } = act;
  const kind: Kind = kinds[act.kind as RecordKind];
  // What was packed to leave the vault contains its register, which must not change afterwards.
  requireState(copy, ...(kind.states ?? DEFAULT_STATES));
  if ("prepare" in kind) {
    await setActState(tx, org, act, "confirmed", copy.now);
    await enqueue(tx, "vault.finish-act", { org_id: org, act_id });
    return;
  }
  await kind.takeEffect(tx, caller, control, act);
  await settleAct(tx, caller, control, act);
}

/** When the registers have changed, in the same transaction. */
export async function settleAct(tx: Tx, caller: Caller, control: Control, act: ActWithDecisions): Promise<void> {
  const { org, copy } = control;
  const { hash } = await settleRecord(tx, caller, control, act);
  await setActState(tx, org, act, "effective", copy.now);
  const { envelope_id } = copy;
  if (concerns(await lookUpRegistry(tx, org), "notify", act.kind)) await startRegistration(tx, control, act, "notify");
  if (changesChecks(act) || changesAnnexes(control, act))
    await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type: "act.effective", hash } });
}

/** The same for one record, which may be one of many that the act is about. `place`: which of them. Returns the entry. */
export async function settleRecord(
  tx: Tx,
  caller: Caller,
  control: Control,
  act: ActWithDecisions,
  place: { readonly control_batch_id: string; readonly index: number } | null = null,
): Promise<Appended> {
  const { org, copy } = control;
  const { act_id, kind, sha256 } = act;
  await raiseControlVersion(tx, org, copy);
  const data = { act_id, kind, sha256, version: copy.control_version + 1, ...place };
  const entry = await appendAudit(tx, org, { type: "act.effective", by: caller, envelope_id: copy.envelope_id, data });
  await supersedeOpenActs(tx, control, act_id);
  return entry;
}

const judged: readonly ActKind[] = ["designate", "correct_party", "assign", "release", "recover"];

/** Checks 1, 3 and 8 say what was recovered and what parties confirmed. A custodian whom the organization alone chose changes nothing there. */
export const changesChecks = ({ kind, approvals }: ActWithDecisions): boolean =>
  judged.includes(kind) || approvals.some(({ party_id }) => party_id !== null);

/** What the custodian states stands in an annex, which only some types of record have. */
const changesAnnexes = ({ envelope }: Control, { kind }: ActWithDecisions): boolean =>
  kind === "acknowledge_control" && envelope.record_type !== "other";

/** For every change of control, with or without an act. The caller holds the locks and raises the version. */
export async function supersedeOpenActs(tx: Tx, control: Control, except: string | null = null): Promise<void> {
  const others = (await listOpenActs(tx, control.org, control.envelope.envelope_id)).filter(({ act_id }) => act_id !== except);
  for (const other of others) await endAct(tx, vaultJobCaller(control.org), control, other, isOpen(other) ? "superseded" : "expired");
}
