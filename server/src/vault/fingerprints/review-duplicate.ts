import { appendAudit } from "../../audit/append-audit.ts";
import { lockRow } from "../../envelopes/store.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { findCopy } from "../copy-store.ts";
import { findPrincipal, isSamePrincipal, lookUpPrincipal } from "../principal-store.ts";
import { insertReview, listDuplicates, lookUpDepositor } from "./store.ts";

export interface ReviewRequest {
  readonly other_envelope_id: string;
  readonly statement: string;
}

export interface Review extends ReviewRequest {
  readonly envelope_id: EnvelopeId;
  readonly reviewed_by: string;
  readonly at: string;
}

/**
 * Records that a person other than the depositor compared a record with one that is alike, and what they found. It counts for this record;
 * the other one has a depositor of its own. The record is then evaluated again.
 */
export function reviewDuplicate(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  request: ReviewRequest,
): Promise<Review> {
  const { org } = caller;
  const { statement } = request;
  // Its form is checked with the body.
  const other_envelope_id = request.other_envelope_id as EnvelopeId;
  return deps.db.tx(org, async (tx) => {
    await lockRow(tx, org, envelope_id);
    await findCopy(tx, org, envelope_id);
    await findCopy(tx, org, other_envelope_id).catch(atOther);
    const principal = await findPrincipal(tx, caller);
    const deposited_by = await lookUpDepositor(tx, org, envelope_id);
    const depositor = deposited_by === null ? null : await lookUpPrincipal(tx, org, deposited_by);
    if (depositor !== null && isSamePrincipal(principal, depositor)) throw ofTheDepositor();
    const match = (await listDuplicates(tx, org, envelope_id)).find((each) => each.envelope_id === other_envelope_id);
    const isOpen = match?.at === null && match.kinds.some((kind) => kind !== "pdf_id");
    if (match === undefined || !isOpen) throw new Problem("nothing_to_review");
    const type = "duplicate.reviewed";
    const data = { other_envelope_id, kinds: match.kinds, statement, principal: principal.id, depositor: depositor?.id ?? null };
    const { seq: entry_seq, hash, at } = await appendAudit(tx, org, { type, by: caller, envelope_id, data });
    await insertReview(tx, org, envelope_id, { other_envelope_id, statement, reviewed_by: principal.id, at: new Date(at), entry_seq });
    await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
    return { envelope_id, other_envelope_id, statement, reviewed_by: principal.id, at };
  });
}

/** The id that is wrong is in the body, not in the path. */
function atOther(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== "envelope_not_found") throw error;
  const message = "there is no such envelope";
  throw new Problem("envelope_not_found", "", {
    details: [{ location: "body", field: "other_envelope_id", code: "envelope_not_found", message }],
  });
}

function ofTheDepositor(): Problem {
  const message = "the person behind this credential deposited the record; someone else has to compare it";
  return new Problem("same_principal", "", { details: [{ location: "path", field: "envelope_id", code: "conflict", message }] });
}
