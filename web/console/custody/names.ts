import type { CustodyTransfer } from "@countersign/client/types";
import { call } from "../api.ts";
import { useLoad } from "../use-load.ts";

const known = new Map<string, Promise<string>>();

/** The names of the envelopes on a page of transfers, which name them by id alone; each is asked for once. */
export function useEnvelopeNames(transfers: readonly CustodyTransfer[]): (envelope_id: string) => string {
  const ids = [...new Set(transfers.map(({ envelope_id }) => envelope_id))];
  const { data } = useLoad(ids.join(), async () => new Map(await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const))));
  return (envelope_id) => data?.get(envelope_id) ?? envelope_id;
}

function nameOf(envelope_id: string): Promise<string> {
  const asked = known.get(envelope_id) ?? call("get_envelope", { params: { envelope_id } }).then((one) => one.envelope_name);
  known.set(envelope_id, asked);
  // Without its name it is shown by its id; the next visit asks again.
  return asked.catch(() => {
    known.delete(envelope_id);
    return envelope_id;
  });
}
