import { canonicalize, type Json } from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import type { Member } from "../shared/caller.ts";
import { isLoopback } from "../shared/loopback.ts";
import { invalidField } from "../shared/problems.ts";
import type { OrgDeps, Settings } from "./org.ts";
import { findSettings, hasMember, lockSettings, type SettingsRow, updateSettings } from "./store.ts";

export type SettingsChange = { readonly [K in keyof (Settings & { name: string })]?: (Settings & { name: string })[K] | undefined };

/** Changes what is named and leaves the rest; each change is an entry with the values before and after. */
export async function changeSettings(deps: OrgDeps, admin: Member, change: SettingsChange): Promise<SettingsRow> {
  refuseBadOrigins(change.embed_origins ?? [], deps.localMode);
  return deps.db.tx(admin.org, async (tx) => {
    const before = await lockSettings(tx, admin.org);
    const custodian = change.default_custodian_user_id ?? null;
    if (custodian !== null && !(await hasMember(tx, admin.org, custodian))) {
      throw invalidField("default_custodian_user_id", "not_found", "is not a member of this organization");
    }
    const changed = Object.entries(change).filter(
      ([name, value]) => value !== undefined && !same(value, before[name as keyof SettingsChange]),
    );
    if (changed.length === 0) return before;
    await updateSettings(tx, admin.org, { ...before, ...Object.fromEntries(changed) });
    const data = Object.fromEntries(
      changed.map(([name, to]) => [name, { from: before[name as keyof SettingsChange] as Json, to: to as Json }]),
    );
    await appendAudit(tx, admin.org, { type: "settings.changed", by: admin, data: { changes: data } });
    return findSettings(tx, admin.org);
  });
}

/** By value: the database keeps the members of an object in an order of its own. */
function same(a: unknown, b: unknown): boolean {
  return canonicalize(a) === canonicalize(b);
}

/** Exact origins only, `https://host[:port]`: one list drives who may frame the pages and whom they talk to. */
function refuseBadOrigins(origins: readonly string[], localMode: boolean): void {
  for (const [index, origin] of origins.entries()) {
    if (!isExactOrigin(origin, localMode)) {
      throw invalidField(
        `embed_origins[${index}]`,
        "invalid_format",
        "must be an exact origin such as https://app.example.com, without path or wildcard",
      );
    }
  }
}

function isExactOrigin(text: string, localMode: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  // Letters, digits, dots and hyphens, or an IPv6 address: anything else could end the header that the list is written into.
  if (url.origin !== text || !/^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname) && localMode);
}
