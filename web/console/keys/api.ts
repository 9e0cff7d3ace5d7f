import { scopes } from "@countersign/client/lists";
import type { Scope } from "@countersign/client/types";
import { en as words } from "../words/keys/en.ts";

/** What each scope of a key allows. */
export const scopeWords: Record<Scope, string> = words.scopes;

/** The preselected scopes: what most programs need. */
export const defaultScopes: readonly Scope[] = ["envelopes:read", "envelopes:write", "esign:write", "customers:read", "customers:write"];

export const presets: readonly (readonly [name: string, scopes: readonly Scope[]])[] = [
  // What every person did is not needed for reading documents.
  [words.presets.read, scopes.filter((scope) => scope.endsWith(":read") && scope !== "audit:read")],
  // The most that the server for AI agents accepts.
  [words.presets.draft, ["customers:read", "compliance:read", "drafts:write"]],
  [words.presets.send, defaultScopes],
  [words.presets.all, scopes],
];

export const areSameScopes = (some: readonly Scope[], others: readonly Scope[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
