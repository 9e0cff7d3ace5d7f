import { Type } from "typebox";
import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import { Email, Name } from "../http/shapes.ts";
import { validator } from "../http/validate.ts";
import { type Origin, SYSTEM } from "../shared/caller.ts";
import { newId, type OrgId, type UserId } from "../shared/ids.ts";
import type { OrgDeps } from "./org.ts";
import { hashPassword, refuseWeakPassword } from "./passwords.ts";
import { insertMember, insertOrg, insertUser, lookUpLogin } from "./store.ts";

export interface NewOrg {
  readonly org_name: string;
  readonly email: string;
  readonly name: string;
  /** not needed when the e-mail has an account already: the link between account and org is all that is made */
  readonly password: string | null;
}

export interface CreatedOrg {
  readonly org_id: OrgId;
  readonly user_id: UserId;
}

// The command line and the environment come in here without an edge of their own.
const checkNewOrg = validator(Type.Object({ org_name: Name, email: Email, name: Name }), "body");

/** An org and its first admin, in one transaction. */
export async function createOrg(deps: Pick<OrgDeps, "proofs">, tx: SystemTx, by: Origin, wanted: NewOrg): Promise<CreatedOrg> {
  checkNewOrg({ org_name: wanted.org_name, email: wanted.email, name: wanted.name });
  const org_id = newId("org", tx.now.getTime());
  const known = await lookUpLogin(tx, wanted.email);
  const user_id = known?.user_id ?? newId("user", tx.now.getTime());
  if (known === null) {
    const password = wanted.password ?? "";
    refuseWeakPassword(password, wanted.email);
    await insertUser(tx, { user_id, email: wanted.email, name: wanted.name, password_hash: await hashPassword(deps, password) });
  }
  await tx.forOrg(org_id, async () => {
    await insertOrg(tx, org_id, wanted.org_name);
    await insertMember(tx, org_id, user_id, "admin");
    const entry = { by: { ...by, actor: SYSTEM } };
    await appendAudit(tx, org_id, { ...entry, type: "org.created", data: { name: wanted.org_name } });
    await appendAudit(tx, org_id, { ...entry, type: "member.joined", data: { user_id, email: wanted.email, role: "admin" } });
  });
  return { org_id, user_id };
}
