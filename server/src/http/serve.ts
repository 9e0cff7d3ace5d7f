import type { FastifyReply, FastifyRequest } from "fastify";
import { Compile } from "typebox/compile";
import type { Db } from "../db/connect.ts";
import type { Read } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import { isId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import { isSlug } from "../shared/slugs.ts";
import { authorizeBody } from "./authenticate.ts";
import type { JsonBody } from "./body.ts";
import { Answered, type Endpoint, type ErasedInput, type FileAnswer, type ParamKind, type Visitor } from "./endpoint.ts";
import { isForm } from "./form.ts";
import { answerOnce, fingerprintOf, lookUpAnswer, parseIdempotencyKey, type StoredAnswer } from "./idempotency.ts";
import { anyState, tagOf, unchangedSince } from "./if-match.ts";
import { type FormRequest, takeArriving, withAttachment, withForm } from "./serve-form.ts";
import { coerceQuery, type Validate, validator } from "./validate.ts";
import { answerSchema, isTagged, NUMBER_PATTERN, pageQuery } from "./wire-shapes.ts";

export type Serve = (request: FastifyRequest, reply: FastifyReply, who: Caller | Visitor, read: Read | null) => Promise<FastifyReply>;

export interface ServeOptions {
  readonly db: Db;
  /** where files of forms lie meanwhile */
  readonly uploads: string;
  /** for the fingerprints of requests that may come again */
  readonly fingerprintKey: Uint8Array;
  readonly checkAnswers?: boolean;
}

/** Validation, the operation, the answer: what is left once it is known who calls. */
export function servant({ db, uploads, fingerprintKey, checkAnswers = false }: ServeOptions, endpoint: Endpoint): Serve {
  const querySchema = endpoint.list === null ? endpoint.query : pageQuery(endpoint.query);
  const checkQuery = validator(querySchema, "query");
  const checkBody = validator(endpoint.body, "body");
  const shapeOf = answerShapes(endpoint);

  const queryOf = (request: FastifyRequest): Record<string, unknown> => {
    const query = coerceQuery(querySchema, request.query as Record<string, unknown>);
    checkQuery(query);
    return query;
  };

  const jsonInput = (call: Call): ErasedInput => {
    const { request, query } = call;
    const given = bodyOf(request).value;
    const body = endpoint.method === "GET" ? given : checkObject(given, checkBody, call);
    return {
      params: paramsOf(endpoint, request),
      query,
      body,
      page: endpoint.list === null ? null : pageOf(query, endpoint.list),
      file: null,
      content: null,
      unchanged: endpoint.ifMatch ? unchangedSince(request.headers["if-match"]) : anyState,
    };
  };

  const produce = async (call: Call, input: ErasedInput, prepared?: unknown): Promise<StoredAnswer> => {
    return answerWith(call, await endpoint.run(call.who, input, call.read, prepared), input.page);
  };

  const answerWith = (call: Call, result: unknown, page: PageRequest | null): StoredAnswer => {
    if (result instanceof Answered) call.reply.headers(result.headers);
    const answer = wrap(result instanceof Answered ? result.data : result, page);
    const status = (result instanceof Answered ? result.status : null) ?? endpoint.status;
    const shape = checkAnswers ? shapeOf(status) : null;
    if (shape !== null && !shape.Check(answer)) {
      throw new Error(`${endpoint.name} answered what its schema does not allow: ${JSON.stringify(shape.Errors(answer))}`);
    }
    return { status, body: JSON.stringify(answer), replayed: false };
  };

  const carryOut = async (call: Call, input: ErasedInput, fingerprint: () => Buffer): Promise<StoredAnswer> => {
    const who = call.who;
    const key = endpoint.idempotent && "org" in who ? parseIdempotencyKey(call.request.headers["idempotency-key"]) : undefined;
    const repeats = key === undefined ? null : { key, fingerprint: fingerprint(), secret: endpoint.secret };
    const settle = (prepared?: unknown) =>
      repeats === null ? produce(call, input, prepared) : answerOnce(db, who as Caller, repeats, () => produce(call, input, prepared));
    if (endpoint.prepare === null) return settle();
    const known = repeats === null ? null : await lookUpAnswer(db, who as Caller, repeats);
    if (known !== null) return known;
    const prepared = await endpoint.prepare(who as Caller, input);
    const takeBack = () =>
      endpoint.discard?.(who as Caller, prepared).catch((error: unknown) => {
        // The caller hears of what failed first; whoever runs the service reads of both.
        call.request.leftover = error;
      });
    try {
      const answer = await settle(prepared);
      if (answer.replayed) await takeBack();
      return answer;
    } catch (error) {
      await takeBack();
      throw error;
    }
  };

  const formOf = ({ request, lenient }: Call): FormRequest => ({ request, lenient, uploads, fingerprintKey });

  const answerTo = ((): ((call: Call) => Promise<StoredAnswer>) => {
    const { form } = endpoint;
    const { attached } = endpoint;
    if (form === null) {
      return (call) => {
        if (attached !== null && isForm(call.request.headers)) {
          return withAttachment(formOf(call), attached, ({ body: given, file, fingerprint, ignored }) => {
            const body = checkObject(given, checkBody, call, ignored);
            return carryOut(call, { ...NO_INPUT, params: paramsOf(endpoint, call.request), body, file }, () => fingerprint);
          });
        }
        const input = jsonInput(call);
        if ("org" in call.who) authorizeBody(endpoint.access, call.who, input.body);
        return carryOut(call, input, () =>
          fingerprintOf(fingerprintKey, call.request.method, call.request.url, bodyOf(call.request).bytes),
        );
      };
    }
    if (form === "arriving") {
      return async (call) => {
        const { taken, ignored } = await takeArriving(formOf(call), (content) => produce(call, { ...NO_INPUT, content }));
        tellIgnored(call.reply, ignored);
        return taken;
      };
    }
    const checkForm = validator(form.parts, "form");
    return (call) =>
      withForm(formOf(call), form, checkForm, ({ body, file, fingerprint, ignored }) => {
        tellIgnored(call.reply, ignored);
        return carryOut(call, { ...NO_INPUT, params: paramsOf(endpoint, call.request), body, file }, () => fingerprint);
      });
  })();

  return async (request, reply, who, read) => {
    // Before a form is read: a wrong parameter does not cost its sender an upload.
    const call = { request, reply, who, read, query: queryOf(request), lenient: request.admission?.lenient_fields ?? false };
    if (endpoint.file !== null) {
      const result = await endpoint.run(who, jsonInput(call), read, undefined);
      if (!(result instanceof Answered)) return sendFile(reply, result as FileAnswer);
      const { status, body } = answerWith(call, result, null);
      return reply.code(status).type("application/json; charset=utf-8").send(body);
    }
    const answer = await answerTo(call);
    reply.code(answer.status).type("application/json; charset=utf-8");
    if (answer.replayed) reply.header("idempotent-replayed", "true");
    if (!isTagged(endpoint)) return reply.send(answer.body);
    return sendTagged(request, reply, answer.body);
  };
}

/** The schema of each success, compiled when it is first wanted. */
function answerShapes(endpoint: Endpoint): (status: number) => ReturnType<typeof Compile> {
  const compiled = new Map<Endpoint["answer"], ReturnType<typeof Compile>>();
  return (status) => {
    const answer = endpoint.alternative?.status === status ? endpoint.alternative.answer : endpoint.answer;
    const shape = compiled.get(answer) ?? Compile(answerSchema({ ...endpoint, answer }));
    compiled.set(answer, shape);
    return shape;
  };
}

interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly who: Caller | Visitor;
  readonly read: Read | null;
  readonly query: Record<string, unknown>;
  /** unknown fields are left out of the body, and named in a header of the answer */
  readonly lenient: boolean;
}

function sendFile(reply: FastifyReply, { type, bytes, file_name, headers = {} }: FileAnswer): FastifyReply {
  const name = file_name === undefined ? {} : { "content-disposition": attachment(file_name) };
  // The bytes as they are: a view on them, not a copy.
  return reply
    .code(200)
    .headers({ ...headers, ...name })
    .type(type)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** RFC 6266: a name in ASCII for those who know no better, and the true one. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const NO_INPUT: ErasedInput = { params: {}, query: {}, body: {}, page: null, file: null, content: null, unchanged: anyState };

/** The path's parameters; one that is no id of its kind is answered like a missing record. */
export function paramsOf(endpoint: Endpoint, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  for (const [name, kind] of Object.entries(endpoint.params)) {
    const text = params[name] ?? "";
    if (!isParam(kind, text)) throw new Problem(endpoint.missing, "not an id");
  }
  return params;
}

function isParam(kind: ParamKind, text: string): boolean {
  if (kind === "slug") return isSlug(text);
  return kind === "number" ? new RegExp(NUMBER_PATTERN).test(text) : isId(kind, text);
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
  const tag = tagOf(body);
  reply.header("etag", tag);
  const known = request.headers["if-none-match"] ?? "";
  const isKnown = known === "*" || known.split(",").some((given) => given.trim().replace(/^W\//, "") === tag);
  if (!isKnown) return reply.send(body);
  // RFC 9110, 15.4.5. Clients that see the type of JSON parse the empty body.
  return reply.code(304).removeHeader("content-type").send();
}

function bodyOf(request: FastifyRequest): JsonBody {
  return (request.body as JsonBody | undefined) ?? { value: {}, bytes: Buffer.alloc(0) };
}

/** The body as the operation may use it. `others`: what was left out of the form around it. */
function checkObject(given: unknown, check: Validate, { reply, lenient }: Call, others: readonly string[] = []): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const message = "must be a JSON object";
    throw new Problem("invalid_request", "", { details: [{ location: "body", field: null, code: "invalid_type", message }] });
  }
  const { value, ignored } = check(given, lenient);
  tellIgnored(reply, [...others, ...ignored]);
  return value;
}

const MAX_IGNORED_NAMES = 20;
const MAX_IGNORED_CHARACTERS = 1_000;

/** The first names that fit. A name is the caller's own text, so whatever could be more than a name in a header is replaced. */
function tellIgnored(reply: FastifyReply, ignored: readonly string[]): void {
  if (ignored.length === 0) return;
  const names = ignored.slice(0, MAX_IGNORED_NAMES).map((name) => name.replace(/[^A-Za-z0-9_.[\]-]/g, "?"));
  while (names.join(", ").length > MAX_IGNORED_CHARACTERS) names.pop();
  reply.header("x-ignored-fields", names.join(", "));
}
