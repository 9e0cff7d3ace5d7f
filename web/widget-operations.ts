import type { PageOperations } from "@countersign/client/pages";
import type { Answer, Arguments, Given, OfKind, PageOf } from "./operation.ts";

/**
 * The operations of a widget by method and path below `/embed/<widget>/{envelope_id}`, such as `POST /consent`. Types only, so that they add
 * nothing to the size of the page.
 */
type Below<W extends string> = Under<`/embed/${W}/{envelope_id}`>;

type Under<Base extends string> = {
  [O in keyof PageOperations as PageOperations[O]["path"] extends `${Base}${infer Path}`
    ? Name<PageOperations[O]["method"], Path>
    : never]: PageOperations[O];
};

type Name<Method extends string, Path extends string> = Path extends "" ? Method : `${Method} ${Filled<Path>}`;
type Filled<Path extends string> = Path extends `${infer Before}{${infer Param}}${infer After}`
  ? `${Before}${Param extends "page" ? number : string}${Filled<After>}`
  : Path;

/** The address of an operation that needs no token, to be checked with `satisfies`. */
export type AddressOf<O extends keyof PageOperations> = `/api/v2${Filled<PageOperations[O]["path"]>}`;

export type SigningOperations = Below<"sign">;
export type VaultOperations = Below<"vault">;

/** The operations of people who act for parties, by method and path below `/p/api`, such as `POST /code`. */
export type PersonOperations = Under<"/p/api">;

/** Options of a call in addition to the parameters of the operation. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** the request completes even if the page is closed */
  readonly keepalive?: boolean;
}

type GivenBelow<O> = Omit<Given<O>, "params"> & Sending;

export type Call<All> = <O extends OfKind<All, "data">>(operation: O, ...given: Arguments<GivenBelow<All[O]>>) => Promise<Answer<All[O]>>;

export type CallForFile<All> = <O extends OfKind<All, "file">>(operation: O, ...given: Arguments<GivenBelow<All[O]>>) => Promise<Blob>;

export type CallForPage<All> = <O extends OfKind<All, "list">>(
  operation: O,
  ...given: Arguments<GivenBelow<All[O]>>
) => Promise<PageOf<All[O]>>;

/** Like `Call`, but retries until the service answers. The parameters are computed for each attempt, because the language may change. */
export type CallUntilAnswered<All> = <O extends OfKind<All, "data">>(
  first: Promise<Response> | null,
  operation: O,
  given?: () => GivenBelow<All[O]>,
) => Promise<Answer<All[O]>>;
