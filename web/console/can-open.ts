import { isCustodian } from "./session.ts";

/** The screens of a custodian. All others show more than the records that they keep. */
const ofCustodians = [/^\/(login|vault|acts|custody|members|evidence-log|account)$/, /^\/vault\/env_\w+$/, /^\/acts\/act_\w+$/];

/** Whether the signed-in user's role has a screen at this address of the console. */
export function canOpen(to: string): boolean {
  const path = to.split("?", 1)[0] ?? to;
  return !isCustodian() || ofCustodians.some((pattern) => pattern.test(path));
}

/** Where a user begins. The figures of Home are about all envelopes, which custodians do not see. */
export const startOf = (): string => (isCustodian() ? "/vault" : "/");
