import { parseRetryAfter } from "../outbound/retry-schedule.ts";
import { sendRequest } from "../outbound/send-request.ts";
import type { Outcome, Post } from "./delivery.ts";
import type { WebhookDeps } from "./endpoint.ts";

/** Sends one attempt to its receiver. An abort returns "interrupted". */
export async function postDelivery(
  deps: Pick<WebhookDeps, "mayLeave" | "fence" | "resolve" | "limits">,
  post: Post,
  signal: AbortSignal,
): Promise<Outcome> {
  const began = performance.now();
  const result = await sendRequest(deps, { method: "POST", ...post }, signal);
  const duration_ms = Math.round(performance.now() - began);
  if (result.kind === "failed") return { ...result, duration_ms };
  return {
    kind: "answered",
    code: result.code,
    // PostgreSQL cannot store NUL in text.
    body: result.body.toString("utf8").replaceAll("\0", "\ufffd"),
    body_truncated: !result.complete,
    retry_after_seconds: parseRetryAfter(result.headers["retry-after"], Date.now()),
    duration_ms,
  };
}
