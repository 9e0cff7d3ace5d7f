import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Problem } from "../shared/problems.ts";

/** `If-Match` (RFC 9110, 13.1.1): a write that is carried out only on the state that the caller has read. */

/** The ETag of a body. */
export function tagOf(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

/**
 * Throws 412 when the caller named a state and the record is in another one. `view` is what GET shows of the record, read after the lock
 * of its row.
 */
export type Unchanged = (view: unknown) => void;

export const anyState: Unchanged = () => undefined;

/** An operation that does not look at the header refuses it: a caller who sent it must not believe that it was honoured. */
export function refuseIfMatch(operation: { readonly method: string; readonly ifMatch: boolean }, request: FastifyRequest): void {
  if (operation.method === "GET" || operation.ifMatch || request.headers["if-match"] === undefined) return;
  throw refused("invalid_value", "is not supported by this operation. Send the request without it");
}

/** 422 when the header names no ETag. `*` names none either: a write never creates the record, so it would say nothing. */
export function unchangedSince(header: string | undefined): Unchanged {
  if (header === undefined) return anyState;
  const known = tagsIn(header);
  return (view) => {
    if (known.includes(tagOf(JSON.stringify({ data: view })))) return;
    const message = known.some((tag) => tag.startsWith("W/"))
      ? "is a weak ETag, which matches nothing. Send the ETag as GET answered it, without W/"
      : "is not the ETag of the record as it is now. Read the record, and repeat the change if it still applies";
    throw new Problem("precondition_failed", "", {
      details: [{ location: "header", field: "If-Match", code: "precondition_failed", message }],
    });
  };
}

// RFC 9110, 8.8.3: what may stand between the quotes.
const TAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** A weak tag is valid and matches nothing: the RFC asks for the strong comparison, and our tags are strong. */
function tagsIn(header: string): readonly string[] {
  const tags = header.split(",").map((tag) => tag.trim());
  if (tags.every((tag) => TAG.test(tag))) return tags;
  throw refused("invalid_format", 'must be the ETag that GET answered, in its quotes, for example "Jx3v"');
}

function refused(code: "invalid_value" | "invalid_format", message: string): Problem {
  return new Problem("invalid_request", "If-Match", { details: [{ location: "header", field: "If-Match", code, message }] });
}
