import { parse, print, Usage } from "../cli-input.ts";
import { type Environment, readConfig } from "../config.ts";
import { administer, here, Refused } from "./command.ts";

export const NO_ACCOUNT = "No account has this e-mail address.";

export const NO_ENTRY = "The account is in no organization, so this is not recorded in any audit trail.";

export async function resetLinkCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users reset-link needs an e-mail address");
  const link = await administer(readConfig(env), async ({ orgs }) => {
    const { printResetLink } = await import("../accounts/print-reset-link.ts");
    return orgs.db.system((tx) => printResetLink(orgs, tx, here(), email));
  });
  if (link === null) throw new Refused(NO_ACCOUNT);
  print(`This link sets a new password. It works once, for one hour:\n${link.url}`);
  if (link.entries === 0) print(NO_ENTRY);
  return 0;
}

export async function verifyCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users verify needs an e-mail address");
  const verified = await administer(readConfig(env), async ({ orgs }) => {
    const { verifyByOperator } = await import("../accounts/email-verification.ts");
    return orgs.db.system((tx) => verifyByOperator(tx, here(), email));
  });
  if (verified === null) throw new Refused(NO_ACCOUNT);
  if (!verified.isNew) print(`The address ${email} is already verified.`);
  else {
    print(`The address ${email} is verified. The account keeps its password and can now join other organizations.`);
    print(verified.orgs.length === 0 ? NO_ENTRY : `It is a member of: ${verified.orgs.join(", ")}`);
    print(`If you do not know who created this account, return it to its owner with: countersign users reset-link ${email}`);
  }
  return 0;
}

export async function unlockCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users unlock needs an e-mail address");
  const found = await administer(readConfig(env), async ({ orgs }) => {
    const { unlockLogIn } = await import("../accounts/unlock-log-in.ts");
    return unlockLogIn(orgs, here(), email);
  });
  if (!found) {
    process.stderr.write("No account has this e-mail address.\n");
    return 1;
  }
  print(`${email} can log in again from every browser.`);
  return 0;
}

export async function resetFactorsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users reset-factors needs an e-mail address");
  const reset = await administer(readConfig(env), async ({ orgs }) => {
    const { resetFactors } = await import("../accounts/reset-factors.ts");
    return resetFactors(orgs, here(), email);
  });
  if (reset === null) throw new Refused(NO_ACCOUNT);
  if (reset.removed === 0) {
    print(`${email} has no second factor.`);
    return 0;
  }
  print(`The second factors and recovery codes of ${email} are removed, and their sessions have ended. The password alone logs in now.`);
  if (reset.entries === 0) print(NO_ENTRY);
  return 0;
}

export async function codeCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users code needs an e-mail address");
  const printed = await administer(readConfig(env), async ({ orgs }) => {
    const { printEnrolmentCode } = await import("../accounts/enrolment.ts");
    return orgs.db.system((tx) => printEnrolmentCode(orgs, tx, here(), email));
  });
  if (printed === null) throw new Refused(NO_ACCOUNT);
  print(`With this code, ${email} can set up a second factor. It works once, for 15 minutes:\n${printed.code}`);
  if (printed.entries === 0) print(NO_ENTRY);
  return 0;
}
