import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { CustomerId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { CustomerDeps } from "./customer.ts";
import { deleteRows, findKeeping, type Keeping } from "./deletion-store.ts";
import { lockToMerge } from "./merge-store.ts";
import { findCustomer } from "./store.ts";

/**
 * Deletes a customer, with every value that the organization has entered about them. Refused while a document needs them: a draft, an
 * envelope that is out for signature, a signed document, or a record in the vault whose retention runs. Other envelopes stay without a
 * customer. Audit entries stay too; they have ids and names of fields.
 */
export function deleteCustomer(deps: CustomerDeps, caller: Caller, named: CustomerId): Promise<CustomerId> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { customer_id } = await findCustomer(tx, org, named);
    if (!(await lockToMerge(tx, org, [customer_id]))) throw new Problem("customers_changed");
    const reasons = reasonsOf(await findKeeping(tx, org, customer_id));
    if (reasons.length > 0) throw new Problem("customer_kept", "", { words: { reasons: reasons.join("; ") } });
    const envelopes = await deps.moveEnvelopes(tx, org, customer_id, null);
    const deleted = await deleteRows(tx, org, customer_id);
    const merged = deleted.filter((id) => id !== customer_id);
    await appendAudit(tx, org, { type: "customer.deleted", by: caller, data: { customer_id, merged_customer_ids: merged, envelopes } });
    return customer_id;
  });
}

const some = (count: number, one: string, several: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString("en")} ${several}`;

function reasonsOf({ drafts, open, signed, vaulted, held, retained_until, arriving }: Keeping): string[] {
  const until = retained_until === null ? "" : `, retention until ${retained_until.toISOString().slice(0, 10)}`;
  const holds = held === 0 ? "" : `, ${held.toLocaleString("en")} under a legal hold`;
  return [
    ...(drafts > 0 ? [`${some(drafts, "draft", "drafts")} (discard first)`] : []),
    ...(open > 0 ? [`${some(open, "envelope", "envelopes")} out for signature (void first)`] : []),
    ...(signed > 0 ? [`${some(signed, "signed document", "signed documents")} outside the vault`] : []),
    ...(vaulted > 0 ? [`${some(vaulted, "record", "records")} in the vault${holds}${until}`] : []),
    ...(arriving > 0 ? [`${some(arriving, "record", "records")} on the way from another vault`] : []),
  ];
}
