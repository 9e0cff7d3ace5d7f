import type { LinkParts, RemoteVault, SignedMessage } from "./link.ts";
import { postMessage } from "./post-message.ts";
import { type TransferState, transferStates } from "./transfer.ts";

/** What the other vault answered: its state of the transfer, and the message that it thinks we have missed. */
export type SentAnswer =
  | { readonly kind: "taken"; readonly state: TransferState; readonly reply: SignedMessage | null }
  /** the other vault does not know the transfer */
  | { readonly kind: "unknown" }
  | { readonly kind: "failed"; readonly error: string };

export async function sendMessage(links: LinkParts, vault: RemoteVault, message: SignedMessage): Promise<SentAnswer> {
  const answer = await postMessage(links, vault, message);
  if (answer.kind === "failed") return answer.error === "vault_transfer_not_found" ? { kind: "unknown" } : answer;
  const { state, reply } = answer;
  return isState(state) ? { kind: "taken", state, reply } : { kind: "failed", error: "the answer cannot be read" };
}

const isState = (state: unknown): state is TransferState => (transferStates as readonly unknown[]).includes(state);
