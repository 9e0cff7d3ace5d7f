import type { Read } from "../../db/sql.ts";
import type { OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { concerns } from "./registry.ts";
import { lookUpRegistry } from "./store.ts";

/** For changes without an act of their own, which could not wait for the registry. */
export async function refuseGated(read: Read, org: OrgId, kind: string): Promise<void> {
  if (concerns(await lookUpRegistry(read, org), "gate", kind)) throw new Problem("registration_required");
}
