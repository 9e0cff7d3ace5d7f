import { operations, type Operations as PublicOperations } from "@countersign/client/operations";
import { type PageOperations, pageOperations } from "@countersign/client/pages";
import type { OfKind } from "../operation.ts";

/** The operations that the console can call: the public API, and the pages' operations that work without a session. */
export interface Operations extends PublicOperations, PageOperations {}

export type OperationId = keyof Operations;
export type DataId = OfKind<Operations, "data">;
export type ListId = OfKind<Operations, "list">;
export type FileId = OfKind<Operations, "file">;

/** Operations without path parameters. */
export type PlainId = { [O in DataId]: Operations[O]["params"] extends undefined ? O : never }[DataId];

/** The arguments of any operation, untyped. */
export interface AnyGiven {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: object;
}

const table: Readonly<Record<OperationId, readonly [method: string, path: string]>> = { ...operations, ...pageOperations };

export const methodOf = (operation: OperationId): string => table[operation][0];

/** The path without the `/api/v2` prefix. Ids are encoded, because they may come from the address bar. */
export function pathOf(operation: OperationId, { params = {}, query = {} }: AnyGiven = {}): string {
  const path = table[operation][1].replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}

export const urlOf = (operation: OperationId, given?: AnyGiven): string => `/api/v2${pathOf(operation, given)}`;
