import { X509Certificate } from "node:crypto";
import { parse, print, Usage } from "../cli-input.ts";
import { type Config, type Environment, readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import type { SystemTx } from "../db/sql.ts";
import type { KeyDeps } from "../seals/instance-keys.ts";
import type { RotatedKey } from "../seals/rotate-key.ts";
import { asSystem } from "../shared/caller.ts";
import { isId } from "../shared/ids.ts";
import { deriveKeys } from "../shared/secrets.ts";
import { administer, here, inOrg, Refused } from "./command.ts";

const purposes = ["root", "records", "log", "vault"] as const;
type Purpose = (typeof purposes)[number];

const isPurpose = (text: string | undefined): text is Purpose => purposes.some((one) => one === text);

export async function listInstanceKeysCommand(args: readonly string[], env: Environment): Promise<number> {
  parse(args, {});
  const rows = await administer(readConfig(env), async ({ orgs: { db } }) => {
    const { listInstanceKeys } = await import("../seals/store.ts");
    return db.system(listInstanceKeys);
  });
  if (rows.length === 0) print("There are no keys yet. The first start creates them.");
  for (const row of rows) {
    const certificate = row.certificate === null ? null : await certificateOf(row.certificate);
    const kept = row.signer_ref === null ? "local" : `signer ${row.signer_ref}`;
    const until = row.not_after === null ? "in use" : `until ${row.not_after.toISOString()} (${row.reason})`;
    const expires =
      certificate === null ? "" : `  certificate ${certificate.certificate_sha256}, expires ${certificate.not_after.toISOString()}`;
    print(
      `${row.purpose.padEnd(8)} ${row.generation}  ${row.algorithm.padEnd(6)}  ${row.key_id}  ${kept}  from ${row.not_before.toISOString()}  ${until}${expires}`,
    );
  }
  return 0;
}

const certificateOf = async (der: Uint8Array) => (await import("../seals/seal.ts")).describeCertificate(der);

export async function rotateInstanceKeyCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { "old-key-lost": "boolean" }, 1);
  const [purpose] = positionals;
  if (!isPurpose(purpose)) throw new Usage("countersign instance-keys rotate needs one of: root, records, log, vault");
  const old_key_lost = values["old-key-lost"] !== undefined;
  if (old_key_lost && purpose !== "root") throw new Usage("--old-key-lost is for: countersign instance-keys rotate root");
  const config = readConfig(env);
  const rotated = await administer(config, async ({ orgs: { db } }) => {
    const [{ rotateKey, RotationRefused }, { SealUnavailable }] = await Promise.all([
      import("../seals/rotate-key.ts"),
      import("../seals/seal.ts"),
    ]);
    try {
      return await rotateKey(await keyDeps(config, db), { purpose, old_key_lost, record: recordRotation });
    } catch (error) {
      throw error instanceof RotationRefused || error instanceof SealUnavailable ? new Refused(error.message) : error;
    }
  });
  print(`Generation ${rotated.generation} of the key for ${purpose} is in use: ${rotated.key_id}`);
  const kept = purpose === "vault" ? "What was encrypted for it can still be read." : "What it signed stays valid.";
  print(`The generation before it ends ${rotated.previous_ends.toISOString()}. ${kept}`);
  if (rotated.certificate_sha256 !== null) print(`Publish the SHA-256 of the new root certificate: ${rotated.certificate_sha256}`);
  return 0;
}

async function keyDeps({ appSecrets, seals }: Config, db: Db): Promise<KeyDeps> {
  const { httpSigner } = await import("../seals/http-signer.ts");
  return { db, sealKey: deriveKeys(appSecrets).seals, signer: seals.signer === null ? null : httpSigner(seals.signer) };
}

/** The keys belong to all organizations, so every audit trail gets an entry. */
async function recordRotation(tx: SystemTx, { purpose, generation, key_id, certificate_sha256 }: RotatedKey): Promise<void> {
  const { appendAudit } = await import("../audit/append-audit.ts");
  const { listOrgs } = await import("../orgs/store.ts");
  const data = { purpose, generation, key_id, ...(certificate_sha256 !== null && { certificate_sha256 }) };
  const entry = { type: "instance_key.rotated", by: asSystem(here()), data } as const;
  for (const { org_id } of await listOrgs(tx)) await tx.forOrg(org_id, (own) => appendAudit(own, org_id, entry));
}

const reasons = ["superseded", "affiliation_changed", "key_compromise"] as const;

export async function revokeSealCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { reason: "string", "invalid-from": "string" }, 1);
  const seal_id = positionals[0] ?? "";
  if (!isId("seal", seal_id)) throw new Usage("countersign seals revoke needs the id of a seal (seal_ and 26 characters)");
  const reason = reasons.find((one) => one === values.reason);
  if (reason === undefined) throw new Usage(`--reason must be one of: ${reasons.join(", ")}`);
  const invalid_from = invalidFrom(reason, values["invalid-from"]);
  const revoked = await administer(readConfig(env), async ({ orgs: { db } }) => {
    const [{ revokeSeal, RevocationRefused }, { evaluateSealed }] = await Promise.all([
      import("../seals/revoke-seal.ts"),
      import("../vault/evaluate-sealed.ts"),
    ]);
    try {
      return await revokeSeal(db, seal_id, { reason, invalid_from, by: asSystem(here()), onSealRevoked: evaluateSealed });
    } catch (error) {
      throw error instanceof RevocationRefused ? new Refused(error.message) : error;
    }
  });
  for (const one of revoked) {
    print(`${one.seal_id} of ${one.org_id} is revoked. Seals made from ${one.invalid_from.toISOString()} on are not valid.`);
    if (reason === "key_compromise")
      print("Earlier ones stay valid only where a time stamp or a witness shows that they are earlier. The records are evaluated again.");
  }
  return 0;
}

/** The ids that `seals revoke` takes. */
export async function listSealsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { org: "string" });
  const seals = await inOrg(env, values, async ({ orgs: { db } }, org) => {
    const { listSeals } = await import("../seals/store.ts");
    return db.tx(org, (tx) => listSeals(tx, org));
  });
  for (const { seal_id, certificate, not_before, not_after, revoked_at, revoked_reason } of seals) {
    const interval = `${not_before.toISOString().slice(0, 10)} to ${not_after.toISOString().slice(0, 10)}`;
    const state = revoked_at === null ? "" : `  revoked ${revoked_at.toISOString()} (${revoked_reason ?? "no reason recorded"})`;
    print(`${seal_id}  ${interval}  ${new X509Certificate(certificate).subject.replaceAll("\n", ", ")}${state}`);
  }
  if (seals.length === 0) print("This organization has sealed nothing yet.");
  return 0;
}

/** Only after a compromise can the time differ from now: then someone else may have sealed before it was noticed. */
function invalidFrom(reason: (typeof reasons)[number], text: string | undefined): Date | null {
  if (reason !== "key_compromise") {
    if (text !== undefined) throw new Usage("--invalid-from is for: --reason key_compromise");
    return null;
  }
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new Usage("--invalid-from must be a time such as 2026-05-02T10:00:00Z: when the key was last known to be safe");
  const at = new Date(text);
  if (at.getTime() > Date.now()) throw new Usage("--invalid-from must not be in the future");
  return at;
}
