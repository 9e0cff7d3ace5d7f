import { sendRequest } from "../../outbound/send-request.ts";
import type { LinkParts, RemoteVault, SignedMessage } from "./link.ts";
import { type TransferState, transferStates } from "./transfer.ts";

/** What the other vault answered: its state of the transfer, and the message that it thinks we have missed. */
export type SentAnswer =
  | { readonly kind: "taken"; readonly state: TransferState; readonly reply: SignedMessage | null }
  /** the other vault does not know the transfer */
  | { readonly kind: "unknown" }
  | { readonly kind: "failed"; readonly error: string };

export async function sendMessage({ outbound }: LinkParts, { url }: RemoteVault, { bytes, signature }: SignedMessage): Promise<SentAnswer> {
  const body = Buffer.from(JSON.stringify({ bytes: bytes.toString("base64"), signature: signature.toString("base64") }));
  const headers = { "content-type": "application/json", accept: "application/json" };
  const request = { method: "POST", url: `${url}/vault-link/v1/messages`, headers, body } as const;
  const result = await sendRequest(outbound, request, new AbortController().signal);
  if (result.kind === "failed") return result;
  const code = result.headers["x-error-code"];
  if (result.code === 404 && code === "vault_transfer_not_found") return { kind: "unknown" };
  if (result.code !== 200) return { kind: "failed", error: typeof code === "string" ? code.slice(0, 60) : `status ${result.code}` };
  const { state, reply = null } = jsonOf(result.body).data ?? {};
  if (!isState(state)) return { kind: "failed", error: "the answer cannot be read" };
  return { kind: "taken", state, reply: reply === null ? null : replyOf(reply) };
}

interface Answer {
  readonly data?: { readonly state?: unknown; readonly reply?: { readonly bytes?: unknown; readonly signature?: unknown } | null };
}

function jsonOf(body: Buffer): Answer {
  try {
    return Object(JSON.parse(body.toString("utf8"))) as Answer;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const isState = (state: unknown): state is TransferState => (transferStates as readonly unknown[]).includes(state);

const replyOf = ({ bytes, signature }: { readonly bytes?: unknown; readonly signature?: unknown }): SignedMessage => ({
  bytes: Buffer.from(String(bytes), "base64"),
  signature: Buffer.from(String(signature), "base64"),
});
