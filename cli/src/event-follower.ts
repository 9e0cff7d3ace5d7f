import { Countersign } from "@countersign/client";
import type { WebhookEvent } from "@countersign/client/types";

/**
 * Follows the events of an organization by asking for them. An event has the time at which its transaction began and appears when it
 * commits, so it can appear after newer ones: each time, the last minute before the newest known event is read again, and what is known is
 * left out. The time that was reached moves only with events, so nothing is missed however long the service or the receiver was away.
 */
export interface Follower {
  /** Those that appeared since the last call, oldest first. Fails as the client does. */
  next(): Promise<WebhookEvent[]>;
}

export interface FollowerOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** null: only events after this moment */
  readonly since: Date | null;
  /** such as `vault.*`; empty for all */
  readonly types: readonly string[];
  readonly signal: AbortSignal;
}

const READ_AGAIN_MS = 60_000;
/** the largest page of the list */
const PAGE = 200;
/** no page of the list is deeper; from there on, a time goes further back */
const DEEPEST = 10_000;

/** Fails if the service cannot be reached or refuses the key, so that a wrong setting is seen at once. */
export async function readFollower({ baseUrl, apiKey, since, types, signal }: FollowerOptions): Promise<Follower> {
  // The caller asks again.
  const cs = new Countersign({ baseUrl, apiKey, maxRetries: 0 });
  const known = new Map<string, number>();
  const wants = wanted(types);

  const first = await cs.events.list({ limit: 1 }, { signal }).withResponse();
  // The service's clock, in whole seconds.
  let reached = since?.getTime() ?? Date.parse(first.headers.get("date") ?? "");
  if (Number.isNaN(reached)) throw new Error("the service did not say what time it is");

  const note = (events: readonly WebhookEvent[]): void => {
    for (const { event_id, timestamp } of events) {
      const at = Date.parse(timestamp);
      known.set(event_id, at);
      reached = Math.max(reached, at);
    }
    for (const [event_id, at] of known) if (at < reached - READ_AGAIN_MS) known.delete(event_id);
  };
  const read = async (from: number) => (await eventsSince(cs, new Date(from), signal)).filter(({ event_id }) => !known.has(event_id));
  // What happened before is known. With `since`, it is what was asked for.
  if (since === null) note(await read(reached - READ_AGAIN_MS));

  return {
    async next() {
      const fresh = await read(Math.max(since?.getTime() ?? 0, reached - READ_AGAIN_MS));
      note(fresh);
      return fresh.filter(({ event_type }) => wants(event_type)).toReversed();
    },
  };
}

/** Newest first, however many there are. */
async function eventsSince(cs: Countersign, from: Date, signal: AbortSignal): Promise<WebhookEvent[]> {
  const found = new Map<string, WebhookEvent>();
  for (let to: string | undefined; ; ) {
    const before = found.size;
    let oldest: WebhookEvent | undefined;
    for (let page = 1; page <= DEEPEST / PAGE; page++) {
      const query = { created_from: from.toISOString(), ...(to !== undefined && { created_to: to }), limit: PAGE, page };
      const { data } = await cs.events.list(query, { signal });
      for (const event of data) found.set(event.event_id, event);
      oldest = data.at(-1) ?? oldest;
      if (data.length < PAGE) return sorted(found);
    }
    if (oldest === undefined || found.size === before) throw new Error(`more than ${DEEPEST} events of the same millisecond`);
    // The end of a range is not part of it.
    to = new Date(Date.parse(oldest.timestamp) + 1).toISOString();
  }
}

/** Ids sort by time. */
const sorted = (found: ReadonlyMap<string, WebhookEvent>): WebhookEvent[] =>
  [...found.values()].sort((a, b) => (a.event_id < b.event_id ? 1 : -1));

function wanted(types: readonly string[]): (type: string) => boolean {
  if (types.length === 0) return () => true;
  return (type) => types.some((one) => isOfType(type, one));
}

/** `wanted`: a type, `vault.*` or `*` */
export const isOfType = (type: string, wanted: string): boolean =>
  wanted === "*" || wanted === type || (wanted.endsWith(".*") && type.startsWith(wanted.slice(0, -1)));
