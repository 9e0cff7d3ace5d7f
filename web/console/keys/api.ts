import { scopes } from "@countersign/client/lists";
import type { Scope } from "@countersign/client/types";

/** What each scope of a key allows; docs/decisions/0002-scopes.md. */
export const scopeWords: Record<Scope, string> = {
  "envelopes:read": "See envelopes, templates, documents, signers and their history; make signing links.",
  "envelopes:write": "Create and change envelopes and templates, place fields, send, remind and void.",
  "esign:write": "Send and remind, correct a signer, set identity questions, open signing inside your own pages.",
  "customers:read": "Look customers up.",
  "customers:write": "Create and change customers, also many at once from a file.",
  "vault:read": "See what the vault keeps: marked copies, certificates, evidence, who had access.",
  "vault:write": "Put originals into the vault, evaluate them again, assign them, place and release legal holds.",
  "vault:release": "Hand the authoritative copy of a document out of the vault, to another party.",
  "compliance:read": "See how the eight checks of a document came out.",
  "custody:write": "Begin custody transfers, and accept, reject or cancel them.",
  "webhooks:read": "See webhook endpoints and what was delivered to them.",
  "webhooks:write": "Create, change and delete webhook endpoints; rotate their secrets, test and replay.",
};

/** What most programs want of a key. */
export const toBeginWith: readonly Scope[] = ["envelopes:read", "envelopes:write", "esign:write", "customers:read", "customers:write"];

export const presets: readonly (readonly [name: string, scopes: readonly Scope[]])[] = [
  ["Read only", scopes.filter((scope) => scope.endsWith(":read"))],
  ["Send documents", toBeginWith],
  ["Everything", scopes],
];

export const isSame = (some: readonly Scope[], others: readonly Scope[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
