import type { Db } from "../db/connect.ts";
import type { SystemTx, Tx } from "../db/sql.ts";
import { type AppSecrets, CannotDecrypt, type DerivedKeys, decrypt, deriveKeys, encrypt, type SecretVersion } from "../shared/secrets.ts";
import {
  type EncryptedValue,
  insertVersion,
  type KnownVersion,
  listValuesToReWrap,
  listVersions,
  lockVersions,
  markUsed,
} from "./store.ts";

/** The given secrets do not belong to this database. Nothing was opened or changed. The message says which and what to do, never a secret. */
export class WrongSecret extends Error {
  override readonly name = "WrongSecret";
}

/** Notes in the audit trails that a version is used for new values. */
export type RecordVersion = (tx: SystemTx, version: number) => Promise<void>;

/**
 * For a start: checks that the secrets are those of this database, and records the versions and which one is used. Returns those that are
 * accepted, which excludes retired ones.
 */
export async function admitSecrets(db: Db, secrets: AppSecrets, record: RecordVersion): Promise<AppSecrets> {
  return db.system(async (tx) => {
    await lockVersions(tx);
    const admitted = await requireSecrets(tx, secrets);
    const known = await listVersions(tx);
    for (const one of admitted) {
      if (!known.some(({ version }) => version === one.version)) await insertVersion(tx, one.version, checkOf(one));
    }
    const before = latestUsed(known);
    const [{ version }] = admitted;
    if (before?.version === version) return admitted;
    await markUsed(tx, version);
    if (before !== null) await record(tx, version);
    return admitted;
  });
}

/** Throws `WrongSecret` unless these are the secrets of this database. Returns those that are not retired. Changes nothing. */
export async function requireSecrets(tx: Tx, secrets: AppSecrets): Promise<AppSecrets> {
  const known = await listVersions(tx);
  // The release before this one kept no versions.
  if (known.length === 0 && !(await opensAny(tx, secrets))) throw notTheOne(secrets, secrets[0].version);
  return requireVersions(known, secrets);
}

/** The same for versions that are known from elsewhere, such as those of a backup. */
export function requireVersions(known: readonly Checkable[], secrets: AppSecrets): AppSecrets {
  for (const one of known) refuseWrong(one, secrets);
  const isRetired = ({ version }: SecretVersion) => known.some((one) => one.version === version && one.retired_at !== null);
  const [first, ...others] = secrets;
  if (isRetired(first)) throw new WrongSecret(`Version ${first.version} of APP_SECRET is retired. Put a version first that is not`);
  return [first, ...others.filter((one) => !isRetired(one))];
}

type Checkable = Omit<KnownVersion, "first_seen_at">;

function refuseWrong({ version, check_enc, used_from, retired_at }: Checkable, secrets: AppSecrets): void {
  const given = secrets.find((one) => one.version === version);
  if (given === undefined) {
    if (used_from === null || retired_at !== null) return;
    throw new WrongSecret(
      `Version ${version} of APP_SECRET is missing, and this database has values that were encrypted under it. Add it to APP_SECRETS, or retire it: docs/keys.md`,
    );
  }
  if (opens(deriveKeys([given]), { label: "check", value: check_enc, context: contextOf(version) })) return;
  if (used_from !== null) throw notTheOne(secrets, version);
  throw new WrongSecret(
    `Version ${version} in APP_SECRETS is not the one that another process was started with. Use the same value everywhere, or give it a new number`,
  );
}

const notTheOne = (secrets: AppSecrets, version: number): WrongSecret => {
  const what = secrets.length === 1 && version === 1 ? "APP_SECRET" : `Version ${version} in APP_SECRETS`;
  return new WrongSecret(`${what} is not the one that this database was made with`);
};

const TEXT = "countersign";
const contextOf = (version: number): string => `secret version ${version}`;
/** What a version is recognized by. */
export const checkOf = (one: SecretVersion): Buffer => encrypt(deriveKeys([one]).check, TEXT, contextOf(one.version));

const MANY = 100;
const NO_VERSION = -1;

/** True if there are no values. A value may be damaged, so one that can be opened is enough. */
async function opensAny(tx: Tx, secrets: AppSecrets): Promise<boolean> {
  const values = await listValuesToReWrap(tx, NO_VERSION, "", MANY);
  const keys = deriveKeys(secrets);
  return values.length === 0 || values.some((value) => opens(keys, value));
}

function opens(keys: DerivedKeys, { label, value, context }: Pick<EncryptedValue, "label" | "value" | "context">): boolean {
  try {
    decrypt(keys[label], value, context);
    return true;
  } catch (error) {
    if (error instanceof CannotDecrypt) return false;
    throw error;
  }
}

/** The version that the latest process was started with; null before the first. */
export function latestUsed(known: readonly KnownVersion[]): (KnownVersion & { readonly used_from: Date }) | null {
  const used = known.filter((one): one is KnownVersion & { used_from: Date } => one.used_from !== null);
  return used.sort((a, b) => b.used_from.getTime() - a.used_from.getTime())[0] ?? null;
}
