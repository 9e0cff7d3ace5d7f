import { randomBytes } from "node:crypto";
import type { Db } from "../db/connect.ts";
import type { OrgId } from "../shared/ids.ts";
import { type KeyServices, KmsUnavailable } from "./kms.ts";
import { insertOrgKey, lookUpOrgKey, type WrappedOrgKey } from "./org-key-store.ts";

export interface OrgKey {
  readonly key_no: number;
  readonly key: Buffer;
}

/** The keys of organizations, under which the keys of their documents are encrypted. */
export interface OrgKeys {
  /** For new values. Made when the org first needs one. */
  current(org: OrgId): Promise<OrgKey>;
  /** Throws `NoSuchOrgKey`. */
  find(org: OrgId, key_no: number): Promise<OrgKey>;
  /**
   * Without waiting, the one that is remembered (without a number: the one for new values), or null. `none`: this one or one with another
   * number was looked for within the last minute, and the org has no key of this number.
   */
  remembered(org: OrgId, key_no: number | null): OrgKey | "none" | null;
}

/** The org never had a key of this number. */
export class NoSuchOrgKey extends Error {
  override readonly name = "NoSuchOrgKey";
}

const KEY_BYTES = 32;
const FIRST_KEY = 1;
// How long documents can be read while the key service is away, and how long a key is used that the service would no longer unwrap.
const REMEMBERED_MS = 15 * 60_000;
// A key can be made by another process at any time, and a restored database can have more of them.
const ABSENCE_REMEMBERED_MS = 60_000;

const nameOf = (org: OrgId, key_no: number): string => `${org} ${key_no}`;

interface Remembered {
  readonly until: number;
  readonly key: Promise<OrgKey>;
  /** as soon as it is known */
  opened: OrgKey | null;
}

/** Throws `KmsUnavailable` if the key service is needed and away. Makes no key inside an enclosing transaction. */
export function orgKeys(deps: {
  readonly db: Pick<Db, "near" | "system">;
  readonly kms: KeyServices;
  readonly now?: () => number;
}): OrgKeys {
  const { db, kms, now = Date.now } = deps;
  const known = new Map<string, Remembered>();
  // The latest number of an org, as a key was looked for that it does not have. Numbers begin with 1 and have no gap, so one number answers
  // for all, however many a transaction meets.
  const latest = new Map<OrgId, { readonly key_no: number; readonly until: number }>();

  /** Callers at the same time share one request to the key service. A failure is not remembered. */
  function shared(name: string, open: () => Promise<OrgKey>): Promise<OrgKey> {
    const found = known.get(name);
    if (found !== undefined && found.until > now()) return found.key;
    for (const [other, { until }] of known) if (until <= now()) known.delete(other);
    const opened: Remembered = { until: now() + REMEMBERED_MS, key: open(), opened: null };
    known.set(name, opened);
    opened.key.then(
      (key) => {
        opened.opened = key;
      },
      () => {
        if (known.get(name) === opened) known.delete(name);
      },
    );
    return opened.key;
  }

  async function unwrapped(org: OrgId, { key_no, wrapped, kek_id }: WrappedOrgKey): Promise<OrgKey> {
    const service = kms.all.find(({ id }) => id === kek_id);
    if (service === undefined) throw new KmsUnavailable(`KMS does not list ${kek_id}, which wrapped the key of ${org}`);
    return { key_no, key: await service.unwrap(wrapped, { org, key_no }) };
  }

  async function made(org: OrgId): Promise<WrappedOrgKey> {
    const wrapped = await kms.current.wrap(randomBytes(KEY_BYTES), { org, key_no: FIRST_KEY });
    // In a transaction of its own, because the rollback of another one would lose a key that was used.
    await db.system((tx) => tx.forOrg(org, (own) => insertOrgKey(own, org, { key_no: FIRST_KEY, wrapped, kek_id: kms.current.id })));
    return found(org, FIRST_KEY);
  }

  async function found(org: OrgId, key_no: number): Promise<WrappedOrgKey> {
    const row = await db.near((read) => lookUpOrgKey(read, org, key_no));
    if (row !== null) return row;
    for (const [other, { until }] of latest) if (until <= now()) latest.delete(other);
    const last = await db.near((read) => lookUpOrgKey(read, org, null));
    latest.set(org, { key_no: last?.key_no ?? 0, until: now() + ABSENCE_REMEMBERED_MS });
    throw new NoSuchOrgKey(`${org} has no key ${key_no}`);
  }

  /** Under its number too, because what is encrypted with it is read soon. */
  async function openCurrent(org: OrgId): Promise<OrgKey> {
    const key = await unwrapped(org, (await db.near((read) => lookUpOrgKey(read, org, null))) ?? (await made(org)));
    return shared(nameOf(org, key.key_no), async () => key);
  }

  return {
    current: (org) => shared(org, () => openCurrent(org)),
    find: (org, key_no) => shared(nameOf(org, key_no), async () => unwrapped(org, await found(org, key_no))),
    remembered(org, key_no) {
      const name = key_no === null ? org : nameOf(org, key_no);
      const found = known.get(name);
      if (found !== undefined && found.opened !== null && found.until > now()) return found.opened;
      const last = latest.get(org);
      const isAbsent = key_no !== null && last !== undefined && last.until > now() && (key_no < FIRST_KEY || key_no > last.key_no);
      return isAbsent ? "none" : null;
    },
  };
}
