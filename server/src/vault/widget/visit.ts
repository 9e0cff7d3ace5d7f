import type { Read, Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { type DetailCode, Problem } from "../../shared/problems.ts";
import type { AuthoritativeCopy, CopyState, LockedCopy } from "../copy.ts";
import { findCopy } from "../copy-store.ts";
import { appendAccess } from "../served-files.ts";
import type { PipelineDeps } from "../vault.ts";
import { insertVisit, isMember } from "./store.ts";

/** A visitor of the vault widget: one token, one envelope, one address. */

export interface WidgetDeps extends PipelineDeps {
  /** the organization's logo; null if it has none */
  readonly lookUpLogo: (read: Read, org: OrgId) => Promise<Uint8Array | null>;
}

/** If the envelope is not vaulted yet, the problem has a code that the page can wait on. */
export async function findVaulted(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<LockedCopy> {
  try {
    return await findCopy(read, org, envelope_id);
  } catch (cause) {
    if (!(cause instanceof Problem) || cause.code !== "envelope_not_vaulted") throw cause;
    throw new Problem("envelope_not_vaulted", "", { details: [about("not_vaulted", "the envelope is not in the vault yet")], cause });
  }
}

const about = (code: DetailCode, message: string) => ({ location: "path", field: "envelope_id", code, message }) as const;

/** With the state as a code, so that the page can show it in the reader's language. */
export function requireShown({ copy_id, state }: AuthoritativeCopy, ...allowed: readonly CopyState[]): void {
  if (allowed.includes(state)) return;
  const code = state === "exported" || state === "tampered" || state === "destroyed" ? state : "conflict";
  throw new Problem("copy_wrong_state", `${copy_id} is ${state}`, { words: { state }, details: [about(code, `the copy is ${state}`)] });
}

/** The states in which copies are handed out, the same as in the partner API. */
export const handedOut: readonly CopyState[] = ["active", "escrowed", "exported", "transferred", "papering", "papered"];

/** Once per token, with whichever call comes first. */
export async function ensureVisit(tx: Tx, who: WidgetCaller): Promise<void> {
  if (await insertVisit(tx, who.org, who.holder)) await appendAccess(tx, who, who.holder.envelope_id, "widget");
}

/** E-mail and IP addresses of people are shown only to the parties of the record. */
export async function isParty(read: Read, { org, holder }: WidgetCaller): Promise<boolean> {
  return holder.slug !== null || (await isMember(read, org, holder.user_email));
}
