import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { type AuthoritativeCopy, requireState, type VaultDeps } from "../copy.ts";
import { findCopy, lockCopy } from "../copy-store.ts";
import { extendRetention } from "./store.ts";

// Longer than any real retention. Without a limit, a typing error could never be undone.
const MAX_YEARS = 100;
const YEAR_MS = 365.25 * DAY_MS;

/** Extends the retention. If the date is unchanged, nothing is recorded. */
export function extendRetentionOf(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  until: Date,
): Promise<AuthoritativeCopy> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const copy = await lockCopy(tx, org, envelope_id);
    requireState(copy, "active", "escrowed", "tampered");
    if (until.getTime() > copy.now.getTime() + MAX_YEARS * YEAR_MS) {
      throw invalidField("retention_until", "out_of_range", `must be within ${MAX_YEARS} years`);
    }
    const before = copy.retention_until;
    if (until < before) throw new Problem("retention_shorter");
    if (until > before) {
      await extendRetention(tx, org, copy, until);
      const data = { copy_id: copy.copy_id, retention_until: until.toISOString(), previous: before.toISOString() };
      await appendAudit(tx, org, { type: "vault.retention_extended", by: caller, envelope_id, data });
    }
    return findCopy(tx, org, envelope_id);
  });
}
