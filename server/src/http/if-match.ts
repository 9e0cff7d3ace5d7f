import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Problem } from "../shared/problems.ts";

/** `If-Match` (RFC 9110, 13.1.1): a write succeeds only if the record is still in the state that the caller has read. */

/** The ETag of a body. */
export function tagOf(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

/**
 * Throws 412 if the caller sent an ETag and the record has changed since. `view` is the record as GET returns it, read after its row was
 * locked.
 */
export type Unchanged = (view: unknown) => void;

export const anyState: Unchanged = () => undefined;

/** An operation without `If-Match` support refuses the header, so that callers do not assume that it was checked. */
export function refuseIfMatch(operation: { readonly method: string; readonly ifMatch: boolean }, request: FastifyRequest): void {
  if (operation.method === "GET" || operation.ifMatch || request.headers["if-match"] === undefined) return;
  throw refused("invalid_value", "is not supported by this operation. Send the request without it");
}

/** 422 if the header is not an ETag. `*` is refused too: no write creates a record, so `*` would always match. */
export function unchangedSince(header: string | undefined): Unchanged {
  if (header === undefined) return anyState;
  const known = tagsIn(header);
  return (view) => {
    if (known.includes(tagOf(JSON.stringify({ data: view })))) return;
    const message = known.some((tag) => tag.startsWith("W/"))
      ? "is a weak ETag, which never matches. Send the ETag without W/, as GET returned it"
      : "is not the record's current ETag. Read the record again, and repeat the change if it still applies";
    throw new Problem("precondition_failed", "", {
      details: [{ location: "header", field: "If-Match", code: "precondition_failed", message }],
    });
  };
}

// RFC 9110, 8.8.3: the characters that are allowed between the quotes.
const TAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** A weak tag is valid but never matches, because the RFC requires the strong comparison. */
function tagsIn(header: string): readonly string[] {
  const tags = header.split(",").map((tag) => tag.trim());
  if (tags.every((tag) => TAG.test(tag))) return tags;
  throw refused("invalid_format", 'must be the ETag that GET returned, with its quotes, for example "Jx3v"');
}

function refused(code: "invalid_value" | "invalid_format", message: string): Problem {
  return new Problem("invalid_request", "If-Match", { details: [{ location: "header", field: "If-Match", code, message }] });
}
