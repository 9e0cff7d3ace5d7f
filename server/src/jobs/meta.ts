import type { Belonging } from "../shared/trace.ts";

/** What the relay adds to the payload of a job, and handlers do not see. */

const NAME = "_meta";

export function metaOf(payload: unknown): Belonging {
  const { traceparent, request_id } = ((payload ?? {}) as { [NAME]?: Partial<Belonging> })[NAME] ?? {};
  return { traceparent: traceparent ?? null, request_id: request_id ?? null };
}

export function withoutMeta(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null) return payload;
  const { [NAME]: _, ...rest } = payload as Record<string, unknown>;
  return rest;
}
