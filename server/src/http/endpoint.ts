import type { Static, TObject, TSchema } from "typebox";
import type { Read } from "../db/sql.ts";
import type { Caller, Member, Origin } from "../shared/caller.ts";
import type { Id, IdKind } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { ProblemCode } from "../shared/problems.ts";
import type { Role, Scope } from "../shared/scopes.ts";

/** An endpoint is a declaration: routing, authentication, validation, types and OpenAPI all come from this one value. */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Who may call. `role`: a console session of at least this role. `anyScope`: a key with one of these, or a session whose role stands for one. */
export type Access = { readonly role: Role } | { readonly anyScope: readonly Scope[] } | "anyone";

type ParamKinds = Readonly<Record<string, IdKind>>;
type ParamsOf<P extends ParamKinds> = { readonly [K in keyof P]: Id<P[K]> };

interface Declared<P extends ParamKinds, Q extends TObject, B extends TObject, A extends TSchema> {
  /** the name in OpenAPI and in generated clients, `create_key` */
  readonly name: string;
  readonly summary: string;
  readonly path: string;
  /** each path parameter and the kind of id it must be; anything else is answered like a missing record */
  readonly params?: P;
  readonly missing?: ProblemCode;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: readonly [status: 200 | 201 | 202, schema: A];
  readonly problems?: readonly ProblemCode[];
  /** the answer is shown once and never stored for a replay */
  readonly secret?: boolean;
  /** false: an Idempotency-Key is not honoured, because the operation does not fit into one transaction */
  readonly idempotent?: boolean;
}

interface Input<P extends ParamKinds, Q extends TObject, B extends TObject> {
  readonly params: ParamsOf<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
}

/** Somebody who has not proved who they are: log-on, set-up, links from a mail. */
export interface Visitor extends Origin {
  readonly cookies: Readonly<Record<string, string>>;
  /** the `Origin` header, which a browser sets and a page cannot forge */
  readonly origin: string | null;
  readonly bearer: string | null;
}

/** Data together with headers, for the few answers that set a cookie. */
export class Answered<D> {
  readonly data: D;
  readonly headers: Readonly<Record<string, string>>;
  constructor(data: D, headers: Readonly<Record<string, string>>) {
    this.data = data;
    this.headers = headers;
  }
}

/** What http/ works with; the types of the parts were checked where the endpoint was declared. */
export interface Endpoint {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly params: ParamKinds;
  readonly missing: ProblemCode;
  readonly query: TObject | undefined;
  readonly body: TObject | undefined;
  readonly status: number;
  readonly answer: TSchema;
  readonly problems: readonly ProblemCode[];
  readonly secret: boolean;
  /** a POST of a known caller, whose answer an Idempotency-Key repeats */
  readonly idempotent: boolean;
  /** default and maximum of `limit` for a list; null for anything else */
  readonly list: { readonly limit: number; readonly max: number } | null;
  readonly run: (who: Caller | Visitor, input: ErasedInput, read: Read | null) => Promise<unknown>;
}

export interface ErasedInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly page: PageRequest | null;
}

// biome-ignore lint/complexity/noBannedTypes: the type of "no parameters" is the empty object
type None = {};
type NoFields = TObject<None>;

type CallerOf<X extends Access> = X extends { readonly role: Role } ? Member : X extends "anyone" ? Visitor : Caller;

/** A write, or an act: the body is read after the caller was admitted, and a POST takes an Idempotency-Key. */
export function endpoint<
  const X extends Access,
  const P extends ParamKinds = None,
  Q extends TObject = NoFields,
  B extends TObject = NoFields,
  A extends TSchema = TSchema,
>(
  spec: Declared<P, Q, B, A> & {
    readonly method: Exclude<Method, "GET">;
    readonly access: X;
    readonly run: (who: CallerOf<X>, input: Input<P, Q, B>) => Promise<Static<A> | Answered<Static<A>>>;
  },
): Endpoint {
  return erased(spec, null, (who, input) => spec.run(who as never, input as never));
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
    method,
    path,
    access,
    params: spec.params ?? {},
    missing: spec.missing ?? "not_found",
    query: spec.query,
    body: spec.body,
    status: spec.answer[0],
    answer: spec.answer[1],
    problems: spec.problems ?? [],
    secret: spec.secret ?? false,
    idempotent: method === "POST" && access !== "anyone" && (spec.idempotent ?? true),
    list,
    run,
  };
}
