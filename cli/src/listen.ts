import { createHmac } from "node:crypto";
import { CountersignError, RateLimitError, webhookTestHeaders } from "@countersign/client";
import type { WebhookEvent } from "@countersign/client/types";
import type { Follower } from "./event-follower.ts";

export interface ListenOptions {
  readonly follower: Follower;
  /** where events are sent */
  readonly target: string;
  readonly apiKey: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
  /** shorter in tests */
  readonly waits?: Waits;
}

export interface Waits {
  /** between two questions for events; 30 a minute, of the 100 that a key has by default */
  readonly poll_ms: number;
  /** before an event is sent again; doubled each time, up to the longest */
  readonly again_ms: number;
  readonly longestAgain_ms: number;
}

const WAITS: Waits = { poll_ms: 2_000, again_ms: 500, longestAgain_ms: 10_000 };
const TIMEOUT_MS = 15_000;
/** how often an event is sent to a receiver that answers with an error of its own */
const MAX_REFUSALS = 3;
// What a proxy in front answers while the receiver restarts.
const RECEIVER_IS_AWAY = [502, 503, 504];

/** Signs like an endpoint's secret. It follows from the key, so that a receiver keeps it when the command starts again. */
export const listenSecret = (apiKey: string): string =>
  `whsec_${createHmac("sha256", apiKey).update("countersign-dev listen").digest("base64")}`;

/**
 * Sends each event to the target, one after the other, until the signal. While the receiver cannot be reached, it waits and sends the same
 * event again; while the service cannot be reached, it asks again. An event that the receiver answers with an error three times is told
 * and left.
 */
export async function listen(options: ListenOptions): Promise<{ readonly sent: number; readonly refused: number }> {
  const { follower, target, apiKey, print, signal, waits = WAITS } = options;
  const secret = listenSecret(apiKey);
  print(`Forwarding events to ${target}. Ctrl+C ends it.`);
  print(`Secret of the signatures: ${secret}`);
  const done = { sent: 0, refused: 0 };
  let isAway = false;
  while (!signal.aborted) {
    let events: readonly WebhookEvent[] = [];
    try {
      events = await follower.next();
      if (isAway) print("The service answers again.");
      isAway = false;
    } catch (error) {
      if (signal.aborted) break;
      if (!canPass(error)) throw error;
      if (!isAway) print(`${(error as Error).message}. Asking again…`);
      isAway = true;
      if (error instanceof RateLimitError) await pause(error.retryAfterMs, signal);
    }
    for (const event of events) {
      const isTaken = await send(event, { ...options, secret, waits });
      if (isTaken === null) break;
      if (isTaken) done.sent++;
      else done.refused++;
    }
    await pause(waits.poll_ms, signal);
  }
  print(`${done.sent} sent, ${done.refused} refused.`);
  return done;
}

/** Not a wrong key or a missing scope: 0 is no response. */
const canPass = (error: unknown): boolean =>
  error instanceof CountersignError && (error.status === 0 || error.status === 429 || error.status >= 500);

interface SendOptions extends ListenOptions {
  readonly secret: string;
  readonly waits: Waits;
}

/** True: the receiver has it. False: it refused it. Null: the signal came first. */
async function send(event: WebhookEvent, { target, print, signal, secret, waits }: SendOptions): Promise<boolean | null> {
  const body = JSON.stringify(event);
  const name = `${event.event_type} ${event.event_id}`;
  let [refusals, isAway] = [0, false];
  for (let wait_ms = waits.again_ms; !signal.aborted; wait_ms = Math.min(wait_ms * 2, waits.longestAgain_ms)) {
    const answer = await post(target, body, await webhookTestHeaders(body, secret, { id: event.event_id }));
    if (typeof answer === "number" && answer >= 200 && answer < 300) {
      print(`${name} → ${answer}`);
      return true;
    }
    if (signal.aborted) return null;
    if (typeof answer === "number" && !RECEIVER_IS_AWAY.includes(answer)) {
      refusals++;
      print(`${name} → ${answer}${refusals === MAX_REFUSALS ? ", left" : ""}`);
      if (refusals === MAX_REFUSALS) return false;
    } else if (!isAway) {
      print(`${name} → ${answer}. Sending it again until the receiver answers…`);
      isAway = true;
    }
    await pause(wait_ms, signal);
  }
  return null;
}

/** The status, or why there was none. The end of the command does not cut it off, so that what was sent is counted. */
async function post(target: string, body: string, headers: Record<string, string>): Promise<number | string> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(target, { method: "POST", body, headers, redirect: "manual", signal: limit.signal });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if (!(error instanceof TypeError || (error instanceof Error && error.name === "AbortError"))) throw error;
    return limit.signal.aborted ? `no response within ${TIMEOUT_MS / 1000} s` : "no response";
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
