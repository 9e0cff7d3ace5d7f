import type { Head } from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import { readHead } from "../audit/read-head.ts";
import type { Db } from "../db/connect.ts";
import { requireQueueLogin, requireServeLogin, WrongLogin } from "../db/fence.ts";
import { lackPartitions } from "../db/keep-partitions.ts";
import { isContract, listApplied, MigrationRefused, pendingAfter, readMigrations } from "../db/migrate.ts";
import { lookUpHeld } from "../db/mode.ts";
import { ownerTx } from "../db/owner-tx.ts";
import { expectedRights, listInvalidIndexes, listRights } from "../db/rights.ts";
import type { Smtp } from "../mail/smtp.ts";
import { sealReadiness } from "../seals/readiness.ts";
import type { SealDeps } from "../seals/seal.ts";
import { BlobDamaged, BlobMissing } from "../storage/blob-store.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import { LogFault } from "../transparency/checkpoint.ts";
import { compareWholeLog } from "../transparency/verify-log.ts";
import { chainDamage } from "../vault/keeping/verify-copy.ts";
import type { Objects } from "./backup.ts";
import { type Finding, finding, Unknown, Wrong } from "./findings.ts";
import { type KeptBlob, lookUpMissingAtRestore, sampleBlobs, sampleChains } from "./store.ts";

export interface InstallDeps {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** null: not given to this command */
  readonly queueUrl: string | null;
  readonly db: Db;
  readonly objects: Objects;
  readonly storage: StorageDeps;
  readonly seals: SealDeps;
  /** null: there is no mail server */
  readonly smtp: Smtp | null;
  readonly publicUrl: string;
  /** DER */
  readonly roots: () => Promise<readonly Uint8Array[]>;
}

export interface Sample {
  /** documents and audit trails that are read and hashed; null: all */
  readonly size: number | null;
}

/** The first check, because the others need the tables of this program. */
export const verifySchema = (ownerUrl: string): Promise<Finding> => finding("migrations", () => migrations(ownerUrl));

/** Compares an installation with what this program needs and with what it recorded. Changes no row or document. */
export async function* verifyInstall(deps: InstallDeps, sample: Sample): AsyncGenerator<Finding> {
  const checks: Readonly<Record<string, () => Promise<string>>> = {
    logins: () => logins(deps),
    rights: () => rights(deps),
    partitions: () => partitions(deps),
    mode: () => mode(deps),
    documents: () => documents(deps),
    "document hashes": () => documentHashes(deps, sample),
    "audit trails": () => auditTrails(deps, sample),
    log: () => log(deps),
    seals: () => seals(deps),
    mail: () => mail(deps),
    address: () => address(deps),
  };
  for (const [check, run] of Object.entries(checks)) yield await finding(check, run);
}

async function migrations(ownerUrl: string): Promise<string> {
  const wanted = await readMigrations();
  const applied = await ownerTx(ownerUrl, listApplied);
  try {
    const pending = pendingAfter(applied, wanted);
    const missing = pending.filter((one) => !isContract(one));
    if (missing.length > 0) throw new Wrong(`migrations are missing: ${missing.length}. Run: countersign migrate`);
    if (pending.length > 0) throw new Wrong(`migrations wait: ${pending.length}. Run: countersign migrate --contract`);
  } catch (error) {
    throw error instanceof MigrationRefused ? new Wrong(error.message) : error;
  }
  const [broken] = await listInvalidIndexes(ownerUrl);
  if (broken !== undefined) throw new Wrong(`the index ${broken} is not complete, so no query uses it. Run: reindex index ${broken}`);
  return `${applied.length} applied, none missing`;
}

async function logins({ appUrl, queueUrl }: InstallDeps): Promise<string> {
  try {
    await requireServeLogin(appUrl);
    if (queueUrl !== null) await requireQueueLogin(queueUrl);
  } catch (error) {
    throw error instanceof WrongLogin ? new Wrong(error.message) : error;
  }
  return queueUrl === null ? "the login of the service is right; DATABASE_QUEUE_URL is not set" : "both logins are right";
}

const SHOWN = 3;

async function rights({ ownerUrl }: InstallDeps): Promise<string> {
  const [expected, found] = [expectedRights(), await listRights(ownerUrl)];
  const [has, wants] = [new Set(found), new Set(expected)];
  const missing = expected.filter((line) => !has.has(line));
  const added = found.filter((line) => !wants.has(line));
  if (missing.length + added.length > 0) {
    const first = [...missing.map((line) => `missing: ${line}`), ...added.map((line) => `not of this program: ${line}`)].slice(0, SHOWN);
    throw new Wrong(`${missing.length} rights and policies are missing, ${added.length} were added. ${first.join("; ")}`);
  }
  return `${expected.length} rights and policies as they should be`;
}

async function partitions({ db }: InstallDeps): Promise<string> {
  const lacking = await db.system(lackPartitions);
  if (lacking.length > 0)
    throw new Wrong(
      `${lacking.join(", ")}: partitions for the next periods are missing. A worker adds them each day; or run: countersign migrate`,
    );
  return "for the present and the next three periods";
}

async function mode({ db }: InstallDeps): Promise<string> {
  const held = await db.system(lookUpHeld);
  return held === null ? "not held" : `held since ${held.since.toISOString()} by ${held.by}: nothing is sent`;
}

async function documents(deps: InstallDeps): Promise<string> {
  const kept = await ownerTx(deps.ownerUrl, (tx) => sampleBlobs(tx, null));
  const missing: KeptBlob[] = [];
  for (const one of kept) if ((await deps.objects.sizeOf(one.org_id, one.sha256)) === null) missing.push(one);
  if (missing.length === 0) return `${kept.length}, all in the store`;
  const first = missing.slice(0, SHOWN).map(({ org_id, sha256 }) => `${org_id}/${sha256}`);
  const restored = await ownerTx(deps.ownerUrl, lookUpMissingAtRestore);
  const since =
    restored !== null && restored.count > 0
      ? `. Missing already in the backup of ${restored.made_at}, which was restored here: ${restored.count}`
      : "";
  throw new Wrong(`${missing.length} of ${kept.length} documents are not in the store: ${first.join(", ")}${and(missing)}${since}`);
}

const and = (all: readonly unknown[]): string => (all.length > SHOWN ? ` and ${all.length - SHOWN} more` : "");

async function documentHashes(deps: InstallDeps, { size }: Sample): Promise<string> {
  const read = await ownerTx(deps.ownerUrl, (tx) => sampleBlobs(tx, size));
  for (const { org_id, sha256 } of read) {
    try {
      await deps.storage.blobs.read(org_id, sha256);
    } catch (error) {
      if (error instanceof BlobDamaged) throw new Wrong(`the document ${org_id}/${sha256} is damaged: it has the hash ${error.found}`);
      if (error instanceof BlobMissing) throw new Wrong(`the document ${org_id}/${sha256} is not in the store`);
      throw error;
    }
  }
  return `${read.length} read and hashed`;
}

async function auditTrails({ ownerUrl, db }: InstallDeps, { size }: Sample): Promise<string> {
  const chains = await ownerTx(ownerUrl, (tx) => sampleChains(tx, size));
  let entries = 0;
  for (const { org_id, subject } of chains) {
    const { head, links } = await db.tx(org_id, async (tx) => {
      // In this order: an entry that is appended in between makes the trail longer than its head, so only the head's entries are compared.
      const found: Head | null = await readHead(tx, org_id, subject);
      return { head: found, links: await readChain(tx, org_id, subject) };
    });
    const until = head === null ? links : links.slice(0, head.seq);
    const damage = chainDamage(until, org_id, subject, head);
    if (damage !== null) throw new Wrong(`${damage.what} of ${subject} has been changed since it was written`);
    entries += until.length;
  }
  return `${chains.length} with ${entries} entries, each hashed again`;
}

async function log({ db }: InstallDeps): Promise<string> {
  try {
    return `${await compareWholeLog({ db })} entries, and every checkpoint fits them`;
  } catch (error) {
    throw error instanceof LogFault ? new Wrong(error.message) : error;
  }
}

async function seals(deps: InstallDeps): Promise<string> {
  const reason = await sealReadiness(deps.seals, () => undefined)();
  if (reason !== null) throw new Wrong(reason);
  return "a test page was sealed and verified";
}

async function mail({ smtp }: InstallDeps): Promise<string> {
  if (smtp === null) throw new Unknown("there is no mail server (SMTP_URL)");
  const fault = await smtp.logOn();
  if (fault !== null) throw new Wrong(`the mail server does not let us in: ${fault}`);
  return "the mail server lets us in; nothing was sent";
}

const ANSWER_MS = 5_000;

async function address({ publicUrl, roots }: InstallDeps): Promise<string> {
  const url = `${publicUrl}/.well-known/countersign-trust.json`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null);
  if (answer === null) throw new Unknown(`there was no answer from ${publicUrl}. If the service is not running, start it and check again`);
  const shown = await answer.json().catch(() => null);
  const own = (await roots()).at(-1);
  const certificate = (shown as { root_certificate?: unknown } | null)?.root_certificate;
  if (own === undefined || certificate !== Buffer.from(own).toString("base64"))
    throw new Wrong(`${url} is not the trust document of this installation`);
  return `${publicUrl} answers with the trust document of this installation`;
}
