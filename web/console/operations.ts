import { operations, type Operations as PublicOperations } from "@countersign/client/operations";
import { type PageOperations, pageOperations } from "@countersign/client/pages";
import type { OfKind } from "../operation.ts";

/** What the console can call: everything that a partner's program can, and what needs nobody to be signed in. */
export interface Operations extends PublicOperations, PageOperations {}

export type OperationId = keyof Operations;
export type DataId = OfKind<Operations, "data">;
export type ListId = OfKind<Operations, "list">;
export type FileId = OfKind<Operations, "file">;

/** Those that are named by their path alone. */
export type PlainId = { [O in DataId]: Operations[O]["params"] extends undefined ? O : never }[DataId];

/** What any operation is given, whatever it takes. */
export interface AnyGiven {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: object;
}

const table: Readonly<Record<OperationId, readonly [method: string, path: string]>> = { ...operations, ...pageOperations };

export const methodOf = (operation: OperationId): string => table[operation][0];

/** Without what comes before it on every path. An id may come from the address bar, where anybody can write anything. */
export function pathOf(operation: OperationId, { params = {}, query = {} }: AnyGiven = {}): string {
  const path = table[operation][1].replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}

export const urlOf = (operation: OperationId, given?: AnyGiven): string => `/api/v2${pathOf(operation, given)}`;
