import type { Read } from "../db/sql.ts";
import type { Origin } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { admitsAddress } from "./policy-store.ts";

/** Throws 403 if members cannot use the org from the visitor's address. Only for people who have proved who they are. */
export async function refuseOtherAddress(read: Read, org: OrgId, { ip }: Pick<Origin, "ip">): Promise<void> {
  if (!(await admitsAddress(read, org, ip))) throw addressNotAllowed(ip);
}

export function addressNotAllowed(ip: string): Problem {
  const message = `your address is ${ip}. Connect from your organization's network, or ask an admin to add the address`;
  return new Problem("address_not_allowed", "", {
    details: [{ location: "request", field: null, code: "address_not_allowed", message }],
  });
}
