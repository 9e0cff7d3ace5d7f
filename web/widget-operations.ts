import type { PageOperations } from "@countersign/client/pages";
import type { Answer, Arguments, Given, OfKind, PageOf } from "./operation.ts";

/**
 * The operations of a widget by method and the part of their path below `/embed/<widget>/{envelope_id}`: `POST /consent`. Types alone, so
 * that a page that signers wait for carries no table of them.
 */
type Below<W extends string> = {
  [O in keyof PageOperations as PageOperations[O]["path"] extends `/embed/${W}/{envelope_id}${infer Path}`
    ? Name<PageOperations[O]["method"], Path>
    : never]: PageOperations[O];
};

type Name<Method extends string, Path extends string> = Path extends "" ? Method : `${Method} ${Filled<Path>}`;
type Filled<Path extends string> = Path extends `${infer Before}{${infer Param}}${infer After}`
  ? `${Before}${Param extends "page" ? number : string}${Filled<After>}`
  : Path;

/** Where an operation is that a page asks for without a token: `satisfies` checks the address against it. */
export type AddressOf<O extends keyof PageOperations> = `/api/v2${Filled<PageOperations[O]["path"]>}`;

export type SigningOperations = Below<"sign">;
export type VaultOperations = Below<"vault">;

/** What goes with a call in addition to what the operation takes. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** the page is being left: the browser sends it all the same */
  readonly keepalive?: boolean;
}

type GivenBelow<O> = Omit<Given<O>, "params"> & Sending;

export type Call<All> = <O extends OfKind<All, "data">>(operation: O, ...given: Arguments<GivenBelow<All[O]>>) => Promise<Answer<All[O]>>;

export type CallForFile<All> = <O extends OfKind<All, "file">>(operation: O, ...given: Arguments<GivenBelow<All[O]>>) => Promise<Blob>;

export type CallForPage<All> = <O extends OfKind<All, "list">>(
  operation: O,
  ...given: Arguments<GivenBelow<All[O]>>
) => Promise<PageOf<All[O]>>;

/** As a call, repeated until it is answered. What is given is made anew each time: it may hold the language. */
export type Hear<All> = <O extends OfKind<All, "data">>(
  first: Promise<Response> | null,
  operation: O,
  given?: () => GivenBelow<All[O]>,
) => Promise<Answer<All[O]>>;
