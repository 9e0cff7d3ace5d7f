import { scopes } from "@countersign/client/lists";
import type { Scope } from "@countersign/client/types";

/** What each scope of a key allows; docs/decisions/0002-scopes.md. */
export const scopeWords: Record<Scope, string> = {
  "envelopes:read": "See envelopes, templates, documents, signers and their history; create signing links.",
  "envelopes:write": "Create and change envelopes and templates, place fields, send, remind and void.",
  "esign:write": "Send and remind, correct signers, set identity questions, embed signing in your own pages.",
  "customers:read": "Look up customers.",
  "customers:write": "Create and change customers, also by importing a file.",
  "vault:read": "See vaulted documents: marked copies, certificates, evidence and the access log.",
  "vault:write": "Store originals in the vault, evaluate them again, assign them, place and release legal holds.",
  "vault:release": "Export authoritative copies from the vault to another party.",
  "compliance:read": "See the results of the eight compliance checks.",
  "custody:write": "Start, accept, reject and cancel custody transfers.",
  "control:write": "Propose acts on originals in the vault: assign, pledge, release, move custody, and cancel them.",
  "control:approve": "Confirm or refuse acts for this organization.",
  "parties:write": "Create parties and change who acts for them; give auditors access to records.",
  "webhooks:read": "See webhook endpoints and their deliveries.",
  "webhooks:write": "Create, change and delete webhook endpoints; rotate their secrets, test and replay.",
};

/** The preselected scopes: what most programs need. */
export const defaultScopes: readonly Scope[] = ["envelopes:read", "envelopes:write", "esign:write", "customers:read", "customers:write"];

export const presets: readonly (readonly [name: string, scopes: readonly Scope[]])[] = [
  ["Read only", scopes.filter((scope) => scope.endsWith(":read"))],
  ["Send documents", defaultScopes],
  ["Everything", scopes],
];

export const areSameScopes = (some: readonly Scope[], others: readonly Scope[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
