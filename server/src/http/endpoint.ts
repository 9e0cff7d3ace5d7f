import { type Static, type TNever, type TObject, type TSchema, Type } from "typebox";
import type { Read } from "../db/sql.ts";
import type { Caller, Member, Origin, PersonCaller, Widget, WidgetCaller } from "../shared/caller.ts";
import type { Id, IdKind } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { ProblemCode } from "../shared/problems.ts";
import type { Permission, Scope } from "../shared/scopes.ts";
import type { Slug } from "../shared/slugs.ts";
import { MAX_ANONYMOUS_BYTES, MAX_JSON_BYTES } from "./body.ts";
import type { ReceivedFile } from "./form.ts";
import type { Unchanged } from "./if-match.ts";

/** An endpoint is a declaration. Routing, authentication, validation, types and OpenAPI are all derived from this one value. */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who can call the endpoint. `permission`: a console session whose role has it. `session`: any console session. `anyScope`: a key with one
 * of these scopes, or a session whose role has one. `widget`: the token of a widget; the path must contain its envelope as `:envelope_id`. `person`: the session of a
 * person who acts for parties; the path begins with `/p/api/`.
 */
export type Access = SessionAccess | ScopedAccess | WidgetAccess | PersonAccess | "anyone";

export type SessionAccess = { readonly permission: Permission } | { readonly session: "any" };

export interface PersonAccess {
  readonly person: true;
}

export interface WidgetAccess {
  readonly widget: Widget;
  /** pages of the document have their own rate limit, separate from that of other requests */
  readonly counts?: "page";
}

export interface ScopedAccess {
  readonly anyScope: readonly Scope[];
  /** a session also needs this permission: for responses that a read scope would show but that let their reader act */
  readonly alsoNeeds?: Permission;
  /** 403 for keys: what the endpoint returns belongs to a person */
  readonly sessionOnly?: boolean;
  /** the scope that this body needs; the body is then read and validated before the scope is checked */
  readonly scopeOf?: (body: never) => Scope;
  /**
   * What a member with the role custodian reaches of it, who must see no record but those they keep. A path parameter: its record must be
   * one of theirs, and any other counts as missing. `own`: `run` leaves out what is not of `keeperOf(caller)`. `closed` and nothing: 403.
   * `server/test/custodian.test.ts` fails for an endpoint of their scopes that does not say it.
   */
  readonly custodian?: KeptRecord | "own" | "closed";
  /**
   * `drafts:write` opens it for the key's own drafts alone: the envelope of the path must be one that the key created (403) and must not be
   * sent (409). Another scope of the endpoint opens it for all.
   */
  readonly ownDraft?: true;
}

/** Path parameters that name a record, directly or by what happened to it. */
export type KeptRecord = "envelope_id" | "permission_id" | "act_id";

/** `number`: a whole number from 1, such as a page number. `tag`: the name of a tag. */
export type ParamKind = IdKind | "slug" | "number" | "tag";
type ParamKinds = Readonly<Record<string, ParamKind>>;
type ParamOf<K extends ParamKind> = K extends IdKind ? Id<K> : K extends "slug" ? Slug : string;
type ParamsOf<P extends ParamKinds> = { readonly [K in keyof P]: ParamOf<P[K]> };

interface Declared<P extends ParamKinds, Q extends TObject, B extends TObject, A extends TSchema> {
  /** the name in OpenAPI and in generated clients, `create_key` */
  readonly name: string;
  /** an imperative of at most 60 characters: "Send an envelope" */
  readonly summary: string;
  /** one to four sentences: what it does, when to use it, what happens next, and limits */
  readonly description?: string;
  /** the tag in OpenAPI. Every operation for integrators has one */
  readonly resource?: Resource;
  /** the method name in clients, `envelopes.create`. An operation that has one is for integrators */
  readonly sdk?: string;
  readonly stability?: Stability;
  readonly path: string;
  /** the kind of each path parameter; any other value gets the same response as a missing record */
  readonly params?: P;
  readonly missing?: ProblemCode;
  readonly query?: Q;
  readonly body?: B;
  /** the maximum size of a JSON body; by default 16 KB for endpoints without a credential, otherwise 1 MB */
  readonly maxBodyBytes?: number;
  /** the name of an optional file. With it the request is a form that contains the body as JSON in `payload` */
  readonly attached?: string;
  readonly answer: readonly [status: 200 | 201 | 202, schema: A];
  readonly problems?: readonly ProblemCode[];
  /** the response contains a secret and is never stored for a replay */
  readonly secret?: boolean;
  /** the response can be 202 with the same body while the work continues */
  readonly mayContinue?: boolean;
  /** another success with a different body, for which `run` returns an `Alternative` */
  readonly alternative?: readonly [status: 200 | 202, schema: TSchema];
  /** a session needs a log-in or a confirmation (`POST /auth/confirm`) in the last ten minutes; checked before the body is read */
  readonly stepUp?: boolean;
  /** changes the account itself: 409 for a session of single sign-on, which an organization could have begun */
  readonly ownAccount?: boolean;
  /** changes what a sandbox has from its organization: 409 in a sandbox */
  readonly followsLive?: boolean;
  /** an operation for tests: in every organization but a sandbox the path does not exist */
  readonly testOnly?: boolean;
  /** false: Idempotency-Key is not supported, because the operation does not fit into one transaction */
  readonly idempotent?: boolean;
  /** supports `If-Match`: `run` locks the row and then calls `input.unchanged` with the record as GET returns it. Other writes answer 422 */
  readonly ifMatch?: boolean;
  readonly examples?: Examples;
}

/** The tags of OpenAPI, in the order in which they are shown. */
export const resources = [
  "Envelopes",
  "Signers",
  "Recipients",
  "Documents",
  "Fields",
  "Templates",
  "Forms",
  "Bulk send",
  "Customers",
  "Vault",
  "Compliance",
  "Custody",
  "Control",
  "Vault exports",
  "Vault transfers",
  "Webhook endpoints",
  "Events and deliveries",
  "Embedding",
  "API keys",
  "Members",
  "Organization",
  "Notifications",
  "Sessions",
  "Sandbox",
] as const;
export type Resource = (typeof resources)[number];

/**
 * `beta` can change in any release. A deprecated operation has been so since the first day, and can be removed from the second one on, at
 * least twelve months later. `use` names the operation to use instead. Days are in UTC, `2027-01-01`.
 */
export type Stability = "beta" | { readonly since: string; readonly until: string; readonly use: string };

/** The examples in OpenAPI. A test checks them against the schemas. */
export interface Examples {
  readonly request?: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
}

interface Input<P extends ParamKinds, Q extends TObject, B extends TObject> {
  readonly params: ParamsOf<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  /** the attached file; null without one */
  readonly file: ReceivedFile | null;
  readonly unchanged: Unchanged;
}

/**
 * Slow or external work (a PDF, another service) that is done before the transaction in `run`, so that no connection and no lock waits for
 * it. `discard` undoes external work if `run` fails or does not use it.
 */
interface Prepared<C, I, T> {
  readonly prepare: (who: C, input: I) => Promise<T>;
  readonly discard?: (who: C, prepared: T) => Promise<void>;
}

/** The text parts of a form. A missing or empty required part is 400. Everything else is checked after the file's content. */
export interface FormRules<F extends TObject> {
  readonly parts: F;
  /** Parts that contain JSON. If the text is not JSON, the request is either malformed (400) or has an invalid value (422). */
  readonly json?: Readonly<Partial<Record<keyof Static<F> & string, "malformed" | "invalid">>>;
  /** Throws if the file has the wrong type. */
  readonly accept: (file: ReceivedFile) => Promise<void>;
}

interface FormInput<P extends ParamKinds, F extends TObject> {
  readonly params: ParamsOf<P>;
  readonly form: Static<F>;
  readonly file: ReceivedFile;
}

/** What an endpoint that accepts a file gets from a caller that sends JSON instead. */
interface BodyInput<P extends ParamKinds, B extends TObject> {
  readonly params: ParamsOf<P>;
  readonly body: Static<B>;
  readonly file: null;
}

/** A caller without a credential: log-in, set-up, links from an e-mail. */
export interface Visitor extends Origin {
  readonly cookies: Readonly<Record<string, string>>;
  /** the `Origin` header, which browsers set and pages cannot forge */
  readonly origin: string | null;
  readonly bearer: string | null;
}

/** Data with headers, for the few responses that set a cookie, or with a different status than usual. */
export class Answered<D> {
  readonly data: D;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly status: 200 | 202 | null;
  constructor(data: D, headers: Readonly<Record<string, string | string[]>>, status: 200 | 202 | null = null) {
    this.data = data;
    this.headers = headers;
    this.status = status;
  }
}

/** The success that an endpoint declares as its `alternative`. */
export class Alternative extends Answered<unknown> {
  readonly isAlternative = true;
  constructor(data: unknown, status: 200 | 202 = 200) {
    super(data, {}, status);
  }
}

/** A file as a response. It was read and hashed completely before the first byte is sent. */
export interface FileAnswer {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** the file name for a download; without one, browsers display the file */
  readonly file_name?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A file that is written while it is sent. If it cannot be finished, the connection is closed, so that no client takes a part for the whole. */
export interface StreamAnswer {
  readonly type: string;
  readonly file_name: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
}

/** The sender of a request. */
export type Who = Caller | PersonCaller | Visitor;

/** An endpoint as http/ uses it. The types of its parts were checked where it was declared. */
export interface Endpoint {
  readonly name: string;
  readonly summary: string;
  readonly description: string | null;
  readonly resource: Resource | null;
  readonly sdk: string | null;
  readonly stability: Stability | null;
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly params: ParamKinds;
  readonly missing: ProblemCode;
  readonly query: TObject | undefined;
  readonly body: TObject | undefined;
  readonly maxBodyBytes: number;
  readonly attached: string | null;
  readonly status: number;
  readonly answer: TSchema;
  readonly problems: readonly ProblemCode[];
  readonly secret: boolean;
  readonly mayContinue: boolean;
  readonly alternative: { readonly status: number; readonly answer: TSchema } | null;
  /** a POST of an authenticated caller, whose response an Idempotency-Key repeats */
  readonly idempotent: boolean;
  readonly ifMatch: boolean;
  readonly stepUp: boolean;
  readonly ownAccount: boolean;
  readonly followsLive: boolean;
  readonly testOnly: boolean;
  /** a GET that writes to the audit trail: it uses its own transactions and has no ETag and no HEAD */
  readonly acting: boolean;
  /** the media types of a file response; null for JSON */
  readonly file: readonly string[] | null;
  /** the query decides whether the response is a file or data */
  readonly fileOrData: boolean;
  /** default and maximum of `limit` for a list; null for other endpoints */
  readonly list: { readonly limit: number; readonly max: number } | null;
  readonly examples: Examples;
  /** a form with a file instead of a JSON body: stored until the response, or processed while it arrives */
  readonly form: ErasedForm | "arriving" | null;
  /** throws if the record in the path does not exist, so that a form is not read unnecessarily */
  readonly exists: ((who: Caller, params: Readonly<Record<string, string>>, read: Read) => Promise<unknown>) | null;
  readonly prepare: ((who: Caller, input: ErasedInput) => Promise<unknown>) | null;
  readonly discard: ((who: Caller, prepared: unknown) => Promise<void>) | null;
  readonly failed: ((who: Caller, error: unknown) => Promise<void>) | null;
  readonly run: (who: Who, input: ErasedInput, read: Read | null, prepared: unknown) => Promise<unknown>;
}

export interface ErasedForm {
  readonly parts: TObject;
  readonly json: Readonly<Record<string, "malformed" | "invalid">>;
  readonly accept: (file: ReceivedFile) => Promise<void>;
}

export interface ErasedInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  /** the JSON body, or the parts of a form */
  readonly body: unknown;
  readonly page: PageRequest | null;
  readonly file: ReceivedFile | null;
  /** the file of a form that is processed while it arrives */
  readonly content: AsyncIterable<Uint8Array> | null;
  readonly unchanged: Unchanged;
}

// biome-ignore lint/complexity/noBannedTypes: the type of "no parameters" is the empty object
type None = {};
type NoFields = TObject<None>;

type CallerOf<X extends Access> = X extends SessionAccess
  ? Member
  : X extends { readonly widget: Widget }
    ? WidgetCaller
    : X extends PersonAccess
      ? PersonCaller
      : X extends "anyone"
        ? Visitor
        : Caller;

/** A write. The body is read after the caller was authenticated, and a POST accepts an Idempotency-Key. */
export function endpoint<
  const X extends Access,
  const P extends ParamKinds = None,
  Q extends TObject = NoFields,
  B extends TObject = NoFields,
  A extends TSchema = TSchema,
  T = undefined,
>(
  spec: Declared<P, Q, B, A> & {
    readonly method: Exclude<Method, "GET">;
    readonly access: X;
    readonly run: (who: CallerOf<X>, input: Input<P, Q, B>, prepared: T) => Promise<Static<A> | Answered<Static<A>> | Alternative>;
    /** Called if `run` fails, after its transaction was rolled back: for an entry about the failure, which would be rolled back with it. */
    readonly failed?: (who: CallerOf<X>, error: unknown) => Promise<void>;
  } & Partial<Prepared<CallerOf<X>, Input<P, Q, B>, T>>,
): Endpoint {
  return {
    ...erased(spec, null, (who, input, _read, prepared) => spec.run(who as never, input as never, prepared as T)),
    prepare: (spec.prepare as Endpoint["prepare"] | undefined) ?? null,
    discard: (spec.discard as Endpoint["discard"] | undefined) ?? null,
    failed: (spec.failed as Endpoint["failed"] | undefined) ?? null,
  };
}

/** A form with one file, which is stored on disk until the response; a POST unless it replaces a file. */
export function uploading<
  const X extends Exclude<Access, "anyone">,
  F extends TObject,
  const P extends ParamKinds = None,
  A extends TSchema = TSchema,
  T = undefined,
>(
  spec: Omit<Declared<P, NoFields, NoFields, A>, "query" | "body"> & {
    readonly access: X;
    readonly method?: "PUT";
    readonly form: FormRules<F>;
    readonly exists?: (who: CallerOf<X>, params: ParamsOf<P>, read: Read) => Promise<unknown>;
    readonly run: (who: CallerOf<X>, input: FormInput<P, F>, prepared: T) => Promise<Static<A>>;
  } & Prepared<CallerOf<X>, FormInput<P, F>, T>,
): Endpoint {
  const { parts, json = {}, accept } = spec.form;
  const formOf = ({ params, body, file }: ErasedInput) => ({ params, form: body, file }) as never;
  return {
    ...erased({ ...spec, method: spec.method ?? "POST" }, null, (who, input, _read, prepared) =>
      spec.run(who as never, formOf(input), prepared as T),
    ),
    form: { parts, json: json as ErasedForm["json"], accept },
    exists: (spec.exists as Endpoint["exists"] | undefined) ?? null,
    prepare: (who, input) => spec.prepare(who as never, formOf(input)),
    discard: (spec.discard as Endpoint["discard"] | undefined) ?? null,
  };
}

/** A POST of a form with one file, or of a JSON body that names what to use instead of a file. */
export function uploadingOr<
  const X extends Exclude<Access, "anyone">,
  F extends TObject,
  B extends TObject,
  const P extends ParamKinds = None,
  A extends TSchema = TSchema,
  T = undefined,
>(
  spec: Omit<Declared<P, NoFields, B, A>, "query"> & {
    readonly access: X;
    readonly body: B;
    readonly form: FormRules<F>;
    readonly exists?: (who: CallerOf<X>, params: ParamsOf<P>, read: Read) => Promise<unknown>;
    readonly run: (who: CallerOf<X>, input: FormInput<P, F> | BodyInput<P, B>, prepared: T) => Promise<Static<A>>;
  } & Prepared<CallerOf<X>, FormInput<P, F> | BodyInput<P, B>, T>,
): Endpoint {
  const { parts, json = {}, accept } = spec.form;
  const givenOf = ({ params, body, file }: ErasedInput) => (file === null ? { params, body, file } : { params, form: body, file }) as never;
  return {
    ...erased({ ...spec, method: "POST" }, null, (who, input, _read, prepared) => spec.run(who as never, givenOf(input), prepared as T)),
    form: { parts, json: json as ErasedForm["json"], accept },
    exists: (spec.exists as Endpoint["exists"] | undefined) ?? null,
    prepare: (who, input) => spec.prepare(who as never, givenOf(input)),
    discard: (spec.discard as Endpoint["discard"] | undefined) ?? null,
  };
}

/** A POST of a form whose file is processed while it arrives. The sender is slowed down to the pace of `run`. */
export function arriving<const X extends Exclude<Access, "anyone">, A extends TSchema = TSchema>(
  spec: Omit<Declared<None, NoFields, NoFields, A>, "query" | "body" | "params" | "idempotent"> & {
    readonly access: X;
    readonly run: (who: CallerOf<X>, content: AsyncIterable<Uint8Array>) => Promise<Static<A>>;
  },
): Endpoint {
  return {
    ...erased({ ...spec, method: "POST", idempotent: false }, null, (who, { content }) =>
      spec.run(who as never, content as AsyncIterable<Uint8Array>),
    ),
    form: "arriving",
  };
}

/** A GET of a single record. The response has an ETag, and `If-None-Match` gives 304. */
export function reading<
  const X extends Exclude<Access, "anyone">,
  const P extends ParamKinds = None,
  Q extends TObject = NoFields,
  A extends TSchema = TSchema,
>(
  spec: Declared<P, Q, NoFields, A> & {
    readonly access: X;
    readonly run: (who: CallerOf<X>, input: Input<P, Q, NoFields>, read: Read) => Promise<Static<A>>;
  },
): Endpoint {
  return erased({ ...spec, method: "GET" }, null, (who, input, read) => spec.run(who as never, input as never, read as Read));
}

/** A GET that writes to the audit trail. It holds no connection, and its response must not be cached. */
export function acting<
  const X extends Exclude<Access, "anyone">,
  const P extends ParamKinds = None,
  Q extends TObject = NoFields,
  A extends TSchema = TSchema,
>(
  spec: Declared<P, Q, NoFields, A> & {
    readonly access: X;
    readonly run: (who: CallerOf<X>, input: Input<P, Q, NoFields>) => Promise<Static<A>>;
  },
): Endpoint {
  return { ...erased({ ...spec, method: "GET" }, null, (who, input) => spec.run(who as never, input as never)), acting: true };
}

/**
 * A GET of a file, or a POST of what the file is about. It uses its own transactions, because creating a file takes long and a download can
 * be recorded in the audit trail. With an `answer` it can return data instead, as `Answered`.
 */
export function serving<
  const X extends Exclude<Access, "anyone">,
  const P extends ParamKinds = None,
  Q extends TObject = NoFields,
  B extends TObject = NoFields,
  A extends TSchema = TNever,
>(
  spec: Omit<Declared<P, Q, B, A>, "answer" | "secret" | "idempotent"> & {
    readonly method?: "POST";
    readonly access: X;
    readonly types: readonly string[];
    readonly answer?: readonly [status: 200, schema: A];
    readonly run: (who: CallerOf<X>, input: Input<P, Q, B>) => Promise<FileAnswer | StreamAnswer | Answered<Static<A>>>;
  },
): Endpoint {
  const method: Method = spec.method ?? "GET";
  const declared = { ...spec, method, idempotent: false, answer: spec.answer ?? ([200, Type.Object({})] as const) };
  return {
    ...erased(declared, null, (who, input) => spec.run(who as never, input as never)),
    acting: true,
    file: spec.types,
    fileOrData: spec.answer !== undefined,
  };
}

/** A list, newest first. `page` and `limit` are checked and `meta` is added by http/. */
export function listing<
  const X extends Exclude<Access, "anyone">,
  const P extends ParamKinds = None,
  Q extends TObject = NoFields,
  A extends TSchema = TSchema,
>(
  spec: Omit<Declared<P, Q, NoFields, A>, "answer"> & {
    readonly access: X;
    readonly item: A;
    readonly limits?: { readonly limit: number; readonly max: number };
    readonly run: (who: CallerOf<X>, input: Input<P, Q, NoFields> & PageRequest, read: Read) => Promise<Page<Static<A>>>;
  },
): Endpoint {
  const limits = spec.limits ?? { limit: 50, max: 200 };
  return erased({ ...spec, method: "GET", answer: [200, spec.item] }, limits, (who, { page, ...input }, read) =>
    spec.run(who as never, { ...input, ...page } as never, read as Read),
  );
}

function erased(
  spec: Declared<ParamKinds, TObject, TObject, TSchema> & { readonly method: Method; readonly access: Access },
  list: Endpoint["list"],
  run: Endpoint["run"],
): Endpoint {
  const { name, summary, method, path, access } = spec;
  return {
    name,
    summary,
    description: spec.description ?? null,
    resource: spec.resource ?? null,
    sdk: spec.sdk ?? null,
    stability: spec.stability ?? null,
    method,
    path,
    access,
    params: spec.params ?? {},
    missing: spec.missing ?? "not_found",
    query: spec.query,
    body: spec.body,
    maxBodyBytes: spec.maxBodyBytes ?? (access === "anyone" ? MAX_ANONYMOUS_BYTES : MAX_JSON_BYTES),
    attached: spec.attached ?? null,
    status: spec.answer[0],
    answer: spec.answer[1],
    problems: spec.problems ?? [],
    secret: spec.secret ?? false,
    mayContinue: spec.mayContinue ?? false,
    alternative: spec.alternative === undefined ? null : { status: spec.alternative[0], answer: spec.alternative[1] },
    // Stored responses belong to an organization, which a person does not have.
    idempotent: method === "POST" && access !== "anyone" && !("person" in access) && (spec.idempotent ?? true),
    ifMatch: spec.ifMatch ?? false,
    stepUp: spec.stepUp ?? false,
    ownAccount: spec.ownAccount ?? false,
    followsLive: spec.followsLive ?? false,
    testOnly: spec.testOnly ?? false,
    acting: false,
    file: null,
    fileOrData: false,
    list,
    examples: spec.examples ?? {},
    form: null,
    exists: null,
    prepare: null,
    discard: null,
    failed: null,
    run,
  };
}
