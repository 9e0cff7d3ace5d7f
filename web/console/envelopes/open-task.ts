import { call } from "../api.ts";

/**
 * Opens the page on which the user signs, approves or confirms as this recipient. The link is recorded as handed over, because the
 * service cannot see that the user and the recipient are the same person.
 */
export async function openTask(envelope_id: string, slug: string): Promise<void> {
  const { url } = await call("create_signer_link", { params: { envelope_id, slug } });
  location.assign(url);
}
