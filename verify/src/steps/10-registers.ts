import { type Milestone, registersJson, registersOf, replayAssignments, replayCustody } from "@countersign/evidence";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";

/** Replays the registers from the entries: exactly one custodian until the copy was exported, and consent to every change of assignee. */
export function checkRegisters(files: Files, milestones: readonly Milestone[]): StepResult<null> {
  const registers = registersOf(milestones);
  if (registers === null) {
    const fault = replayCustody(milestones).fault ?? replayAssignments(milestones).fault;
    throw new BundleRejected("chain.jsonl", `the registers cannot be replayed: ${fault?.reason}`, fault?.seq ?? null);
  }
  const found = Buffer.from(fileOf(files, "registers.json")).toString("utf8");
  if (registersJson(registers) !== found) throw new BundleRejected("registers.json", "does not match the audit entries");
  const active = registers.custody.find(({ state }) => state === "active");
  const hasLeft = milestones.some(({ type }) => type === "vault.exported");
  if (active === undefined && !hasLeft) throw new BundleRejected("registers.json", "there is no custodian");
  const custodian = active === undefined ? "released with the copy" : `custodian ${active.user_id}`;
  return { value: null, says: `${custodian}; ${registers.assignments.length} assignments, each change with consent` };
}
