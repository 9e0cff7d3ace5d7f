import type { Meta } from "@countersign/client/types";

/** Types of API calls, derived from the generated operations of `@countersign/client`. */

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly kind: "data" | "list" | "file";
  readonly answer: unknown;
}

/** The operations of one kind, by name. */
export type OfKind<All, K extends Operation["kind"]> = {
  [O in keyof All]: All[O] extends { readonly kind: K } ? O : never;
}[keyof All] &
  keyof All &
  string;

/** The filters of a screen: null and empty text are left out. */
type Filters<Q> = { readonly [N in keyof Q]: Q[N] | null | "" };

/** Files are sent as Blobs. Null: no file was chosen, and the service reports that it is missing. */
type Sent<B> = B extends object ? { readonly [N in keyof B]: Blob extends B[N] ? Blob | null : B[N] } : B;

/** Absent if the operation has no such part, optional if it may be left out. */
type Part<N extends string, T> = [T] extends [undefined]
  ? unknown
  : undefined extends T
    ? { readonly [K in N]?: T }
    : { readonly [K in N]: T };

export type Given<O> = O extends Operation
  ? Part<"params", O["params"]> & Part<"query", Filters<O["query"]>> & Part<"body", Sent<O["body"]>>
  : never;

/** The argument is optional if the operation requires nothing. */
export type Arguments<G> = object extends G ? readonly [given?: G] : readonly [given: G];

export type Answer<O> = (O & Operation)["answer"];

/** One page of a list. */
export type Page<T> = {
  readonly data: readonly T[];
  readonly meta: Readonly<Meta>;
};
export type PageOf<O> = Answer<O> extends readonly (infer T)[] ? Page<T> : never;

/** Deeply read-only. */
export type Frozen<T> = T extends object ? { readonly [N in keyof T]: Frozen<T[N]> } : T;
