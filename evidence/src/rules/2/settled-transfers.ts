import type { Milestone } from "../../milestones.ts";

/**
 * The entries as rules 1 read them, which know only one way out of a vault: a release to another vault is an export, and one that the
 * receiver refused, or that was recovered here, is as if it had not happened: the same custodian goes on. What a recovery leaves unknown,
 * check 1 of rules 2 says. Custody also ends when a record is replaced by paper or destroyed.
 */
export function withTransfersSettled(milestones: readonly Milestone[]): Milestone[] {
  const undone = new Set(
    milestones.flatMap(({ type, said }) =>
      (type === "vault.transfer_refused" && said?.after_release === true) || type === "vault.recovered" ? [String(said?.transfer_id)] : [],
    ),
  );
  return milestones.flatMap((entry) => {
    if (entry.type === "vault.papered") return [{ ...entry, type: "vault.exported" }];
    if (entry.type === "vault.destruction_begun" && entry.said?.permission_id != null) return [{ ...entry, type: "vault.exported" }];
    if (entry.type !== "vault.transferred") return [entry];
    return undone.has(String(entry.said?.transfer_id)) ? [] : [{ ...entry, type: "vault.exported" }];
  });
}
