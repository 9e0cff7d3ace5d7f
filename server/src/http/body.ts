import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Problem } from "../shared/problems.ts";
import { Nesting } from "./json-nesting.ts";

export const MAX_JSON_BYTES = 1_048_576;
// For requests without a credential. A password, a name and a token take a few hundred bytes.
export const MAX_ANONYMOUS_BYTES = 16_384;

/** A JSON body: the value, and the exact bytes, which are needed for the fingerprint of an idempotent request. */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: Buffer;
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** the time limit for its arrival; null: the limit for the whole request */
  readonly within_ms: number | null;
}

const KILOBYTE = 1_024;

export const tooLarge = (maxBytes: number, why: string): Problem => {
  const limit = maxBytes < MAX_JSON_BYTES ? `${maxBytes / KILOBYTE} KB` : `${maxBytes / KILOBYTE / KILOBYTE} MB`;
  return new Problem("body_too_large", why, { words: { limit } });
};

const NOTHING: JsonBody = { value: {}, bytes: Buffer.alloc(0) };

/**
 * Reads a JSON body, or throws 413, 415 or 400, checked in this order. A missing or empty body counts as `{}` regardless of its
 * Content-Type. The schema check then reports what is missing.
 */
export async function readJsonBody(request: IncomingMessage, { maxBytes, within_ms }: BodyLimits): Promise<JsonBody> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes, `declared ${declared}`);
  if (declared === 0 && request.headers["transfer-encoding"] === undefined) return NOTHING;
  const jsonType = isPlainJson(request.headers);
  if (!jsonType && declared > 0) throw new Problem("wrong_media_type");
  const bytes = await readAtMost(request, { maxBytes, within_ms }, jsonType ? new Nesting() : null);
  if (bytes.length === 0) return NOTHING;
  if (!jsonType) throw new Problem("wrong_media_type");
  return { value: parse(bytes), bytes };
}

/** Reads a body as it is, or throws 413 or 415. */
export async function readRawBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limits.maxBytes) throw tooLarge(limits.maxBytes, `declared ${declared}`);
  if (!isUnencoded(request.headers)) throw new Problem("wrong_media_type");
  return readAtMost(request, limits, null);
}

/** Whether the body has this media type, with any parameters. */
export function hasType({ "content-type": type = "" }: IncomingHttpHeaders, wanted: string): boolean {
  return type.split(";", 1)[0]?.trim().toLowerCase() === wanted;
}

const isUnencoded = ({ "content-encoding": encoding = "identity" }: IncomingHttpHeaders): boolean => encoding.toLowerCase() === "identity";

/** Another charset or a content encoding is refused, because the bytes would be misread. */
function isPlainJson(headers: IncomingHttpHeaders): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(headers["content-type"] ?? "") && isUnencoded(headers);
}

/** `nesting` is checked while the body arrives, so that a body that is refused for it is not kept in memory. */
async function readAtMost(request: IncomingMessage, { maxBytes, within_ms }: BodyLimits, nesting: Nesting | null): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Not `for await`: leaving that loop early destroys the socket, and the caller could not read our 413.
  return new Promise((resolve, reject) => {
    const late = within_ms === null ? undefined : setTimeout(() => stop(new Problem("request_timeout", "body")), within_ms);
    const stop = (error: Error) => {
      clearTimeout(late);
      request.off("data", take);
      reject(error);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) stop(tooLarge(maxBytes, `over ${maxBytes}`));
      else if (nesting?.exceeds(chunk)) stop(badlyNested(nesting.fault));
      else chunks.push(chunk);
    };
    request.on("data", take);
    request.once("end", () => {
      clearTimeout(late);
      resolve(Buffer.concat(chunks));
    });
    request.once("error", stop);
    request.once("close", () => stop(new Problem("malformed_json", "the connection ended inside the body")));
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    // JSON.parse makes a member named __proto__ an own property, and none of our code copies members by assignment.
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new Problem("malformed_json", "", { cause });
  }
}

const badlyNested = (message: string): Problem =>
  new Problem("invalid_request", "nesting", { details: [{ location: "body", field: null, code: "invalid_value", message }] });
