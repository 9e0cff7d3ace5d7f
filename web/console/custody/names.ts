import type { CustodyTransfer } from "@countersign/client/types";
import { call } from "../api.ts";
import { isCustodian } from "../session.ts";
import { useLoad } from "../use-load.ts";

const known = new Map<string, Promise<string>>();

/** The names of the envelopes on a page of transfers, which contain only their ids. Each name is fetched once. */
export function useEnvelopeNames(transfers: readonly CustodyTransfer[]): (envelope_id: string) => string {
  const ids = [...new Set(transfers.map(({ envelope_id }) => envelope_id))];
  const { data } = useLoad(ids.join(), async () => new Map(await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const))));
  return (envelope_id) => data?.get(envelope_id) ?? envelope_id;
}

// Custodians cannot read envelopes.
const named = (envelope_id: string): Promise<{ readonly envelope_name: string }> =>
  isCustodian() ? call("get_compliance", { params: { envelope_id } }) : call("get_envelope", { params: { envelope_id } });

function nameOf(envelope_id: string): Promise<string> {
  const asked = known.get(envelope_id) ?? named(envelope_id).then((one) => one.envelope_name);
  known.set(envelope_id, asked);
  // If the name cannot be fetched, the id is shown and the next visit tries again.
  return asked.catch(() => {
    known.delete(envelope_id);
    return envelope_id;
  });
}
