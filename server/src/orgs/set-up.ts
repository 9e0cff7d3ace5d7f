import { createHmac } from "node:crypto";
import type { SystemTx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { Origin } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import { equalInConstantTime } from "../shared/secrets.ts";
import { type CreatedOrg, createOrg, type NewOrg } from "./create-org.ts";
import type { OrgDeps } from "./org.ts";
import { refuseWeakPassword } from "./passwords.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import { claimSetup, readSetup } from "./store.ts";

/**
 * The one-use link of an installation that has no org yet, or null once it has. Every process of the installation prints the
 * same one: the token is made from the application secret and a nonce of this database.
 */
export async function setupLink(deps: OrgDeps): Promise<string | null> {
  const { done, nonce } = await deps.db.lease(readSetup);
  return done ? null : `${deps.publicUrl}/console/setup#token=${setupToken(deps, nonce)}`;
}

function setupToken(deps: OrgDeps, nonce: string): string {
  return createHmac("sha256", deps.keys.setup).update(nonce).digest("base64url");
}

/** The first org by the link. Of any number of callers exactly one wins; the others get 409. */
export async function setUpByLink(deps: OrgDeps, visitor: Visitor, token: string, wanted: NewOrg): Promise<SignedIn> {
  await refuseWrongToken(deps, token);
  return deps.db.system(async (tx) => {
    const created = await claimAndCreate(deps, tx, visitor, wanted);
    const user = { user_id: created.user_id, email: wanted.email, name: wanted.name };
    const org = { org_id: created.org_id, name: wanted.org_name, role: "admin" } as const;
    return tx.forOrg(org.org_id, () => startSession(deps, tx, visitor, user, org));
  });
}

/** The first org by somebody who is on this machine: environment or command line. */
export async function setUpHere(deps: OrgDeps, by: Origin, wanted: NewOrg): Promise<CreatedOrg> {
  return deps.db.system((tx) => claimAndCreate(deps, tx, by, wanted));
}

async function claimAndCreate(deps: OrgDeps, tx: SystemTx, by: Origin, wanted: NewOrg): Promise<CreatedOrg> {
  refuseWeakPassword(wanted.password ?? "", wanted.email);
  if (!(await claimSetup(tx))) throw new Problem("setup_done");
  return createOrg(deps, tx, by, wanted);
}

async function refuseWrongToken(deps: OrgDeps, token: string): Promise<void> {
  const { nonce, done } = await deps.db.lease(readSetup);
  if (!equalInConstantTime(token, setupToken(deps, nonce))) throw new Problem("invalid_link");
  if (done) throw new Problem("setup_done");
}
