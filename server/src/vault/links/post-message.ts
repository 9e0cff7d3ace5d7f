import { sendRequest } from "../../outbound/send-request.ts";
import type { LinkParts, RemoteVault, SignedMessage } from "./link.ts";

/** What the other vault answered. A refusal has the code of its problem. */
export type PostAnswer =
  | {
      readonly kind: "taken";
      readonly state: unknown;
      /** the message that the other side thinks we have missed */
      readonly reply: SignedMessage | null;
    }
  | { readonly kind: "failed"; readonly error: string };

/** Sends a signed message to another vault. */
export async function postMessage({ outbound }: LinkParts, { url }: RemoteVault, { bytes, signature }: SignedMessage): Promise<PostAnswer> {
  const body = Buffer.from(JSON.stringify({ bytes: bytes.toString("base64"), signature: signature.toString("base64") }));
  const headers = { "content-type": "application/json", accept: "application/json" };
  const request = { method: "POST", url: `${url}/vault-link/v1/messages`, headers, body } as const;
  const result = await sendRequest(outbound, request, new AbortController().signal);
  if (result.kind === "failed") return result;
  const code = result.headers["x-error-code"];
  if (result.code !== 200) return { kind: "failed", error: typeof code === "string" ? code.slice(0, 60) : `status ${result.code}` };
  const { state, reply = null } = jsonOf(result.body).data ?? {};
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

const replyOf = ({ bytes, signature }: { readonly bytes?: unknown; readonly signature?: unknown }): SignedMessage => ({
  bytes: Buffer.from(String(bytes), "base64"),
  signature: Buffer.from(String(signature), "base64"),
});
