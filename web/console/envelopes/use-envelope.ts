import type { Customer, Envelope, EnvelopeAuditEntry, EnvelopeDocument, Recipient, Signer } from "@countersign/client/types";
import { useRef } from "preact/hooks";
import { call, getIfChanged, list } from "../api.ts";
import { mail } from "../boot.ts";
import { type Loadable, useInterval, useLoad } from "../use-load.ts";
import { isDraft, isFinal } from "./api.ts";
import { awaitsReply, type Progress, progressOf } from "./progress.ts";

/** An envelope with everything that its screen shows. */
export interface EnvelopeData {
  readonly envelope: Envelope;
  /** by step */
  readonly recipients: readonly Recipient[];
  /** those who sign, with what only signers have */
  readonly signers: readonly Signer[];
  readonly customer: Customer | null;
  readonly documents: readonly EnvelopeDocument[];
  readonly progress: Progress;
}

const noTags = { status: null, signers: null, recipients: null };

const EVERY_S = 5;
const TRAIL_LIMIT = 100;

/** Loads an envelope and keeps it up to date by polling with ETags. */
export function useEnvelope(envelope_id: string): Loadable<EnvelopeData> {
  const tags = useRef<Record<"status" | "signers" | "recipients", string | null>>(noTags);
  const params = { envelope_id };
  const changes = () =>
    Promise.all([
      getIfChanged("get_envelope_status", { params }, tags.current.status),
      getIfChanged("list_signers", { params }, tags.current.signers),
      getIfChanged("list_recipients", { params }, tags.current.recipients),
    ]);
  const loaded = useLoad(envelope_id, async () => {
    // Later changes are found by the next poll.
    tags.current = noTags;
    const [status, signers, recipients] = await changes();
    tags.current = { status: status?.tag ?? null, signers: signers?.tag ?? null, recipients: recipients?.tag ?? null };
    const envelope = await call("get_envelope", { params });
    const { customer_id } = envelope;
    const [{ documents }, customer, trail] = await Promise.all([
      call("list_envelope_documents", { params }),
      customer_id === null ? null : call("get_customer", { params: { customer_id } }),
      isDraft(envelope.status) ? [] : relevantEntries(envelope_id),
    ]);
    return {
      envelope,
      recipients: recipients?.data.recipients ?? [],
      signers: signers?.data.signers ?? [],
      customer,
      documents,
      progress: progressOf(trail),
    };
  });
  const poll = async () => {
    // On an error the current data stays, and the next poll tries again.
    const seen = await changes().catch(() => [null]);
    const isMailPending = mail === "server" && loaded.data !== null && awaitsReply(loaded.data);
    if (isMailPending || seen.some((one) => one !== null)) await loaded.reload();
  };
  useInterval(EVERY_S, () => void poll(), loaded.data !== null && !isFinal(loaded.data.envelope.status));
  return loaded;
}

/** The first and the last page of the trail, newest first. They show who was reminded and how the envelope was sent; the pages between show neither. */
async function relevantEntries(envelope_id: string): Promise<readonly EnvelopeAuditEntry[]> {
  const page = (n: number) => list("list_envelope_audit_trail", { params: { envelope_id }, query: { page: n, limit: TRAIL_LIMIT } });
  const { data, meta } = await page(1);
  const last = Math.ceil(meta.total / TRAIL_LIMIT);
  return last <= 1 ? data : [...data, ...(await page(last)).data];
}
