import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Db } from "../db/connect.ts";
import type { Leased, Read } from "../db/sql.ts";
import { type Actor, type Caller, keeperOf, type PersonCaller, type WidgetCaller } from "../shared/caller.ts";
import { type EnvelopeId, isSandbox, modeOf } from "../shared/ids.ts";
import { asRequest } from "../shared/is-request.ts";
import { Problem, type ProblemCode } from "../shared/problems.ts";
import { inWork, type Span, type Tracer } from "../shared/trace.ts";
import { addressGroup } from "./address.ts";
import {
  type Admission,
  type Authenticate,
  admit,
  admitPerson,
  authorize,
  dependsOnBody,
  isForOwnDrafts,
  type PersonAdmission,
  refusedCredential,
  refuseManaged,
  requireConfirmed,
  requireEnrolled,
} from "./authenticate.ts";
import { hasType, MAX_ANONYMOUS_BYTES, readJsonBody, readRawBody } from "./body.ts";
import { capConnections } from "./cap-connections.ts";
import { type DeprecationHeaders, deprecationHeaders } from "./deprecation.ts";
import type { Endpoint } from "./endpoint.ts";
import { isForm } from "./form.ts";
import { fixedHeaders } from "./headers.ts";
import { refuseIfMatch } from "./if-match.ts";
import { isApiPath, MAX_PARAM_LENGTH, pathFinder, servedPath } from "./paths.ts";
import { type ProblemContext, problemOf, refusalFor, statusOfProblem } from "./problem.ts";
import { type Quota, quotaHeaders, Refusals } from "./quota.ts";
import {
  addressOf,
  credentialsOf,
  drain,
  drainAtMost,
  hasTwoHosts,
  isLoopbackHost,
  originOf,
  signingSessionOf,
  visitorOf,
} from "./request.ts";
import { endpointHandler, paramsOf, type ServeOptions } from "./serve.ts";
import { isElsewhere, ownHost, siteOf } from "./sites.ts";
import { addWeb, type ShellOptions } from "./web-pages.ts";

/** `checkAnswers`: tests check every response against its schema in OpenAPI. */
/** A response, in values of which there are few. */
export interface AnsweredSample {
  readonly method: string;
  /** the pattern of the path */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** the problem, if the credential was refused */
  readonly refused: string | null;
  /** the kind of caller, if there were too many requests */
  readonly limited: string | null;
  readonly deprecated: boolean;
}

export interface HttpOptions extends ServeOptions, ShellOptions {
  readonly authenticate: Authenticate;
  readonly endpoints: readonly Endpoint[];
  readonly logger: Logger;
  readonly trustProxyHops: number;
  readonly defaultQuota: number;
  /** local mode: other Host names than loopback are refused, so that no web page can reach the service by DNS rebinding */
  readonly loopbackOnly: boolean;
  readonly publicUrl: string;
  /** if its host differs from that of `publicUrl`, that host serves only what widgets need, and widget pages are only there */
  readonly embedUrl: string;
  /** for metrics */
  readonly onAnswered?: ((sample: AnsweredSample) => void) | undefined;
  /** null: traces are off */
  readonly tracer?: Pick<Tracer, "beginRequest"> | null | undefined;
  /** 0: unlimited. Ignored behind trusted proxies, because all connections come from them */
  readonly maxConnectionsPerAddress: number;
  /** shorter in tests */
  readonly timeouts?: ClientTimeouts;
}

/** How long the server waits for a client that is sending. */
export interface ClientTimeouts {
  /** for the headers of a request, from the connection or their first byte */
  readonly headers_ms: number;
  /** the interval of the check for late headers, so they can be found this much later */
  readonly look_ms: number;
  /** from the response to late headers until the connection is closed, even if the client keeps it open */
  readonly linger_ms: number;
  /** for the body of a request without a credential */
  readonly anonymousBody_ms: number;
  /** from the admission of a caller: if the body arrives later, the caller may have lost rights meanwhile, and is admitted again */
  readonly readmission_ms: number;
}

// A connection with half-sent headers is closed after 15 seconds at the latest: 12, plus 1 until it is found, plus 1 until it is closed.
const TIMEOUTS: ClientTimeouts = {
  headers_ms: 12_000,
  look_ms: 1_000,
  linger_ms: 1_000,
  anonymousBody_ms: 15_000,
  readmission_ms: 1_000,
};

/** The fastify instance with all endpoints; `main.ts` adds pages and listens. */
export function buildServer(options: HttpOptions): FastifyInstance {
  const { timeouts = TIMEOUTS } = options;
  const app = fastify({
    // We log one line per request ourselves. Fastify's logger would create a child logger for each.
    logger: false,
    trustProxy: (_address, hop) => hop < options.trustProxyHops,
    genReqId: () => `req_${randomUUID()}`,
    // Bodies are limited where they are read. This only disables fastify's own limit.
    bodyLimit: 1024 * 1024 * 1024,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    requestTimeout: 300_000,
    // A request that arrives on an open connection during a stop is still served. Its response closes the connection.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseBrokenRequest(options, error, socket, timeouts.linger_ms),
    http: {
      // A missing Host is refused by our own check below.
      requireHostHeader: false,
      headersTimeout: timeouts.headers_ms,
      connectionsCheckingInterval: timeouts.look_ms,
    },
    frameworkErrors: (_error, request, reply) => refuse(options, refusals, new Problem("not_found"), request, reply),
  });
  const refusals = new Refusals();
  const embedHost = ownHost(options);
  const findPath = pathFinder(options.endpoints);

  if (options.trustProxyHops === 0 && options.maxConnectionsPerAddress > 0) {
    capConnections(app.server, options.maxConnectionsPerAddress, options.logger);
  }
  // Ignore unknown Expect headers. node:http would answer 417 without a body.
  app.server.on("checkExpectation", (request, response) => app.routing(request, response));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    (request: FastifyRequest, _payload: IncomingMessage, done: (error: Error | null, body?: unknown) => void) => {
      // Forms are read by their handler while they arrive.
      const { config } = request.routeOptions;
      const { form = false, attached = false, maxBodyBytes = MAX_ANONYMOUS_BYTES, anonymous = false, rawType = null } = config;
      const limits = { maxBytes: maxBodyBytes, within_ms: anonymous ? timeouts.anonymousBody_ms : null };
      if (form || (attached && isForm(request.headers))) done(null);
      else if (rawType !== null && hasType(request.headers, rawType))
        readRawBody(request.raw, limits).then((bytes) => done(null, bytes), done);
      else readJsonBody(request.raw, limits).then((body) => done(null, body), done);
    },
  );
  app.addHook("onRequest", (request, _reply, done) => {
    request.span = isProbe(request) ? null : (options.tracer?.beginRequest(request.headers.traceparent) ?? null);
    inWork({ request_id: request.id, span: request.span }, done);
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers({ ...fixedHeaders(options), ...request.routeOptions.config.deprecation, "x-request-id": request.id });
    if (isApi(request)) reply.headers(quotaHeaders(refusals.peek(addressGroup(addressOf(request)))));
    if (hasTwoHosts(request.raw)) done(new Problem("duplicate_host"));
    else if (options.loopbackOnly && !isLoopbackHost(request.headers.host)) done(new Problem("wrong_host"));
    else if (request.is404) done(unserved(findPath, embedHost, request, reply));
    else done(isElsewhere(embedHost, request) ? new Problem("not_found") : undefined);
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (request.problem?.code !== "body_too_large") drain(request.raw);
    logRequest(options, request, reply);
    endSpan(request, reply);
    options.onAnswered?.(sampleOf(request, reply));
    done();
  });
  app.setErrorHandler(async (error, request, reply) => {
    await noteForbidden(options, error, request);
    return refuse(options, refusals, error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => refuse(options, refusals, new Problem("not_found"), request, reply));

  for (const endpoint of options.endpoints) addRoute(app, options, refusals, endpoint);
  addWeb(app, options);
  return app;
}

declare module "fastify" {
  interface FastifyRequest {
    /** set once the caller is admitted; for the log */
    admission?: Admission | PersonAdmission;
    problem?: Problem;
    /** null: the request is not traced */
    span?: Span | null;
    /** the error if prepared work could not be discarded */
    leftover?: unknown;
  }
  interface FastifyContextConfig {
    readonly form?: boolean;
    /** for JSON bodies */
    readonly maxBodyBytes?: number;
    /** needs no credential */
    readonly anonymous?: boolean;
    /** accepts JSON, or a form that contains it and a file */
    readonly attached?: boolean;
    /** a media type whose body is passed on as bytes */
    readonly rawType?: string;
    /** the names of the path's parameters */
    readonly params?: readonly string[];
    /** of a deprecated operation */
    readonly deprecation?: DeprecationHeaders;
    /** the host that serves it if widgets have a separate host; 404 on the other. By default not on the widgets' host */
    readonly site?: "embed" | "both";
  }
}

/** Failed log-ins and invalid links count like refused keys. */
const countedRefusals = {
  invalid_credentials: true,
  invalid_refresh_token: true,
  invalid_code: true,
  invalid_login_token: true,
  invalid_passkey: true,
  invalid_sso_code: true,
  link_not_found: true,
};

function addRoute(app: FastifyInstance, options: HttpOptions, refusals: Refusals, endpoint: Endpoint): void {
  const { readmission_ms } = options.timeouts ?? TIMEOUTS;
  const path = servedPath(endpoint.path);
  const params = Object.keys(endpoint.params);
  const deprecation = deprecationHeaders(endpoint.stability);
  const about = { params, ...(deprecation !== null && { deprecation }), ...siteOf(endpoint) };
  const serve = endpointHandler(options, endpoint);
  const refuseCredential = async (read: Db["lease"], request: FastifyRequest, reply: FastifyReply, problem: Problem): Promise<never> => {
    const taken = await refusals.count(read, addressGroup(addressOf(request)));
    reply.headers(quotaHeaders(taken));
    throw taken.accepted ? problem : new Problem("rate_limited", "refused credentials");
  };
  if (endpoint.access === "anyone") {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      refuseIfMatch(endpoint, request);
      return asRequest(() => serve(request, reply, visitorOf(request), null)).catch((error) => {
        if (problemOf(error).code in countedRefusals) return refuseCredential(options.db.lease, request, reply, problemOf(error));
        throw error;
      });
    };
    const config = { anonymous: true, maxBodyBytes: endpoint.maxBodyBytes, ...about };
    app.route({ method: endpoint.method, url: path, handler, config });
    return;
  }
  const access = endpoint.access;
  const enter = async (read: Leased, request: FastifyRequest, reply: FastifyReply): Promise<Caller | PersonCaller> => {
    const given = credentialsOf(request);
    const { authenticate } = options;
    const admitted =
      "person" in access ? admitPerson(authenticate, read, given) : admit(authenticate, read, access, given, originOf(request));
    const admission = await admitted;
    if (admission === null) return refuseCredential((run) => run(read), request, reply, refusedCredential(access, given));
    request.admission = admission;
    reply.headers(quotaHeaders(admission.quota));
    if ("person" in admission) {
      if (!admission.accepted) throw new Problem("rate_limited");
      return { ...originOf(request), actor: admission.actor, person: admission.person };
    }
    if (admission.holder === undefined) reply.header("x-mode", modeOf(admission.org));
    if (admission.expires_at !== null) reply.header("x-api-key-expires", admission.expires_at.toISOString());
    if (!admission.accepted) throw new Problem("rate_limited");
    // Before the scope, which would tell that there is something.
    if (endpoint.testOnly && !isSandbox(admission.org)) throw new Problem("not_found");
    // Forms are always authorized here, because their body is the file.
    if (!("person" in access) && (endpoint.form !== null || !dependsOnBody(access))) authorize(access, admission);
    requireEnrolled(admission, endpoint.path);
    if (endpoint.ownAccount) refuseManaged(admission);
    if (endpoint.followsLive && isSandbox(admission.org)) throw new Problem("sandbox_follows_live");
    if (endpoint.stepUp) requireConfirmed(admission);
    const { org, actor, scopes, session, holder } = admission;
    const caller = { ...originOf(request), org, actor, scopes, session };
    await requireKept(options.authenticate, endpoint, request, read, caller);
    await requireOwnDraft(options.authenticate, endpoint, request, read, caller);
    return holder === undefined ? caller : holderOf(endpoint, request, caller, holder);
  };
  if (endpoint.method === "GET" && !endpoint.acting) {
    // One connection for authentication and the reads after it, without a transaction. The authentication statement sets the organization.
    app.get(path, { config: about }, (request, reply) =>
      options.db.lease(async (read) => serve(request, reply, await enter(read, request, reply), read)),
    );
    return;
  }
  const admitted = new WeakMap<FastifyRequest, { readonly caller: Caller | PersonCaller; readonly at: number }>();
  // Rights are judged before the body is read. A client that holds the body back must not keep rights that others take away meanwhile.
  const admittedNow = async (request: FastifyRequest): Promise<Caller | PersonCaller> => {
    const { caller, at } = admitted.get(request) as { caller: Caller | PersonCaller; at: number };
    const { admission } = request;
    if (admission === undefined || performance.now() - at < readmission_ms) return caller;
    const given = credentialsOf(request);
    const { authenticate, db } = options;
    if ("person" in admission) {
      const person = await db.system((tx) => authenticate.partyAgain(tx, admission));
      if (person === null) throw refusedCredential(access, given);
      return { ...caller, person };
    }
    // What a widget does finds its recipient again under a lock.
    if (admission.holder !== undefined) return caller;
    const present = await db.tx(admission.org, async (tx) => {
      const rights = await authenticate.again(tx, admission, given, originOf(request));
      if (rights === null) throw refusedCredential(access, given);
      if (!("person" in access) && (endpoint.form !== null || !dependsOnBody(access))) authorize(access, rights);
      const { org, actor } = admission;
      await requireOwnDraft(authenticate, endpoint, request, tx, { org, actor, ...rights });
      return { ...caller, ...rights };
    });
    // A file that is processed while it arrives has this looked at again and again.
    admitted.set(request, { caller: present, at: performance.now() });
    return present;
  };
  app.route({
    method: endpoint.method,
    url: path,
    // A HEAD would record a response that no one saw.
    exposeHeadRoute: false,
    // Before the body is read, and without holding a connection while it arrives.
    onRequest: async (request, reply) => {
      const caller = await options.db.lease(async (read) => {
        const entered = await enter(read, request, reply);
        refuseIfMatch(endpoint, request);
        // Do not receive a file for a record that does not exist.
        if (endpoint.form !== null && "org" in entered) await endpoint.exists?.(entered, paramsOf(endpoint, request), read);
        return entered;
      });
      admitted.set(request, { caller, at: performance.now() });
    },
    config: {
      form: endpoint.form !== null && endpoint.body === undefined,
      attached: endpoint.attached !== null || endpoint.form !== null,
      maxBodyBytes: endpoint.maxBodyBytes,
      ...about,
    },
    handler: (request, reply) => asRequest(async () => serve(request, reply, await admittedNow(request), null, () => admittedNow(request))),
  });
}

/** To a custodian, a record that they do not keep counts as missing. */
async function requireKept(
  { keeps }: Authenticate,
  endpoint: Endpoint,
  request: FastifyRequest,
  read: Read,
  caller: Caller,
): Promise<void> {
  const [keeper, { access }] = [keeperOf(caller), endpoint];
  if (keeper === null || access === "anyone" || !("anyScope" in access)) return;
  const { custodian = "closed" } = access;
  if (custodian === "closed" || custodian === "own") return;
  const id = paramsOf(endpoint, request)[custodian] ?? "";
  if (!(await keeps(read, caller.org, keeper, { param: custodian, id }))) throw new Problem(endpoint.missing, "not a record of theirs");
}

/** With `drafts:write` alone, a key works on the drafts that it created, until they are sent. */
async function requireOwnDraft(
  authenticate: Authenticate,
  endpoint: Endpoint,
  request: FastifyRequest,
  read: Read,
  caller: Pick<Caller, "org" | "actor" | "scopes">,
): Promise<void> {
  if (!isForOwnDrafts(endpoint.access, caller)) return;
  const id = paramsOf(endpoint, request).envelope_id as EnvelopeId;
  await authenticate.requireOwnDraft(read, caller.org, caller.actor, id);
}

/** A token is valid for one envelope. Any other envelope counts as missing. */
function holderOf(endpoint: Endpoint, request: FastifyRequest, caller: Caller, holder: NonNullable<Admission["holder"]>): WidgetCaller {
  const signing_session = signingSessionOf(request);
  if (paramsOf(endpoint, request).envelope_id !== holder.envelope_id) throw new Problem(endpoint.missing, "not the token's envelope");
  return { ...caller, holder: { ...holder, signing_session } };
}

/** For a request without a route: 405 with Allow if the path exists with another method, otherwise 404. Decided before any other check. */
function unserved(find: ReturnType<typeof pathFinder>, embedHost: string | null, request: FastifyRequest, reply: FastifyReply): Problem {
  const found = find(request.url.split("?", 1)[0] ?? "");
  if (found === undefined || found.methods.has(request.method) || isElsewhere(embedHost, request, siteOf(found))) {
    return new Problem("not_found");
  }
  reply.header("allow", [...found.methods].sort().join(", "));
  return new Problem("method_not_allowed");
}

/** These ask for a proof instead of refusing, and are part of normal use. */
const ASKING: readonly ProblemCode[] = [
  "reauthentication_required",
  "enrollment_required",
  "email_code_required",
  "passkey_required",
  "code_required",
];

/** The caller gets the same response if this fails. The log then has both. */
async function noteForbidden({ authenticate, db, logger }: HttpOptions, error: unknown, request: FastifyRequest): Promise<void> {
  const { admission } = request;
  const { code } = problemOf(error);
  if (admission === undefined || !("org" in admission) || statusOfProblem(code) !== 403 || ASKING.includes(code)) return;
  const { org, actor } = admission;
  await db
    .lease((read) => authenticate.noteForbidden(read, originOf(request), { org, actor }, code))
    .catch((err: unknown) => logger.error({ err, request_id: request.id }, "a request that was not allowed could not be recorded"));
}

function refuse(options: HttpOptions, refusals: Refusals, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  request.problem = problem;
  if (problem.code === "body_too_large") drainAtMost(request.raw, unreadBytes(request));
  const refusal = refusalFor(problem, contextOf(request));
  if (isApi(request) && problem.code === "database_away") reply.headers(quotaHeaders(awayQuota(options.defaultQuota)));
  else if (isApi(request) && problem.quota !== undefined) reply.headers(quotaHeaders(problem.quota));
  else if (isApi(request) && !reply.hasHeader("x-ratelimit-limit"))
    reply.headers(quotaHeaders(refusals.peek(addressGroup(addressOf(request)))));
  return reply
    .code(refusal.status)
    .headers({ ...fixedHeaders(options), "x-request-id": request.id, ...refusal.headers })
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(refusal.body));
}

function contextOf({ admission, routeOptions: { config } }: FastifyRequest): ProblemContext {
  return { credential: admission?.actor.kind === "key" ? "X-API-Key" : "Authorization", params: config.params ?? [] };
}

/** How much of a body that is too large is still read. Without a credential, at most four times the limit. */
function unreadBytes({ routeOptions: { config } }: FastifyRequest): number {
  return config.anonymous === true ? 4 * (config.maxBodyBytes ?? MAX_ANONYMOUS_BYTES) : Number.POSITIVE_INFINITY;
}

/** Without the database no quota is known. */
function awayQuota(limit: number): Quota {
  return { limit, remaining: 0, reset: Math.ceil(Date.now() / 1000) + 5 };
}

const brokenBy: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** Answers input that is not valid HTTP and never becomes a request, in the same format as other errors. */
function refuseBrokenRequest(options: HttpOptions, error: NodeJS.ErrnoException, socket: Socket, linger_ms: number): void {
  // A client that does not close its side would keep the connection open forever.
  const timer = setTimeout(() => socket.destroy(), linger_ms).unref();
  socket.once("close", () => clearTimeout(timer));
  if (!socket.writable) return;
  const { status, headers, body } = refusalFor(new Problem(brokenBy[error.code ?? ""] ?? "malformed_request"));
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: req_${randomUUID()}`,
    ...Object.entries({ ...fixedHeaders(options), ...headers }).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}

function isApi(request: FastifyRequest): boolean {
  return isApiPath(request.url);
}

/** A recipient's slug is part of their signing link and must not be logged. */
function loggedActor(actor: Actor): string {
  return actor.kind === "signer" || actor.kind === "recipient" ? actor.kind : actor.id;
}

function sampleOf({ method, admission, problem, routeOptions }: FastifyRequest, reply: FastifyReply): AnsweredSample {
  const { statusCode: status } = reply;
  return {
    method,
    route: routeOptions.url ?? "none",
    status,
    seconds: reply.elapsedTime / 1000,
    refused: status === 401 && problem !== undefined ? problem.code : null,
    limited: status === 429 ? (admission?.actor.kind ?? "anonymous") : null,
    deprecated: routeOptions.config.deprecation !== undefined,
  };
}

/** Load balancers call these every few seconds. */
const isProbe = ({ routeOptions: { url } }: FastifyRequest): boolean => url === "/healthz" || url === "/readyz";

/** Named by the pattern of the path, never by the path. */
function endSpan({ span, id, method, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  if (span === undefined || span === null) return;
  const route = routeOptions.url ?? "none";
  if (reply.statusCode >= 500) span.fail();
  span.end(
    {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": reply.statusCode,
      "countersign.request_id": id,
    },
    `${method} ${route}`,
  );
}

/** What a proxy in front called the request, which our own id does not replace. Others could write anything into our log. */
function upstreamIdOf({ trustProxyHops }: HttpOptions, { headers }: FastifyRequest): string | undefined {
  const given = headers["x-request-id"];
  return trustProxyHops > 0 && typeof given === "string" && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : undefined;
}

/** One line per request with ids and the route, never a body, another header or a full URL. */
function logRequest(options: HttpOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { logger: log } = options;
  const upstream_request_id = upstreamIdOf(options, request);
  const { admission, problem } = request;
  const line = {
    request_id: request.id,
    ...(upstream_request_id !== undefined && { upstream_request_id }),
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    ip: addressOf(request),
    ...(admission && { ...("org" in admission && { org: admission.org }), actor: loggedActor(admission.actor) }),
    ...(request.routeOptions.config.deprecation !== undefined && { deprecated: true }),
    ...(problem && { problem: problem.message }),
  };
  if (request.leftover !== undefined) log.error({ ...line, err: request.leftover }, "prepared work could not be discarded");
  if (isProbe(request)) log.debug(line, "request");
  else if (reply.statusCode < 500) log.info(line, "request");
  else log.error({ ...line, err: problem?.cause }, "request failed");
}
