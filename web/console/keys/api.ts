/** What the screens show of a key, and what its scopes allow. */

export interface Key {
  readonly key_id: string;
  readonly partner_name: string;
  readonly key_hint: string;
  readonly scopes: readonly string[];
  readonly rate_limit_rpm: number;
  readonly status: "active" | "deactivated";
  /** unknown fields in its requests are ignored, not refused */
  readonly lenient_fields: boolean;
  readonly webhook: Readonly<Record<string, unknown>> | null;
  readonly last_used_at: string | null;
  readonly created_at: string;
  readonly rotated_at: string | null;
  readonly previous_key_expires_at: string | null;
  readonly deactivated_at: string | null;
  readonly created_by: string | null;
}

/** With the raw key, which is in the answer to its making and nowhere else. */
export interface NewKey extends Key {
  readonly api_key: string;
}

/** docs/decisions/0002-scopes.md: the list is complete. */
export const scopeWords: readonly (readonly [scope: string, words: string])[] = [
  ["envelopes:read", "See envelopes, templates, documents, signers and their history; make signing links."],
  ["envelopes:write", "Create and change envelopes and templates, place fields, send, remind and void."],
  ["esign:write", "Send and remind, correct a signer, set identity questions, open signing inside your own pages."],
  ["customers:read", "Look customers up."],
  ["customers:write", "Create and change customers, also many at once from a file."],
  ["vault:read", "See what the vault keeps: marked copies, certificates, evidence, who had access."],
  ["vault:write", "Put originals into the vault, evaluate them again, assign them, place and release legal holds."],
  ["vault:release", "Hand the authoritative copy of a document out of the vault, to somebody else."],
  ["compliance:read", "See how the eight checks of a document came out."],
  ["custody:write", "Begin custody transfers, and accept, reject or cancel them."],
  ["webhooks:read", "See webhook endpoints and what was delivered to them."],
  ["webhooks:write", "Create, change and delete webhook endpoints; rotate their secrets, test and replay."],
];

const all = scopeWords.map(([scope]) => scope);

/** What most programs want of a key. */
export const toBeginWith: readonly string[] = ["envelopes:read", "envelopes:write", "esign:write", "customers:read", "customers:write"];

export const presets: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  ["Read only", all.filter((scope) => scope.endsWith(":read"))],
  ["Send documents", toBeginWith],
  ["Everything", all],
];

export const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
