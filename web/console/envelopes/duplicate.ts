import { call } from "../api.ts";
import { navigate } from "../navigation.ts";

/** Shows the new draft, to be edited. */
export async function duplicate(envelope_id: string): Promise<void> {
  const { envelope_id: made } = await call("duplicate_envelope", { params: { envelope_id } });
  navigate(`/envelopes/${made}/prepare`);
}
