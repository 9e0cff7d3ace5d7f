import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Problem } from "../shared/problems.ts";
import { Nesting } from "./parse-json.ts";

export const MAX_JSON_BYTES = 1_048_576;
// For callers who have shown no credential: a password, a name and a token of theirs have some hundred bytes.
export const MAX_ANONYMOUS_BYTES = 16_384;

/** What a JSON route received: the value, and the exact bytes (the fingerprint of an idempotent request). */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: Buffer;
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** how long it may take to arrive; null: as long as the whole request may */
  readonly within_ms: number | null;
}

const KILOBYTE = 1_024;

export const tooLarge = (maxBytes: number, why: string): Problem => {
  const limit = maxBytes < MAX_JSON_BYTES ? `${maxBytes / KILOBYTE} KB` : `${maxBytes / KILOBYTE / KILOBYTE} MB`;
  return new Problem("body_too_large", why, { words: { limit } });
};

const NOTHING: JsonBody = { value: {}, bytes: Buffer.alloc(0) };

/**
 * Reads a JSON body, or throws 413, 415 or 400 in that order of checks. An absent or empty body counts as `{}` whatever its
 * Content-Type: the shape then says what is missing.
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

/** JSON is UTF-8 and comes as it is: another charset or an encoding would be read as something that was not meant. */
function isPlainJson({ "content-type": type = "", "content-encoding": encoding = "identity" }: IncomingHttpHeaders): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) && encoding.toLowerCase() === "identity";
}

/** `nesting`: of what is JSON; looked at as it arrives, so that nothing is kept of a body that is refused for it. */
async function readAtMost(request: IncomingMessage, { maxBytes, within_ms }: BodyLimits, nesting: Nesting | null): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Not `for await`: leaving that loop early destroys the socket, and the caller would never read our 413.
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
    // A member called __proto__ becomes an own property of a plain value here, and no code of ours copies by assignment.
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new Problem("malformed_json", "", { cause });
  }
}

const badlyNested = (message: string): Problem =>
  new Problem("invalid_request", "nesting", { details: [{ location: "body", field: null, code: "invalid_value", message }] });
