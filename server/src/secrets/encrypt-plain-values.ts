import type { Db } from "../db/connect.ts";
import { DatabaseAway } from "../db/errors.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { OrgValues } from "./org-values.ts";
import { encryptValues, listPlainValues, nextOrgToEncrypt, type PlainValue } from "./plain-value-store.ts";

export interface ValuesEncrypted {
  readonly encrypted: number;
  /** whose key could not be had; the next run tries again */
  readonly waiting: readonly { readonly org_id: OrgId; readonly cause: Problem }[];
  /** whose values could not be encrypted for another reason */
  readonly failed: readonly { readonly org_id: OrgId; readonly cause: unknown }[];
}

// The job runs each minute and encrypts documents too, and a stop of the worker waits for it.
const RUN_MS = 10_000;
const VALUES_PER_TRANSACTION = 100;
// An image of a signature can have 512 KB.
const BYTES_PER_TRANSACTION = 2 * 1_048_576;

/**
 * Encrypts values that were stored as they are, while people sign. Each transaction replaces up to 100 values of one organization, so it can
 * end at any moment and the next run goes on with the rest. A value that changes at the same time stays for the next run. An organization that
 * fails does not keep the others from theirs.
 */
export async function encryptPlainValues(
  { db, values }: { readonly db: Db; readonly values: OrgValues },
  limits: { readonly values: number } = { values: VALUES_PER_TRANSACTION },
): Promise<ValuesEncrypted> {
  const until = performance.now() + RUN_MS;
  const waiting: { org_id: OrgId; cause: Problem }[] = [];
  const failed: { org_id: OrgId; cause: unknown }[] = [];
  let encrypted = 0;
  if (!values.isOn) return { encrypted, waiting, failed };
  for (let org = await nextOrg(db, ""); org !== null; ) {
    try {
      const batch = await encryptSome({ db, values }, org, limits.values);
      encrypted += batch.encrypted;
      if (!batch.isLast && performance.now() < until) continue;
    } catch (cause) {
      if (cause instanceof DatabaseAway) throw cause;
      if (cause instanceof Problem && cause.code === "key_service_away") waiting.push({ org_id: org, cause });
      else failed.push({ org_id: org, cause });
    }
    org = performance.now() < until ? await nextOrg(db, org) : null;
  }
  return { encrypted, waiting, failed };
}

const nextOrg = (db: Db, after: string): Promise<OrgId | null> => db.system((tx) => nextOrgToEncrypt(tx, after));

async function encryptSome(
  { db, values }: { readonly db: Db; readonly values: OrgValues },
  org: OrgId,
  most: number,
): Promise<{ encrypted: number; isLast: boolean }> {
  return db.tx(org, async (tx) => {
    const plain = await listPlainValues(tx, most, BYTES_PER_TRANSACTION);
    let encrypted = 0;
    for (const place of new Set(plain.map((one) => one.place))) {
      const rows = plain.filter((one) => one.place === place).flatMap((one) => sealedRow(values, org, one));
      encrypted += await encryptValues(tx, place, rows);
    }
    // Without progress, another transaction would find the same values.
    return { encrypted, isLast: encrypted === 0 };
  });
}

function sealedRow(values: OrgValues, org: OrgId, { id, context, value }: PlainValue) {
  const sealed = values.seal(org, value, context);
  return sealed === null ? [] : [{ ...id, plain_sha256: sha256(value).toString("hex"), sealed: sealed.toString("hex") }];
}
