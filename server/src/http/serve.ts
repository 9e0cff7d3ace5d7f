import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Compile } from "typebox/compile";
import type { Db } from "../db/connect.ts";
import type { Read } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import { isId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { JsonBody } from "./body.ts";
import { Answered, type Endpoint, type ErasedInput, type Visitor } from "./endpoint.ts";
import { answerOnce, fingerprintOf, parseIdempotencyKey, type StoredAnswer } from "./idempotency.ts";
import { answerSchema, pageQuery } from "./openapi.ts";
import { coerceQuery, type Validate, validator } from "./validate.ts";

export type Serve = (request: FastifyRequest, reply: FastifyReply, who: Caller | Visitor, read: Read | null) => Promise<FastifyReply>;

/** Validation, the operation, the answer: what is left once it is known who calls. */
export function servant(db: Db, endpoint: Endpoint, checkAnswers: boolean): Serve {
  const querySchema = endpoint.list === null ? endpoint.query : pageQuery(endpoint.query);
  const checkQuery = validator(querySchema, "query");
  const checkBody = validator(endpoint.body, "body");
  const answerShape = checkAnswers ? Compile(answerSchema(endpoint)) : null;

  const inputOf = (request: FastifyRequest): ErasedInput => {
    const query = coerceQuery(querySchema, request.query as Record<string, unknown>);
    checkQuery(query);
    const body = bodyOf(request).value;
    if (endpoint.method !== "GET") checkObject(body, checkBody);
    const params = request.params as Record<string, string>;
    for (const [name, kind] of Object.entries(endpoint.params)) {
      if (!isId(kind, params[name] ?? "")) throw new Problem(endpoint.missing, "not an id");
    }
    return { params, query, body, page: endpoint.list === null ? null : pageOf(query, endpoint.list) };
  };

  const produce = async (request: FastifyRequest, reply: FastifyReply, who: Caller | Visitor, read: Read | null): Promise<StoredAnswer> => {
    const input = inputOf(request);
    const result = await endpoint.run(who, input, read);
    if (result instanceof Answered) reply.headers(result.headers);
    const answer = wrap(result instanceof Answered ? result.data : result, input.page);
    if (answerShape !== null && !answerShape.Check(answer)) {
      throw new Error(`${endpoint.name} answered what its schema does not allow: ${JSON.stringify(answerShape.Errors(answer))}`);
    }
    return { status: endpoint.status, body: JSON.stringify(answer), replayed: false };
  };

  return async (request, reply, who, read) => {
    const answer = await answerMaybeOnce(db, endpoint, request, who, () => produce(request, reply, who, read));
    reply.code(answer.status).type("application/json; charset=utf-8");
    if (answer.replayed) reply.header("idempotent-replayed", "true");
    if (endpoint.method !== "GET" || endpoint.list !== null) return reply.send(answer.body);
    return sendTagged(request, reply, answer.body);
  };
}

function answerMaybeOnce(
  db: Db,
  endpoint: Endpoint,
  request: FastifyRequest,
  who: Caller | Visitor,
  produce: () => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  if (!endpoint.idempotent || !("org" in who)) return produce();
  const key = parseIdempotencyKey(request.headers["idempotency-key"]);
  if (key === undefined) return produce();
  const fingerprint = fingerprintOf(request.method, request.url, bodyOf(request).bytes);
  return answerOnce(db, who, { key, fingerprint, secret: endpoint.secret }, produce);
}

function wrap(result: unknown, page: PageRequest | null): unknown {
  if (page === null) return { data: result };
  const { items, total } = result as Page<unknown>;
  return { data: items, meta: { page: page.page, limit: page.limit, total } };
}

/** A `limit` above the maximum is lowered to it, and `meta` shows what was used. */
function pageOf(query: Record<string, unknown>, limits: { limit: number; max: number }): PageRequest {
  const { page = 1, limit = limits.limit } = query as { page?: number; limit?: number };
  return { page, limit: Math.min(limit, limits.max) };
}

function sendTagged(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  reply.header("etag", tag);
  const known = request.headers["if-none-match"] ?? "";
  if (known === "*" || known.split(",").some((given) => given.trim().replace(/^W\//, "") === tag)) return reply.code(304).send();
  return reply.send(body);
}

function bodyOf(request: FastifyRequest): JsonBody {
  return (request.body as JsonBody | undefined) ?? { value: {}, bytes: Buffer.alloc(0) };
}

function checkObject(body: unknown, check: Validate): void {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    const message = "must be a JSON object";
    throw new Problem("invalid_request", "", { details: [{ location: "body", field: null, code: "invalid_type", message }] });
  }
  check(body);
}
