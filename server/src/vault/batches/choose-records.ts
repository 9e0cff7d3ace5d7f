import type { Read } from "../../db/sql.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { type Detail, invalidField, Problem, type ProblemCode } from "../../shared/problems.ts";
import { MAX_ITEMS } from "./batch.ts";
import { type Candidate, listMatching, listNamed, type RecordFilter } from "./record-store.ts";

/** Which records: named one by one, or found. */
export interface Choice {
  readonly envelope_ids?: readonly EnvelopeId[];
  readonly filter?: RecordFilter;
}

export type VaultedCandidate = Candidate & { readonly sha256: string };

/** The records of a batch, in the order in which they were named, or of their ids. All are vaulted, and their copies are active. */
export async function chooseRecords(read: Read, org: OrgId, choice: Choice): Promise<VaultedCandidate[]> {
  const { envelope_ids, filter } = choice;
  if ((envelope_ids === undefined) === (filter === undefined))
    throw invalidField("envelope_ids", "invalid_value", "or filter is needed, and not both");
  const records = envelope_ids === undefined ? await matching(read, org, filter ?? {}) : await named(read, org, envelope_ids);
  refuseRecords(choice, records, ({ control }) =>
    control.state === "active" ? null : refusalOf("copy_wrong_state", { state: control.state }),
  );
  return records;
}

async function named(read: Read, org: OrgId, envelope_ids: readonly EnvelopeId[]): Promise<VaultedCandidate[]> {
  refuseRepeated("envelope_ids", envelope_ids);
  const found = new Map((await listNamed(read, org, envelope_ids)).map((record) => [record.envelope_id, record]));
  const given = envelope_ids.map((envelope_id) => ({ envelope_id, record: found.get(envelope_id) }));
  // An envelope of another organization gets the same words as one that does not exist.
  refuseRecords({ envelope_ids }, given, ({ record }) => {
    if (record === undefined) return refusalOf("envelope_not_found");
    return isVaulted(record) ? null : refusalOf("envelope_not_vaulted");
  });
  return given.flatMap(({ record }) => (record !== undefined && isVaulted(record) ? [record] : []));
}

/** An item is one leaf of the tree, so that each record has one result. */
function refuseRepeated(field: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  const repeated = ids.find((id) => seen.size === seen.add(id).size);
  if (repeated !== undefined) throw invalidField(field, "duplicate", `names ${repeated} twice`);
}

const isVaulted = (record: Candidate): record is VaultedCandidate => record.sha256 !== null;

async function matching(read: Read, org: OrgId, filter: RecordFilter): Promise<VaultedCandidate[]> {
  if (Object.keys(filter).length === 0)
    throw invalidField("filter", "required", "must name customer_id, controller_party_id or external_ids");
  const records = (await listMatching(read, org, filter, MAX_ITEMS + 1)).filter(isVaulted);
  if (records.length > MAX_ITEMS) throw invalidField("filter", "too_big", `matches more than ${MAX_ITEMS} records. Send several batches`);
  const known = new Set(records.map(({ external_id }) => external_id));
  const missing = (filter.external_ids ?? []).filter((external_id) => !known.has(external_id));
  if (missing.length > 0)
    throw refused(missing.map((id) => ({ field: "filter.external_ids", ...refusalOf("envelope_not_found"), name: id })));
  if (records.length === 0) throw invalidField("filter", "not_found", "matches no active record in the vault");
  return records;
}

/** Why one record cannot be in the batch. */
export interface Refusal {
  readonly code: Detail["code"];
  readonly says: string;
}

export const refusalOf = (code: ProblemCode, words: Readonly<Record<string, string>> = {}): Refusal => ({
  code,
  says: new Problem(code, "", { words }).says,
});

/** 422 that names every record for which there is a reason; the response lists up to 100. */
export function refuseRecords<R extends { readonly envelope_id: EnvelopeId }>(
  { envelope_ids }: Pick<Choice, "envelope_ids">,
  records: readonly R[],
  reasonFor: (record: R) => Refusal | null,
): void {
  const placeOf = (envelope_id: EnvelopeId): string =>
    envelope_ids === undefined ? "filter" : `envelope_ids[${envelope_ids.indexOf(envelope_id)}]`;
  const reasons = records.flatMap((record) => {
    const reason = reasonFor(record);
    return reason === null ? [] : [{ field: placeOf(record.envelope_id), ...reason, name: record.envelope_id }];
  });
  if (reasons.length > 0) throw refused(reasons);
}

function refused(reasons: readonly (Refusal & { readonly field: string; readonly name: string })[]): Problem {
  const details = reasons.map(({ field, code, says, name }) => ({ location: "body", field, code, message: `${name}: ${says}` }) as const);
  return new Problem("control_batch_refused", `${reasons.length} records`, { details });
}
