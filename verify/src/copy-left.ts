import type { Link } from "@countersign/evidence";

/** When the authoritative copy left the vault, and for whom: the recipient of the export, as far as the entry still says. */
export type CopyLeft = {
  readonly at: string;
  readonly for: string | null;
  readonly entry: number;
  /** it left on paper, which is the original now */
  readonly on_paper: boolean;
};

const LEAVING = ["vault.exported", "vault.papered"];

/**
 * The entry by which the copy left; null while it is in the vault. For links that passed all steps.
 * @example copyLeft(links)?.for // "Second Example Bank"
 */
export function copyLeft(links: readonly Link[]): CopyLeft | null {
  const link = links.findLast((each) => LEAVING.includes(each.entry.type) || isTransferred(each, links));
  if (link === undefined) return null;
  const { recipient, vault_name } = dataOf(link);
  const { name } = vault_name === undefined ? (Object(recipient) as { name?: unknown }) : { name: vault_name };
  return {
    at: link.entry.at,
    for: typeof name === "string" ? onOneLine(name) : null,
    entry: link.entry.seq,
    on_paper: link.entry.type === "vault.papered",
  };
}

/** Released to another vault, which did not refuse it afterwards, and not recovered. */
function isTransferred(link: Link, links: readonly Link[]): boolean {
  if (link.entry.type !== "vault.transferred") return false;
  const { transfer_id } = dataOf(link);
  const undoing = ["vault.transfer_refused", "vault.recovered"];
  return !links.some((each) => undoing.includes(each.entry.type) && dataOf(each).transfer_id === transfer_id);
}

const dataOf = (link: Link): Record<string, unknown> => Object(link.data?.data) as Record<string, unknown>;

// A name is free text: it must not move the cursor or begin a line of its own.
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd").slice(0, 200);

const DAY_CHARACTERS = "2026-03-05".length;

const onFor = ({ at, for: recipient }: CopyLeft): string =>
  `on ${at.slice(0, DAY_CHARACTERS)}${recipient === null ? "" : ` for ${recipient}`}`;

export const leftNote = (left: CopyLeft): string =>
  `The authoritative copy ${left.on_paper ? "was replaced by paper" : "left this vault"} ${onFor(left)} (entry ${left.entry}).`;

/** @example leftWords(left) // "COPY LEFT THIS VAULT on 2026-03-05 for Second Example Bank" */
export const leftWords = (left: CopyLeft): string => `${left.on_paper ? "REPLACED BY PAPER" : "COPY LEFT THIS VAULT"} ${onFor(left)}`;
