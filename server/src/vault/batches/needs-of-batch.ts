import { canonicalize, type Json } from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import type { OrgId } from "../../shared/ids.ts";
import { Problem, type ProblemCode } from "../../shared/problems.ts";
import type { Need } from "../acts/act.ts";
import { controlOf } from "../acts/control.ts";
import type { Subject } from "../acts/kind.ts";
import { kinds } from "../acts/kinds.ts";
import { findCopy } from "../copy-store.ts";
import type { ActingKind } from "./batch.ts";
import { type Choice, type Refusal, refusalOf, refuseRecords, type VaultedCandidate } from "./choose-records.ts";

/**
 * Everyone whom the act asks for one of the records. Throws if the records have different controllers, or if a record cannot be in such an
 * act. The rules are those of acts on one record. They are asked once for all records that differ in nothing that the rules look at.
 */
export async function needsOfBatch(
  tx: Tx,
  org: OrgId,
  kind: ActingKind,
  subject: Subject,
  choice: Choice,
  records: readonly VaultedCandidate[],
): Promise<Need[]> {
  refuseOtherControllers(choice, records);
  const judged = new Map<string, readonly Need[] | Refusal>();
  for (const record of records) {
    const key = keyOf(record);
    if (!judged.has(key)) judged.set(key, await judge(tx, org, kind, subject, record));
  }
  refuseRecords(choice, records, (record) => {
    const found = judged.get(keyOf(record));
    return found !== undefined && "code" in found ? found : null;
  });
  const all = [...judged.values()].flatMap((found) => ("code" in found ? [] : found));
  // The list of records does not travel, and no one should confirm what they cannot read.
  const elsewhere = all.find(({ vault }) => vault !== undefined);
  if (elsewhere !== undefined) throw new Problem("batch_asks_vault", "", { words: { party: elsewhere.name } });
  return [...new Map(all.map((need) => [`${need.role} ${need.party_id} ${need.user_id} ${need.name}`, need])).values()];
}

const keyOf = ({ control }: VaultedCandidate): string => canonicalize(control as unknown as Json);

function refuseOtherControllers(choice: Choice, records: readonly VaultedCandidate[]): void {
  const controllerOf = ({ present_party }: VaultedCandidate): string => canonicalize(present_party as Json);
  const [first] = records;
  if (first === undefined) throw new Error("a batch has at least one record");
  const says = `The controller is another one than that of ${first.envelope_id}. Send a batch for each controller`;
  refuseRecords(choice, records, (record) => (controllerOf(record) === controllerOf(first) ? null : { code: "other_controller", says }));
}

// What is wrong with the request and not with one of its records.
const ofTheRequest: readonly ProblemCode[] = ["party_not_enrolled", "party_not_found", "member_not_found", "remote_vault_not_found"];

async function judge(
  tx: Tx,
  org: OrgId,
  kind: ActingKind,
  subject: Subject,
  { envelope_id, control }: VaultedCandidate,
): Promise<readonly Need[] | Refusal> {
  // An act on one record finds out when it takes effect. Here that would be after everyone has confirmed.
  if (kind === "transfer_out" && control.held) return refusalOf("copy_on_hold");
  if ((kind === "transfer_out" || kind === "move_custody") && control.pending) return refusalOf("transfer_pending");
  // Without locks: what changes before an item takes effect changes its version, and the item is skipped.
  const [envelope, copy] = [await findEnvelope(tx, org, envelope_id), await findCopy(tx, org, envelope_id)];
  try {
    return await kinds[kind].needs(tx, await controlOf(tx, org, envelope, copy), subject);
  } catch (error) {
    if (!(error instanceof Problem) || ofTheRequest.includes(error.code)) throw error;
    const [detail] = error.details ?? [];
    return detail === undefined ? { code: error.code, says: error.says } : { code: detail.code, says: `${detail.field} ${detail.message}` };
  }
}
