import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { ActId, OrgId } from "../../shared/ids.ts";
import { endAct, lockActWithControl } from "../acts/end-act.ts";
import { DEFAULT_STATES } from "../acts/kind.ts";
import { kinds, type RecordKind } from "../acts/kinds.ts";
import { takeEffect } from "../acts/take-effect.ts";
import { vaultJobCaller } from "../copy.ts";
import type { Answer } from "./answer.ts";
import { hostOf, type Registry } from "./registry.ts";
import { closeRegistration, lookUpRegistration, setReference } from "./store.ts";

/**
 * Takes the answer of a registry that an act waited for: the act takes effect or is refused, with the answer in the chain, in one
 * transaction. An answer that comes after the act ended changes nothing.
 */
export async function settleRegistration(
  tx: Tx,
  org: OrgId,
  act_id: ActId,
  registry: Registry,
  answer: Exclude<Answer, { kind: "failed" }>,
): Promise<void> {
  const { act, control } = await lockActWithControl(tx, org, act_id);
  const one = await lookUpRegistration(tx, org, act_id);
  if (one === null || one.outcome !== null) return;
  const { reference, sha256: answer_sha256 } = answer;
  const said = { reference, answer_sha256 };
  if (control === null || act.state !== "registering") return closeRegistration(tx, org, act_id, { outcome: "ignored", ...said });
  const by = vaultJobCaller(org);
  const { kind, sha256 } = act;
  const { copy } = control;
  const { envelope_id } = copy;
  const data = { act_id, kind, sha256, registry: hostOf(registry), ...said };
  if (answer.kind === "refused") {
    await closeRegistration(tx, org, act_id, { outcome: "refused", ...said });
    await appendAudit(tx, org, { type: "act.refused", by, envelope_id, data: { ...data, role: "registry", reason: answer.reason } });
    return endAct(tx, by, control, act, "refused", answer.reason);
  }
  // Every change of control ends open acts; this is the second check behind it.
  if (copy.control_version !== act.expected_version || !(kinds[kind as RecordKind].states ?? DEFAULT_STATES).includes(copy.state)) {
    await closeRegistration(tx, org, act_id, { outcome: "ignored", ...said });
    return endAct(tx, by, control, act, "superseded");
  }
  await closeRegistration(tx, org, act_id, { outcome: "accepted", ...said });
  await setReference(tx, org, copy.copy_id, answer.reference);
  await appendAudit(tx, org, { type: "act.registered", by, envelope_id, data });
  await takeEffect(tx, by, control, act);
}

/** The registry accepted an act that cannot take effect here any more. Its answer is kept with the registration. */
export async function abandonRegistration(
  tx: Tx,
  org: OrgId,
  act_id: ActId,
  { reference, sha256: answer_sha256 }: Exclude<Answer, { kind: "failed" }>,
  reason: string,
): Promise<void> {
  const { act, control } = await lockActWithControl(tx, org, act_id);
  if (act.state !== "registering") return;
  await closeRegistration(tx, org, act_id, { outcome: "ignored", reference, answer_sha256 });
  await endAct(tx, vaultJobCaller(org), control, act, "cancelled", reason);
}
