import { type Static, type TNever, type TObject, type TSchema, Type } from "typebox";
import type { Read } from "../db/sql.ts";
import type { Caller, Member, Origin, Widget, WidgetCaller } from "../shared/caller.ts";
import type { Id, IdKind } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { ProblemCode } from "../shared/problems.ts";
import type { Role, Scope } from "../shared/scopes.ts";
import type { Slug } from "../shared/slugs.ts";
import { MAX_ANONYMOUS_BYTES, MAX_JSON_BYTES } from "./body.ts";
import type { ReceivedFile } from "./form.ts";
import type { Unchanged } from "./if-match.ts";

/** An endpoint is a declaration: routing, authentication, validation, types and OpenAPI all come from this one value. */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call. `role`: a console session of at least this role. `anyScope`: a key with one of these, or a session whose role stands
 * for one. `widget`: the token of a widget, whose envelope the path must name as `:envelope_id`.
 */
export type Access = { readonly role: Role } | ScopedAccess | WidgetAccess | "anyone";

export interface WidgetAccess {
  readonly widget: Widget;
  /** what it counts as: a page of the document has a ceiling of its own, beside the one for calls */
  readonly counts?: "page";
}

export interface ScopedAccess {
  readonly anyScope: readonly Scope[];
  /** a session needs this role besides: for what a scope to read would show, but lets its reader act */
  readonly leastRole?: Role;
  /** which of the scopes this body needs: then the body is read and checked before the scope is */
  readonly scopeOf?: (body: never) => Scope;
}

/** `number`: a whole number from 1, as of a page. */
export type ParamKind = IdKind | "slug" | "number";
type ParamKinds = Readonly<Record<string, ParamKind>>;
type ParamOf<K extends ParamKind> = K extends IdKind ? Id<K> : K extends "slug" ? Slug : string;
type ParamsOf<P extends ParamKinds> = { readonly [K in keyof P]: ParamOf<P[K]> };

interface Declared<P extends ParamKinds, Q extends TObject, B extends TObject, A extends TSchema> {
  /** the name in OpenAPI and in generated clients, `create_key` */
  readonly name: string;
  /** an imperative of at most 60 characters: "Send an envelope" */
  readonly summary: string;
  /** one to four sentences: what it does, when to use it, what happens next, limits */
  readonly description?: string;
  /** what it is about; the tag in OpenAPI. Every operation for integrators has one */
  readonly resource?: Resource;
  /** the method of every client, `envelopes.create`. An operation that has one is for integrators */
  readonly sdk?: string;
  readonly stability?: Stability;
  readonly path: string;
  /** each path parameter and the kind of id it must be; anything else is answered like a missing record */
  readonly params?: P;
  readonly missing?: ProblemCode;
  readonly query?: Q;
  readonly body?: B;
  /** the most bytes of a JSON body; nothing said: 16 KB where anyone may call, else 1 MB */
  readonly maxBodyBytes?: number;
  /** the name of a file that may come with the body: then both are parts of a form, the body as JSON in `payload` */
  readonly attached?: string;
  readonly answer: readonly [status: 200 | 201 | 202, schema: A];
  readonly problems?: readonly ProblemCode[];
  /** the answer is shown once and never stored for a replay */
  readonly secret?: boolean;
  /** it may answer 202 with the same body instead, while what was asked for goes on */
  readonly goesOn?: boolean;
  /** another success with a body of its own, for which `run` answers with `Alternative` */
  readonly alternative?: readonly [status: 200, schema: TSchema];
  /** false: an Idempotency-Key is not honoured, because the operation does not fit into one transaction */
  readonly idempotent?: boolean;
  /** it honours `If-Match`: `run` calls `input.unchanged` with what GET shows, after the lock of the row. Elsewhere the header is 422 */
  readonly ifMatch?: boolean;
  readonly examples?: Examples;
}

/** The tags of OpenAPI, in the order in which they are shown. */
export const resources = [
  "Envelopes",
  "Signers",
  "Fields",
  "Templates",
  "Customers",
  "Vault",
  "Compliance",
  "Custody",
  "Vault exports",
  "Webhook endpoints",
  "Events and deliveries",
  "Embedding",
  "API keys",
  "Members",
  "Organization",
  "Sessions",
] as const;
export type Resource = (typeof resources)[number];

/** `beta` may change in any release. What is deprecated is removed on the day that it names, or later. */
export type Stability = "beta" | { readonly deprecated: string; readonly use: string };

/** What OpenAPI shows, held to the schemas by a test. */
export interface Examples {
  readonly request?: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
}

interface Input<P extends ParamKinds, Q extends TObject, B extends TObject> {
  readonly params: ParamsOf<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  /** what was attached; null where nothing was, or can be */
  readonly file: ReceivedFile | null;
  readonly unchanged: Unchanged;
}

/**
 * Work that takes long or leaves the database (a PDF, a peer), done before the transaction that `run` is, so that no connection and
 * no lock waits for it. `discard` takes back what a peer was told when `run` does not come to use it.
 */
interface Prepared<C, I, T> {
  readonly prepare: (who: C, input: I) => Promise<T>;
  readonly discard?: (who: C, prepared: T) => Promise<void>;
}

/** The text parts of a form. One that is required and absent or empty is 400; all else is judged after the file's content. */
export interface FormRules<F extends TObject> {
  readonly parts: F;
  /** Parts that hold JSON, and what text that is none makes of the request: a malformed one (400) or an invalid value (422). */
  readonly json?: Readonly<Partial<Record<keyof Static<F> & string, "malformed" | "invalid">>>;
  /** Throws when the file is not of a kind that is wanted. */
  readonly accept: (file: ReceivedFile) => Promise<void>;
}

interface FormInput<P extends ParamKinds, F extends TObject> {
  readonly params: ParamsOf<P>;
  readonly form: Static<F>;
  readonly file: ReceivedFile;
}

/** Somebody who has not proved who they are: log-on, set-up, links from a mail. */
export interface Visitor extends Origin {
  readonly cookies: Readonly<Record<string, string>>;
  /** the `Origin` header, which a browser sets and a page cannot forge */
  readonly origin: string | null;
  readonly bearer: string | null;
}

/** Data together with headers, for the few answers that set a cookie; or with another status than the usual. */
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
  constructor(data: unknown) {
    super(data, {}, 200);
  }
}

/** A file as an answer, whole: what is served was read and hashed before its first byte goes out. */
export interface FileAnswer {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** what a browser is to call it when it saves it; without one it is shown */
  readonly file_name?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What http/ works with; the types of the parts were checked where the endpoint was declared. */
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
  readonly goesOn: boolean;
  readonly alternative: { readonly status: number; readonly answer: TSchema } | null;
  /** a POST of a known caller, whose answer an Idempotency-Key repeats */
  readonly idempotent: boolean;
  readonly ifMatch: boolean;
  /** a GET that leaves a trace: it has transactions of its own, no ETag and no HEAD */
  readonly acting: boolean;
  /** the media types of an answer that is a file; null for JSON */
  readonly file: readonly string[] | null;
  /** it answers with a file or with data, as the query says */
  readonly fileOrData: boolean;
  /** default and maximum of `limit` for a list; null for anything else */
  readonly list: { readonly limit: number; readonly max: number } | null;
  readonly examples: Examples;
  /** a form with a file instead of a JSON body: kept until the answer, or taken while it arrives */
  readonly form: ErasedForm | "arriving" | null;
  /** throws when the record in the path is not there: for forms, whose body is not read in vain */
  readonly exists: ((who: Caller, params: Readonly<Record<string, string>>, read: Read) => Promise<unknown>) | null;
  readonly prepare: ((who: Caller, input: ErasedInput) => Promise<unknown>) | null;
  readonly discard: ((who: Caller, prepared: unknown) => Promise<void>) | null;
  readonly run: (who: Caller | Visitor, input: ErasedInput, read: Read | null, prepared: unknown) => Promise<unknown>;
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
  /** the file of a form that is worked on while it arrives */
  readonly content: AsyncIterable<Uint8Array> | null;
  readonly unchanged: Unchanged;
}

// biome-ignore lint/complexity/noBannedTypes: the type of "no parameters" is the empty object
type None = {};
type NoFields = TObject<None>;

type CallerOf<X extends Access> = X extends { readonly role: Role }
  ? Member
  : X extends { readonly widget: Widget }
    ? WidgetCaller
    : X extends "anyone"
      ? Visitor
      : Caller;

/** A write, or an act: the body is read after the caller was admitted, and a POST takes an Idempotency-Key. */
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
  } & Partial<Prepared<CallerOf<X>, Input<P, Q, B>, T>>,
): Endpoint {
  return {
    ...erased(spec, null, (who, input, _read, prepared) => spec.run(who as never, input as never, prepared as T)),
    prepare: (spec.prepare as Endpoint["prepare"] | undefined) ?? null,
    discard: (spec.discard as Endpoint["discard"] | undefined) ?? null,
  };
}

/** A POST of a form with one file, which lies on disk until the answer. */
export function uploading<
  const X extends Exclude<Access, "anyone">,
  F extends TObject,
  const P extends ParamKinds = None,
  A extends TSchema = TSchema,
  T = undefined,
>(
  spec: Omit<Declared<P, NoFields, NoFields, A>, "query" | "body"> & {
    readonly access: X;
    readonly form: FormRules<F>;
    readonly exists?: (who: CallerOf<X>, params: ParamsOf<P>, read: Read) => Promise<unknown>;
    readonly run: (who: CallerOf<X>, input: FormInput<P, F>, prepared: T) => Promise<Static<A>>;
  } & Prepared<CallerOf<X>, FormInput<P, F>, T>,
): Endpoint {
  const { parts, json = {}, accept } = spec.form;
  const formOf = ({ params, body, file }: ErasedInput) => ({ params, form: body, file }) as never;
  return {
    ...erased({ ...spec, method: "POST" }, null, (who, input, _read, prepared) => spec.run(who as never, formOf(input), prepared as T)),
    form: { parts, json: json as ErasedForm["json"], accept },
    exists: (spec.exists as Endpoint["exists"] | undefined) ?? null,
    prepare: (who, input) => spec.prepare(who as never, formOf(input)),
    discard: (spec.discard as Endpoint["discard"] | undefined) ?? null,
  };
}

/** A POST of a form whose file is worked on while it arrives: the sender is read no faster than `run` takes it. */
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

/** A single record: carries an ETag, and answers 304 to `If-None-Match`. */
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

/** A GET that leaves a trace, because what it shows is an act: no connection is held for it, and no copy of its answer is good later. */
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
 * A GET of a file. It has transactions of its own, because making a file takes long and handing it out may leave a trace. One that
 * declares an `answer` may give data instead, as `Answered`.
 */
export function serving<
  const X extends Exclude<Access, "anyone">,
  const P extends ParamKinds = None,
  Q extends TObject = NoFields,
  A extends TSchema = TNever,
>(
  spec: Omit<Declared<P, Q, NoFields, A>, "answer" | "body" | "secret" | "idempotent"> & {
    readonly access: X;
    readonly types: readonly string[];
    readonly answer?: readonly [status: 200, schema: A];
    readonly run: (who: CallerOf<X>, input: Input<P, Q, NoFields>) => Promise<FileAnswer | Answered<Static<A>>>;
  },
): Endpoint {
  const declared = { ...spec, method: "GET" as const, answer: spec.answer ?? ([200, Type.Object({})] as const) };
  return {
    ...erased(declared, null, (who, input) => spec.run(who as never, input as never)),
    acting: true,
    file: spec.types,
    fileOrData: spec.answer !== undefined,
  };
}

/** A list, newest first: `page` and `limit` are checked here, `meta` is added here. */
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
    goesOn: spec.goesOn ?? false,
    alternative: spec.alternative === undefined ? null : { status: spec.alternative[0], answer: spec.alternative[1] },
    idempotent: method === "POST" && access !== "anyone" && (spec.idempotent ?? true),
    ifMatch: spec.ifMatch ?? false,
    acting: false,
    file: null,
    fileOrData: false,
    list,
    examples: spec.examples ?? {},
    form: null,
    exists: null,
    prepare: null,
    discard: null,
    run,
  };
}
