import { type RemoteTrust, readRemoteTrust } from "@countersign/evidence";
import { sendRequest } from "../../outbound/send-request.ts";
import type { LinkParts, RemoteVault } from "./link.ts";

export interface FetchedTrust extends RemoteTrust {
  readonly text: string;
}

/** The trust document of another installation, verified against the pinned root; or why there is none. Call it outside transactions. */
export async function fetchTrust(
  { outbound }: Pick<LinkParts, "outbound">,
  { url, root_sha256 }: Pick<RemoteVault, "url" | "root_sha256">,
  signal: AbortSignal = new AbortController().signal,
): Promise<FetchedTrust | { readonly fault: string }> {
  const address = `${url}/.well-known/countersign-trust.json`;
  const result = await sendRequest(outbound, { method: "GET", url: address, headers: { accept: "application/json" }, body: null }, signal);
  if (result.kind === "failed") return { fault: `the trust document could not be fetched (${result.error})` };
  if (result.code !== 200 || !result.complete) return { fault: `the trust document could not be fetched (status ${result.code})` };
  const text = result.body.toString("utf8");
  const trust = readRemoteTrust(text, root_sha256);
  return trust === null ? { fault: "the trust document is not signed by this root" } : { ...trust, text };
}
