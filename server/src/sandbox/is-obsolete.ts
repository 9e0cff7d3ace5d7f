import type { Db } from "../db/connect.ts";
import type { JobName } from "../jobs/catalogue.ts";
import { isId, isSandbox } from "../shared/ids.ts";
import { lookUpReset } from "./reset-store.ts";

/** Whether a job is about what a sandbox had before its reset, or about a sandbox that is being reset or is gone. */
export async function isObsolete({ db }: { readonly db: Db }, job: JobName, payload: unknown, queued_at: Date): Promise<boolean> {
  const { org_id } = Object(payload) as { readonly org_id?: unknown };
  if (job === "sandbox.reset" || typeof org_id !== "string" || !isId("org", org_id) || !isSandbox(org_id)) return false;
  const reset = await db.system((tx) => lookUpReset(tx, org_id));
  if (reset === null || reset.deleted_at !== null || reset.resetting_since !== null) return true;
  return reset.reset_at !== null && queued_at <= reset.reset_at;
}
