import { Type } from "typebox";
import type { User } from "../accounts/account.ts";
import { hashPassword, refuseWeakPassword } from "../accounts/passwords.ts";
import { insertUser, lookUpLogin } from "../accounts/store.ts";
import { appendAudit, type NewEntry } from "../audit/append-audit.ts";
import { isUniqueViolation } from "../db/errors.ts";
import type { SystemTx } from "../db/sql.ts";
import { Email, Name } from "../http/shapes.ts";
import { validator } from "../http/validate.ts";
import { asSystem, type Origin } from "../shared/caller.ts";
import { newId, type OrgId, type UserId } from "../shared/ids.ts";
import { coded } from "../shared/problems.ts";
import { inviteAdmin } from "./invite-member.ts";
import type { OrgDeps } from "./org.ts";
import { insertMember, insertOrg } from "./store.ts";

export interface NewOrg {
  readonly org_name: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** further data about how the org was created, for its first audit entry */
type Data = NewEntry["data"];

export interface CreatedOrg {
  readonly org_id: OrgId;
  readonly user_id: UserId;
}

// Values from the command line and the environment are not validated by an endpoint.
const checkNewOrg = validator(Type.Object({ org_name: Name, email: Email, name: Name }), "body");
const checkOrgName = validator(Type.Object({ org_name: Name }), "body");

export type PreparedOrg = Omit<NewOrg, "password"> & { readonly password_hash: string };

/** Before the transaction, because the hash is slow on purpose. */
async function prepareOrg(deps: Pick<OrgDeps, "proofs">, { org_name, email, name, password }: NewOrg): Promise<PreparedOrg> {
  checkNewOrg({ org_name, email, name });
  await refuseWeakPassword(deps, password, { email, names: [name, org_name] });
  return { org_name, email, name, password_hash: await hashPassword(deps, password) };
}

/**
 * Creates an org and its first admin in one transaction. The admin gets a new account, for whose address the operator vouches. An
 * address that already has an account is rejected, because the person who created that account may not own the address.
 */
async function saveOrg(tx: SystemTx, by: Origin, prepared: PreparedOrg, about: Data = {}): Promise<CreatedOrg> {
  const { org_name, email, name, password_hash } = prepared;
  if ((await lookUpLogin(tx, email)) !== null) throw accountExists();
  const user = { user_id: newId("user", tx.now.getTime()), email, name };
  await insertUser(tx, { ...user, password_hash, verified_by: "operator" }).catch((error) => {
    throw isUniqueViolation(error) ? accountExists(error) : error;
  });
  return createOrgOf(tx, by, org_name, user, about);
}

/** The steps of the operation, in their order. */
export const createOrg = { prepare: prepareOrg, save: saveOrg };

const accountExists = (cause?: unknown) => coded("account_exists", "invite the owner of this address instead", { cause });

/** Creates an org whose first admin was created earlier in the same transaction. */
export async function createOrgOf(
  tx: SystemTx,
  by: Origin,
  org_name: string,
  { user_id, email }: User,
  about: Data = {},
): Promise<CreatedOrg> {
  const org_id = newId("org", tx.now.getTime());
  await tx.forOrg(org_id, async () => {
    const entry = await openOrg(tx, org_id, by, org_name, about);
    await insertMember(tx, org_id, user_id, "admin");
    const data = { user_id, email, role: "admin", account: "new", email_verified_by: "operator" };
    await appendAudit(tx, org_id, { ...entry, type: "member.joined", data });
  });
  return { org_id, user_id };
}

export interface InvitedOrg {
  readonly org_id: OrgId;
  readonly accept_url: string;
}

/** Creates an org without members, and the link with which its first admin joins. No account has access until its owner accepts. */
export async function createOrgByInvitation(
  deps: OrgDeps,
  tx: SystemTx,
  by: Origin,
  wanted: Pick<NewOrg, "org_name" | "email">,
): Promise<InvitedOrg> {
  const { org_name, email } = wanted;
  checkOrgName({ org_name });
  const org_id = newId("org", tx.now.getTime());
  return tx.forOrg(org_id, async () => {
    await openOrg(tx, org_id, by, org_name, {});
    const { accept_url } = await inviteAdmin(deps, tx, org_id, by, email);
    return { org_id, accept_url };
  });
}

async function openOrg(tx: SystemTx, org_id: OrgId, by: Origin, name: string, about: Data) {
  await insertOrg(tx, org_id, name);
  const entry = { by: asSystem(by) };
  await appendAudit(tx, org_id, { ...entry, type: "org.created", data: { name, ...about } });
  return entry;
}
