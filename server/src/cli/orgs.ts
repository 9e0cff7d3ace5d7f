import type { Administration } from "../administration.ts";
import { needed, parse, print, Usage } from "../cli-input.ts";
import { type Environment, readConfig } from "../config.ts";
import { Problem } from "../shared/problems.ts";
import { administer, here, inOrg, Refused } from "./command.ts";

export async function createOrgCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { name: "string", "admin-email": "string", "admin-name": "string", "admin-password": "string" });
  const email = needed(values, "admin-email");
  const password = values["admin-password"] ?? env.ADMIN_PASSWORD;
  const [org_name, name] = [needed(values, "name"), values["admin-name"] ?? email];
  const made = await administer(readConfig(env), async ({ orgs }) => {
    const [{ createOrg, createOrgByInvitation }, { claimSetup }] = await Promise.all([
      import("../orgs/create-org.ts"),
      import("../orgs/store.ts"),
    ]);
    const prepared = password === undefined ? null : await createOrg.prepare(orgs, { org_name, email, name, password });
    const made = await orgs.db.system(async (tx) => {
      // An operator who creates organizations here no longer needs the set-up link. An open link would let a stranger in.
      await claimSetup(tx);
      if (prepared === null) return createOrgByInvitation(orgs, tx, here(), { org_name, email });
      return { ...(await createOrg.save(tx, here(), prepared).catch(throwWithPasswordHint)), accept_url: null };
    });
    return { ...made, account: await accountOf(orgs, email) };
  });
  if (made.accept_url === null) print(`Created organization ${made.org_id} with admin ${email}.`);
  else {
    print(`Created organization ${made.org_id}. It has no members yet.`);
    printInvitation(email, made.accept_url, made.account);
  }
  return 0;
}

/** The account keeps its own password, and it may belong to someone else. */
export function throwWithPasswordHint(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== "account_exists") throw error;
  throw new Refused(
    "This e-mail address already has an account, so the password cannot be used. No organization was created.\n" +
      "Run the command without a password. It prints an invitation link, which the owner of the account can accept after logging in.",
  );
}

export async function inviteAdminCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string" }, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign orgs invite-admin needs an e-mail address");
  const { accept_url, account } = await inOrg(env, values, async ({ orgs }, org) => {
    const { inviteAdmin } = await import("../orgs/invite-member.ts");
    const invited = await orgs.db.tx(org, (tx) => inviteAdmin(orgs, tx, org, here(), email));
    return { ...invited, account: await accountOf(orgs, email) };
  });
  printInvitation(email, accept_url, account);
  return 0;
}

export async function ssoOffCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const before = await inOrg(env, { org: positionals[0] }, async ({ orgs }, org) => {
    const { turnSsoOff } = await import("../orgs/turn-sso-off.ts");
    return orgs.db.tx(org, (tx) => turnSsoOff(tx, org, here()));
  });
  print(before === "off" ? "Single sign-on was already off." : "Single sign-on is off. Members log in with their passwords or passkeys.");
  return 0;
}

export async function clearAddressesCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const before = await inOrg(env, { org: positionals[0] }, async ({ orgs }, org) => {
    const { clearAddresses } = await import("../orgs/clear-addresses.ts");
    return orgs.db.tx(org, (tx) => clearAddresses(tx, org, here()));
  });
  print(
    before.length === 0
      ? "The organization had no list of addresses."
      : `Removed from the list: ${before.join(", ")}. Members can log in from all addresses.`,
  );
  return 0;
}

export type Account = "none" | "verified" | "unverified";

/** Also `none` for an account without an organization, because accepting the invitation creates it again. */
export async function accountOf({ db }: Administration["orgs"], email: string): Promise<Account> {
  const { isEmailVerified, listMemberships, lookUpLogin } = await import("../accounts/store.ts");
  return db.system(async (tx) => {
    const login = await lookUpLogin(tx, email);
    if (login === null || (await listMemberships(tx, login.user_id)).length === 0) return "none";
    return (await isEmailVerified(tx, login.user_id)) ? "verified" : "unverified";
  });
}

/** Only the owner of the address can join, so the operator gets a warning if the account may belong to someone else. */
export function printInvitation(email: string, accept_url: string, account: Account): void {
  print(`Give ${email} this link to join as admin. It works once, for 7 days:\n${accept_url}`);
  if (account === "none") return;
  print("The address already has an account. Its owner must log in and accept the invitation. Until then the account has no access.");
  if (account === "verified") return;
  print(
    "The address of that account was never verified, so someone else may have created it. It cannot join until its owner has set a new " +
      `password, on the log-in page or with a link from: countersign users reset-link ${email}`,
  );
}

export async function listOrgsCommand(_args: readonly string[], env: Environment): Promise<number> {
  const { listOrgs } = await import("../orgs/store.ts");
  const found = await administer(readConfig(env), ({ orgs }) => orgs.db.system(listOrgs));
  for (const { org_id, name, members } of found) print(`${org_id}  ${name}  (${members} members)`);
  return 0;
}
