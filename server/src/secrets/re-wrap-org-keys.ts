import type { Db } from "../db/connect.ts";
import type { OrgId } from "../shared/ids.ts";
import { CannotUnwrap, type KeyServices } from "./kms.ts";
import { listOrgKeysToReWrap, lookUpOrgKey, replaceOrgKey } from "./org-key-store.ts";

export interface OrgKeysReWrapped {
  readonly renewed: number;
  readonly unreadable: readonly { readonly org_id: OrgId; readonly key_no: number }[];
}

// More organizations than one run can do in a minute with a service in another data center. The next run goes on.
const KEYS_PER_RUN = 1_000;

/** After KMS names another service first: has it wrap the keys of all organizations. The keys stay the same, so no document changes. */
export async function reWrapOrgKeys({ db, kms }: { readonly db: Db; readonly kms: KeyServices }): Promise<OrgKeysReWrapped> {
  const due = await db.system((tx) => listOrgKeysToReWrap(tx, kms.current.id, KEYS_PER_RUN));
  const unreadable: { org_id: OrgId; key_no: number }[] = [];
  let renewed = 0;
  for (const { org_id, key_no } of due) {
    const before = await db.near((read) => lookUpOrgKey(read, org_id, key_no));
    const service = kms.all.find(({ id }) => id === before?.kek_id);
    if (before === null || service === undefined) {
      unreadable.push({ org_id, key_no });
      continue;
    }
    const context = { org: org_id, key_no };
    const key = await service.unwrap(before.wrapped, context).catch((error: unknown) => {
      if (error instanceof CannotUnwrap) return null;
      throw error;
    });
    if (key === null) {
      unreadable.push({ org_id, key_no });
      continue;
    }
    const after = { key_no, wrapped: await kms.current.wrap(key, context), kek_id: kms.current.id };
    if (await db.tx(org_id, (tx) => replaceOrgKey(tx, org_id, before, after))) renewed += 1;
  }
  return { renewed, unreadable };
}
