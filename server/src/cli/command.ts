import type { Administration } from "../administration.ts";
import { needed, Usage, type Values } from "../cli-input.ts";
import { type Config, type Environment, readConfig } from "../config.ts";
import { type Caller, systemCaller, systemOrigin } from "../shared/caller.ts";
import { isId, type OrgId } from "../shared/ids.ts";
import { operatorName } from "../shared/operator.ts";

export type Command = (args: readonly string[], env: Environment) => Promise<number>;

export const administer = async <T>(config: Config, run: (administration: Administration) => Promise<T>): Promise<T> =>
  (await import("../administration.ts")).withAdministration(config, run);

/** The command gets these values as arguments. SETUP_PASSWORD alone, without the other SETUP_ settings, would be refused. */
export const withoutSetup = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("SETUP_")));

/** Each action of the command line is recorded with the login name of its user. */
export const here = () => ({ ...systemOrigin("countersign cli", "cli"), operator: operatorName() });

export const callerOf = (org: OrgId): Caller => ({ ...systemCaller(org), ...here() });

/** Nothing was changed. The message says why. */
export class Refused extends Error {}

export function subcommand(
  group: string,
  known: Readonly<Record<string, Command>>,
  args: readonly string[],
  env: Environment,
): Promise<number> {
  return choose(`countersign ${group}`, known, args[0] ?? "")(args.slice(1), env);
}

export function choose(group: string, known: Readonly<Record<string, Command>>, name: string): Command {
  const command = Object.hasOwn(known, name) ? known[name] : undefined;
  if (command === undefined) throw new Usage(`${group} has no command "${name}". Use one of: ${Object.keys(known).join(", ")}`);
  return command;
}

export function orgFrom(values: Values): OrgId {
  const org = needed(values, "org");
  if (!isId("org", org)) throw new Usage("--org needs the id of an organization (see: countersign orgs list)");
  return org;
}

export async function inOrg<T>(
  env: Environment,
  values: Values,
  run: (administration: Administration, org: OrgId) => Promise<T>,
): Promise<T> {
  const org = orgFrom(values);
  return administer(readConfig(env), async (administration) => {
    const { isOrg } = await import("../orgs/store.ts");
    if (!(await administration.orgs.db.system((tx) => isOrg(tx, org))))
      throw new Usage("This organization does not exist (see: countersign orgs list)");
    return run(administration, org);
  });
}
