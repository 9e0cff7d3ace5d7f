import type { Read } from "../db/sql.ts";
import type { Actor, Origin } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { noteSignIn } from "./sign-in-store.ts";

/** A request that a member or a key was not allowed to make. Those of signers and other token holders are not recorded. */
export async function noteForbidden(
  read: Read,
  from: Origin,
  { org, actor }: { readonly org: OrgId; readonly actor: Actor },
  reason: string,
): Promise<void> {
  const result = "forbidden";
  if (actor.kind === "user") await noteSignIn(read, from, { of: { user_id: actor.id }, method: "session", result, reason, org });
  if (actor.kind === "key") await noteSignIn(read, from, { of: { key_id: actor.id }, method: "api_key", result, reason, org });
}
