// How a person proves who they are before they sign, besides the link or token that opened the page. The levels are this service's own:
// they are not the levels of eIDAS.

export const identityMethods = ["email_code", "access_code", "kba"] as const;
export type IdentityMethod = (typeof identityMethods)[number];

/** `mailbox`: what was sent to the address of the person. `knowledge`: what the sender knows too. */
type Channel = "mailbox" | "knowledge";

const properties: Readonly<Record<IdentityMethod, { readonly level: number; readonly channel: Channel; readonly words: string }>> = {
  email_code: { level: 1, channel: "mailbox", words: "code sent by e-mail" },
  access_code: { level: 1, channel: "knowledge", words: "access code set by the sender" },
  kba: { level: 1, channel: "knowledge", words: "knowledge-based questions" },
};

export const HIGHEST_LEVEL = 3;

const knownOf = (method: string) => identityMethods.find((known) => known === method);

/**
 * The level of one visit: that of the highest method that was passed. Two of level 1 over different channels make 2.
 * @example identityLevel(["email_code", "access_code"]) // 2
 */
export function identityLevel(passed: readonly string[]): number {
  const known = passed.flatMap((method) => knownOf(method) ?? []).map((method) => properties[method]);
  const channels = new Set(known.map(({ channel }) => channel));
  return Math.max(0, ...known.map(({ level }) => level), channels.size > 1 ? 2 : 0);
}

/** A method in words; an unknown one by its name. */
export function methodWords(method: string): string {
  const known = knownOf(method);
  return known === undefined ? method.replaceAll("_", " ") : properties[known].words;
}
