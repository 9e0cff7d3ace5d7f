import type { EnvelopeId, UserId } from "../shared/ids.ts";
import type { Status } from "./envelope.ts";

/** What the list of envelopes can be narrowed by and sorted by. */

export const sorts = ["-created_at", "-updated_at", "expires_at", "envelope_name"] as const;
export type Sort = (typeof sorts)[number];

/** Several statuses that are one thing to a sender: not sent yet, or sent and not ended. */
export const stages = ["draft", "open"] as const;
export type Stage = (typeof stages)[number];

export interface EnvelopeFilter {
  readonly customer_id?: string | undefined;
  readonly status?: Status | undefined;
  /** exact match; several envelopes can have the same */
  readonly external_id?: string | undefined;
  /** inclusive */
  readonly created_from?: Date | undefined;
  /** exclusive */
  readonly created_to?: Date | undefined;
  /** beginnings of words of the envelope, its signers, its tags or its customer, ignoring case */
  readonly q?: string | undefined;
  /** whether `q` searches customers; otherwise callers who cannot read customers could learn about them by guessing */
  readonly searchesCustomers?: boolean | undefined;
  /** the key of a tag */
  readonly tag?: string | undefined;
  readonly owner?: UserId | undefined;
  /** sent to this address; signers of drafts are not searched */
  readonly recipient_email?: string | undefined;
  readonly template_id?: string | undefined;
  readonly batch_id?: string | undefined;
  readonly form_id?: string | undefined;
  /** open, and this member was asked to sign and has not finished */
  readonly waiting_for?: UserId | undefined;
  readonly discarded?: "exclude" | "only" | undefined;
  readonly stage?: Stage | undefined;
  /** only these, of those that fit */
  readonly envelope_ids?: readonly EnvelopeId[] | undefined;
  readonly sort?: Sort | undefined;
}

/** Lists with any of these stop counting here, and have no rows after it. */
export const MAX_COUNTED = 10_000;

const NARROWED = ["q", "tag", "owner", "recipient_email", "template_id", "batch_id", "form_id", "waiting_for", "stage"] as const;

/**
 * Discarded envelopes are voided, so a list of another status has none. Without other filters, the list of those that were not discarded
 * has buckets, and with others it is counted up to the maximum.
 */
export function isCapped(filter: EnvelopeFilter): boolean {
  const { sort = "-created_at", discarded, status, customer_id } = filter;
  if (sort !== "-created_at" || NARROWED.some((name) => filter[name] !== undefined)) return true;
  if (discarded === undefined || (discarded === "exclude" && status !== undefined && status !== "voided")) return false;
  return discarded === "only" || status !== undefined || customer_id !== undefined;
}
