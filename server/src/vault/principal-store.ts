import { type Read, sql } from "../db/sql.ts";
import type { Actor, Caller } from "../shared/caller.ts";
import type { KeyId, OrgId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";

/** The person behind a credential: the user of a session, or the creator of a key. Two keys of one person are one principal. */
export interface Principal {
  readonly id: string;
  /** in lower case; one person can be a user here and a party's person, with two ids */
  readonly email: string;
}

/** The principal of a console session or a key. 403 for a key whose creator is not a member of the organization any more. */
export async function findPrincipal(read: Read, { org, actor }: Pick<Caller, "org" | "actor">): Promise<Principal> {
  const principal = await lookUpPrincipal(read, org, actor);
  if (principal === null) throw new Problem("no_principal");
  return principal;
}

/** Null if there is no person behind the credential. */
export async function lookUpPrincipal(read: Read, org: OrgId, actor: Actor): Promise<Principal | null> {
  if (actor.kind === "user") return lookUpMember(read, org, sql`${actor.id satisfies UserId}`);
  if (actor.kind !== "key") return null;
  return lookUpMember(read, org, sql`(select created_by from api_keys where org_id = ${org} and key_id = ${actor.id satisfies KeyId})`);
}

async function lookUpMember(read: Read, org: OrgId, user_id: ReturnType<typeof sql>): Promise<Principal | null> {
  const { rows } = await read.query<Principal>(sql`
    select u.user_id as id, lower(u.email) as email from members m join users u using (user_id)
    where m.org_id = ${org} and m.user_id = ${user_id}`);
  return rows[0] ?? null;
}

export const isSamePrincipal = (one: Principal, other: Principal): boolean => one.id === other.id || one.email === other.email;

export async function isAdmin(read: Read, org: OrgId, { id }: Principal): Promise<boolean> {
  const { rows } = await read.query(sql`select from members where org_id = ${org} and user_id = ${id} and role = 'admin'`);
  return rows.length === 1;
}

/** Whether a person with this address is a member: an approver who is one is not independent of the organization. */
export async function isMemberAddress(read: Read, org: OrgId, email: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from members m join users u using (user_id) where m.org_id = ${org} and lower(u.email) = ${email}`);
  return rows.length > 0;
}
