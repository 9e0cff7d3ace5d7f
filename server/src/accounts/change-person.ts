import type { Member } from "../shared/caller.ts";
import type { Locale } from "../shared/locales.ts";
import type { AccountDeps, OwnDetails } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { lockOwnDetails, updateOwnDetails } from "./store.ts";

export interface PersonChange {
  readonly name?: string | undefined;
  /** null: no language of one's own */
  readonly locale?: Locale | null | undefined;
}

const own = ["name", "locale"] as const;

/** Changes what is given and keeps the rest. Each organization of the person records it. */
export async function changePerson(deps: AccountDeps, member: Member, change: PersonChange): Promise<OwnDetails> {
  const { user_id } = member.session;
  return deps.db.system(async (tx) => {
    const before = await lockOwnDetails(tx, user_id);
    const changed = own.filter((field) => change[field] !== undefined && change[field] !== before[field]);
    if (changed.length === 0) return before;
    const { name = before.name, locale = before.locale } = change;
    const now = { ...before, name, locale };
    await updateOwnDetails(tx, now);
    const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: now[field] }]));
    await appendInOrgs(tx, user_id, { type: "person.changed", by: member, data: { user_id, changes } });
    return now;
  });
}
