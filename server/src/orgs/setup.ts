import { type SignedIn, startSession } from "../accounts/start-session.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { Origin } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import { equalInConstantTime, macsOf } from "../shared/secrets.ts";
import { type CreatedOrg, createOrg, type NewOrg } from "./create-org.ts";
import type { OrgDeps } from "./org.ts";
import { claimSetup, claimSetupLink, readSetup, renewSetupLink, type Setup } from "./store.ts";

/**
 * The one-time link of an installation that has no org yet; null once it has one. The token is derived from the application secret and a
 * nonce of this database, and is not stored.
 */
export async function setupLink(deps: OrgDeps): Promise<string | null> {
  const { done, nonce } = await deps.db.lease(readSetup);
  return done ? null : `${deps.publicUrl}/console/setup#token=${setupTokens(deps, nonce)[0]}`;
}

/** What a process prints about the set-up link when it starts; null once the installation is set up. */
export type SetupNotice =
  | { readonly link: string }
  /** null: it was not printed yet, and this process may not print it */
  | { readonly printed_at: Date | null; readonly expired: boolean }
  | null;

/**
 * One process of the installation gets the link to print; the others get the time when it was printed. `mayPrint`: false where what is
 * printed is kept by others, as in the log of a container.
 */
export async function claimSetupNotice(deps: OrgDeps, operator: string, mayPrint: boolean): Promise<SetupNotice> {
  const isFirst = mayPrint && (await deps.db.system((tx) => claimSetupLink(tx, operator)));
  const link = isFirst ? await setupLink(deps) : null;
  if (link !== null) return { link };
  const { done, link_printed_at, link_expired } = await deps.db.lease(readSetup);
  return done ? null : { printed_at: link_printed_at, expired: link_expired };
}

/** A new link for an operator who lost the first one, which stops working. Null once the installation is set up. */
export async function printSetupLink(deps: OrgDeps, operator: string): Promise<string | null> {
  return (await deps.db.system((tx) => renewSetupLink(tx, operator))) ? setupLink(deps) : null;
}

/** Under every version of the secret; the first is the one to print. */
function setupTokens(deps: OrgDeps, nonce: string): string[] {
  return macsOf(deps.keys.setup, nonce).map((mac) => mac.toString("base64url"));
}

/** Creates the first org with the link. Exactly one caller wins; the others get 409. */
export async function setUpByLink(deps: OrgDeps, visitor: Visitor, token: string, wanted: NewOrg): Promise<SignedIn> {
  refuseWrongToken(deps, await deps.db.lease(readSetup), token);
  const prepared = await createOrg.prepare(deps, wanted);
  return deps.db.system(async (tx) => {
    if (!(await claimSetup(tx))) throw new Problem("setup_done");
    // The row is only locked now, and the operator may have printed another link in the meantime.
    const setup = await readSetup(tx);
    refuseWrongToken(deps, { ...setup, done: false }, token);
    const { link_printed_at, link_printed_by } = setup;
    const setup_link = { printed_by: link_printed_by, printed_at: link_printed_at?.toISOString() ?? null };
    const created = await createOrg.save(tx, visitor, prepared, { setup_link });
    const user = { user_id: created.user_id, email: wanted.email, name: wanted.name };
    const org = { org_id: created.org_id, name: wanted.org_name, role: "admin" } as const;
    return tx.forOrg(org.org_id, () => startSession(deps, tx, visitor, user, org));
  });
}

/** Creates the first org from the environment or the command line. */
export async function setUpLocally(deps: OrgDeps, by: Origin, wanted: NewOrg): Promise<CreatedOrg> {
  const prepared = await createOrg.prepare(deps, wanted);
  return deps.db.system(async (tx) => {
    if (!(await claimSetup(tx))) throw new Problem("setup_done");
    return createOrg.save(tx, by, prepared);
  });
}

type Link = Pick<Setup, "nonce" | "done" | "link_expired">;

function refuseWrongToken(deps: OrgDeps, { nonce, done, link_expired }: Link, token: string): void {
  const isRight = setupTokens(deps, nonce).some((one) => equalInConstantTime(token, one));
  if (!isRight || (link_expired && !done)) throw new Problem("invalid_link");
  if (done) throw new Problem("setup_done");
}
