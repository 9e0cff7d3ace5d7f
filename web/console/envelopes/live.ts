import type { Customer, Envelope, EnvelopeAuditEntry, Signer } from "@countersign/client/types";
import { useRef } from "preact/hooks";
import { call, getIfChanged, list } from "../api.ts";
import { type Asked, useAsked, useEvery } from "../asked.ts";
import { isDraft, isOver } from "./api.ts";
import { type Story, storyOf } from "./story.ts";

/** One envelope with all that its screen says of it. */
export interface Whole {
  readonly envelope: Envelope;
  readonly signers: readonly Signer[];
  readonly customer: Customer | null;
  readonly story: Story;
}

const EVERY_S = 5;
const TRAIL_LIMIT = 100;

/** Shown as it is now: the service is asked again and again whether something changed, and answers nothing while it did not. */
export function useEnvelope(envelope_id: string): Asked<Whole> {
  const tags = useRef<{ status: string | null; signers: string | null }>({ status: null, signers: null });
  const params = { envelope_id };
  const changes = () =>
    Promise.all([
      getIfChanged("get_envelope_status", { params }, tags.current.status),
      getIfChanged("list_signers", { params }, tags.current.signers),
    ]);
  const asked = useAsked(envelope_id, async () => {
    // What changes after this is seen with the next look.
    tags.current = { status: null, signers: null };
    const [status, named] = await changes();
    tags.current = { status: status?.tag ?? null, signers: named?.tag ?? null };
    const envelope = await call("get_envelope", { params });
    const { customer_id } = envelope;
    const [customer, trail] = await Promise.all([
      customer_id === null ? null : call("get_customer", { params: { customer_id } }),
      isDraft(envelope.status) ? [] : tellingEntries(envelope_id),
    ]);
    return { envelope, signers: named?.data.signers ?? [], customer, story: storyOf(trail) };
  });
  const look = async () => {
    // Nobody answered: what is shown stays, and the next look is in a few seconds.
    const seen = await changes().catch(() => [null, null]);
    if (seen.some((one) => one !== null)) await asked.reload();
  };
  useEvery(EVERY_S, () => void look(), asked.data !== null && !isOver(asked.data.envelope.status));
  return asked;
}

/** Newest first. The first ones tell how it was sent, the last ones who was reminded; a long ceremony in between tells neither. */
async function tellingEntries(envelope_id: string): Promise<readonly EnvelopeAuditEntry[]> {
  const page = (n: number) => list("list_envelope_audit_trail", { params: { envelope_id }, query: { page: n, limit: TRAIL_LIMIT } });
  const { data, meta } = await page(1);
  const last = Math.ceil(meta.total / TRAIL_LIMIT);
  return last <= 1 ? data : [...data, ...(await page(last)).data];
}
