import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Compile } from "typebox/compile";
import type { Db } from "../db/connect.ts";
import type { Read } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import { isId } from "../shared/ids.ts";
import { safeFileName } from "../shared/name-file.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { KeyRing } from "../shared/secrets.ts";
import { isSlug } from "../shared/slugs.ts";
import { isTagName } from "../shared/tag-names.ts";
import { authorizeBody } from "./authenticate.ts";
import type { JsonBody } from "./body.ts";
import { Answered, type Endpoint, type ErasedInput, type FileAnswer, type ParamKind, type StreamAnswer, type Who } from "./endpoint.ts";
import { isForm } from "./form.ts";
import { type FormRequest, takeArriving, withAttachment, withForm } from "./form-requests.ts";
import { answerOnce, type Fingerprints, fingerprintsOf, lookUpAnswer, parseIdempotencyKey, type StoredAnswer } from "./idempotency.ts";
import { anyState, tagOf, unchangedSince } from "./if-match.ts";
import { problemOf } from "./problem.ts";
import { coerceQuery, requireObject, type Validate, validator } from "./validate.ts";
import { answerSchema, isTagged, NUMBER_PATTERN, pageQuery } from "./wire-shapes.ts";

/** `whoNow`: who the caller is once a form has been read, which takes as long as the client likes. */
export type Serve = (
  request: FastifyRequest,
  reply: FastifyReply,
  who: Who,
  read: Read | null,
  whoNow?: () => Promise<Who>,
) => Promise<FastifyReply>;

export interface ServeOptions {
  readonly db: Db;
  /** the folder for files of forms until the response */
  readonly uploads: string;
  /** for the fingerprints of idempotent requests */
  readonly fingerprintKeys: KeyRing;
  readonly checkAnswers?: boolean;
}

/** Returns the handler of an endpoint: validation, the operation and the response, after the caller is known. */
export function endpointHandler({ db, uploads, fingerprintKeys, checkAnswers = false }: ServeOptions, endpoint: Endpoint): Serve {
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
      throw new Error(`${endpoint.name} returned a response that its schema does not allow: ${JSON.stringify(shape.Errors(answer))}`);
    }
    return { status, body: JSON.stringify(answer), replayed: false };
  };

  const runOnce = async (call: Call, input: ErasedInput, fingerprints: () => Fingerprints): Promise<StoredAnswer> => {
    const who = call.who;
    const key = endpoint.idempotent && "org" in who ? parseIdempotencyKey(call.request.headers["idempotency-key"]) : undefined;
    const repeats = key === undefined ? null : { key, fingerprints: fingerprints(), secret: endpoint.secret };
    const inTransaction = (prepared?: unknown) =>
      repeats === null ? produce(call, input, prepared) : answerOnce(db, who as Caller, repeats, () => produce(call, input, prepared));
    const settle = async (prepared?: unknown) => {
      try {
        return await inTransaction(prepared);
      } catch (error) {
        await endpoint.failed?.(who as Caller, error);
        throw error;
      }
    };
    if (endpoint.prepare === null) return settle();
    const known = repeats === null ? null : await lookUpAnswer(db, who as Caller, repeats);
    if (known !== null) return known;
    const prepared = await endpoint.prepare(who as Caller, input);
    const discardPrepared = () =>
      endpoint.discard?.(who as Caller, prepared).catch((error: unknown) => {
        // The caller gets the first error. The log has both.
        call.request.leftover = error;
      });
    try {
      const answer = await settle(prepared);
      if (answer.replayed) await discardPrepared();
      return answer;
    } catch (error) {
      await discardPrepared();
      throw error;
    }
  };

  const answerToJson = (call: Call): Promise<StoredAnswer> => {
    const input = jsonInput(call);
    if ("org" in call.who) authorizeBody(endpoint.access, call.who, input.body);
    return runOnce(call, input, () => fingerprintsOf(fingerprintKeys, call.request.method, call.request.url, bodyOf(call.request).bytes));
  };

  const present = async (call: Call): Promise<Call> => ({ ...call, who: await call.whoNow() });

  const formOf = ({ request, lenient }: Call): FormRequest => ({ request, lenient, uploads, fingerprintKeys });

  const answerTo = ((): ((call: Call) => Promise<StoredAnswer>) => {
    const { form } = endpoint;
    const { attached } = endpoint;
    if (form === null) {
      return (call) => {
        if (attached !== null && isForm(call.request.headers)) {
          return withAttachment(formOf(call), attached, async ({ body: given, file, fingerprints, ignored }) => {
            const body = checkObject(given, checkBody, call, ignored);
            return runOnce(await present(call), { ...NO_INPUT, params: paramsOf(endpoint, call.request), body, file }, () => fingerprints);
          });
        }
        return answerToJson(call);
      };
    }
    if (form === "arriving") {
      return async (call) => {
        const { taken, ignored } = await takeArriving(formOf(call), (content) =>
          produce(call, { ...NO_INPUT, content: whileAdmitted(content, call.whoNow) }),
        );
        setIgnoredFieldsHeader(call.reply, ignored);
        return taken;
      };
    }
    const checkForm = validator(form.parts, "form");
    return (call) => {
      if (endpoint.body !== undefined && !isForm(call.request.headers)) return answerToJson(call);
      return withForm(formOf(call), form, checkForm, async ({ body, file, fingerprints, ignored }) => {
        setIgnoredFieldsHeader(call.reply, ignored);
        return runOnce(await present(call), { ...NO_INPUT, params: paramsOf(endpoint, call.request), body, file }, () => fingerprints);
      });
    };
  })();

  return async (request, reply, who, read, whoNow = async () => who) => {
    // Checked before a form is read, so that a wrong parameter does not cost the sender an upload.
    const call = { request, reply, who, whoNow, read, query: queryOf(request), lenient: lenientOf(request) };
    if (endpoint.file !== null) {
      const result = await endpoint.run(who, jsonInput(call), read, undefined);
      if (!(result instanceof Answered)) return sendFile(request, reply, result as FileAnswer | StreamAnswer);
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

/** Looks at the caller's rights again while the content arrives, and at its end. Once they have ended, nothing more is read or stored. */
async function* whileAdmitted(content: AsyncIterable<Uint8Array>, whoNow: () => Promise<Who>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of content) {
    await whoNow();
    yield piece;
  }
  await whoNow();
}

const lenientOf = ({ admission }: FastifyRequest): boolean =>
  admission !== undefined && "org" in admission && (admission.lenient_fields ?? false);

/** The schema of each successful response, compiled on first use. */
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
  readonly who: Who;
  readonly whoNow: () => Promise<Who>;
  readonly read: Read | null;
  readonly query: Record<string, unknown>;
  /** unknown fields in the body are ignored and listed in a response header */
  readonly lenient: boolean;
}

function sendFile(request: FastifyRequest, reply: FastifyReply, answer: FileAnswer | StreamAnswer): FastifyReply {
  if ("pieces" in answer) return sendStream(request, reply, answer);
  const { type, bytes, file_name, headers = {} } = answer;
  const name = file_name === undefined ? {} : { "content-disposition": attachment(file_name) };
  // A view of the bytes, not a copy.
  return reply
    .code(200)
    .headers({ ...headers, ...name })
    .type(type)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

function sendStream(request: FastifyRequest, reply: FastifyReply, { type, file_name, pieces }: StreamAnswer): FastifyReply {
  const stream = Readable.from(pieces).once("error", (error) => {
    // The status was sent before. The log has the reason.
    request.problem = problemOf(error);
  });
  return reply.code(200).header("content-disposition", attachment(file_name)).type(type).send(stream);
}

/** RFC 6266: the name in ASCII for old clients, and the exact name. */
function attachment(given: string): string {
  const name = safeFileName(given);
  const plain = name.replace(/[–—]/g, "-").replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const NO_INPUT: ErasedInput = { params: {}, query: {}, body: {}, page: null, file: null, content: null, unchanged: anyState };

/** The path parameters. A value that is not an id of its kind gets the same response as a missing record. */
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
  if (kind === "tag") return isTagName(text);
  return kind === "number" ? new RegExp(NUMBER_PATTERN).test(text) : isId(kind, text);
}

function wrap(result: unknown, page: PageRequest | null): unknown {
  if (page === null) return { data: result };
  const { items, total, total_capped } = result as Page<unknown>;
  return { data: items, meta: { page: page.page, limit: page.limit, total, ...(total_capped !== undefined && { total_capped }) } };
}

/** A `limit` above the maximum is reduced to it, and `meta` shows the value used. */
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
  // RFC 9110, 15.4.5. With a JSON content type, clients would try to parse the empty body.
  return reply.code(304).removeHeader("content-type").send();
}

function bodyOf(request: FastifyRequest): JsonBody {
  return (request.body as JsonBody | undefined) ?? { value: {}, bytes: Buffer.alloc(0) };
}

/** The validated body. `others`: ignored parts of the form around it. */
function checkObject(given: unknown, check: Validate, { reply, lenient }: Call, others: readonly string[] = []): unknown {
  const { value, ignored } = check(requireObject(given), lenient);
  setIgnoredFieldsHeader(reply, [...others, ...ignored]);
  return value;
}

const MAX_IGNORED_NAMES = 20;
const MAX_IGNORED_CHARACTERS = 1_000;

/** Lists the first names that fit. Names come from the caller, so characters that are not safe in a header are replaced. */
function setIgnoredFieldsHeader(reply: FastifyReply, ignored: readonly string[]): void {
  if (ignored.length === 0) return;
  const names = ignored.slice(0, MAX_IGNORED_NAMES).map((name) => name.replace(/[^A-Za-z0-9_.[\]-]/g, "?"));
  while (names.join(", ").length > MAX_IGNORED_CHARACTERS) names.pop();
  reply.header("x-ignored-fields", names.join(", "));
}
