import { createHash } from "node:crypto";
import {
  canonicalValue,
  fingerprintOf,
  isConsistent,
  isHash,
  isInWindow,
  readPem,
  renewalsIn,
  SELF_OPERATED,
  type TimeMark,
} from "@countersign/evidence";
import { checkTimestamp } from "@countersign/pdf/verify";
import { BundleRejected, type Files, fileOf, type Options, type StepResult } from "../step.ts";
import { type AnyManifest, isManifest2 } from "./02-manifest.ts";
import type { Trust } from "./03-trust.ts";
import { type Logged, signedCheckpoint } from "./05-log.ts";

const TOKEN = "checkpoints/vaulted.tst";

/** `vaulted`: when an external authority saw the checkpoint of the storing; null if none was asked. `marks`: that, and later proof of time. */
export type Times = { readonly vaulted: string | null; readonly marks: readonly Omit<TimeMark, "valid">[] };

/** Which time the record rests on. Later proof is weaker and never a fault; an invalid time stamp always is. */
export function checkTime(files: Files, manifest: AnyManifest, trust: Trust, logged: Logged, options: Options): StepResult<Times> {
  const vaulted = files.has(TOKEN) ? vaultedMark(files, manifest, trust, logged, options) : null;
  const later = renewalsIn([...files.keys()]).map((folder) => renewalMark(files, folder, trust, logged, options));
  const marks = [...(vaulted === null ? [] : [vaulted]), ...later];
  if (marks.length === 0) return { value: { vaulted: null, marks }, says: "self-operated", notes: [SELF_OPERATED] };
  const says = marks.map(({ at }, index) => `${index === 0 && vaulted !== null ? "time stamp" : "later time stamp"} of ${at}`).join(", ");
  const notes =
    options.tsa_roots === null
      ? ["The time-stamp authority is the one that the installation lists. Use --tsa-ca to trust only authorities that you choose."]
      : [];
  return { value: { vaulted: vaulted?.at ?? null, marks }, says, notes };
}

type Mark = Times["marks"][number];

function vaultedMark(files: Files, manifest: AnyManifest, trust: Trust, { stored, vaulted }: Logged, options: Options): Mark {
  const mark = tokenMark(files, { token: TOKEN, checkpoint: "checkpoints/vaulted.json", tree_size: vaulted.tree_size }, trust, options);
  const isAllowed = isManifest2(manifest) ? isNotBefore(mark.at, stored.at) : isInWindow(mark.at, stored.at);
  if (!isAllowed)
    throw new BundleRejected(TOKEN, `its time, ${mark.at}, is too far from the time of entry ${stored.seq}, ${stored.at}`, stored.seq);
  return mark;
}

// The authority's clock may run a little behind.
const EARLY_MS = 5_000;

const isNotBefore = (at: string, stored_at: string): boolean => Date.parse(at) >= Date.parse(stored_at) - EARLY_MS;

/** A time stamp over a later checkpoint, which extends the one of the storing. */
function renewalMark(files: Files, folder: string, trust: Trust, { vaulted, stored }: Logged, options: Options): Mark {
  const checkpoint = signedCheckpoint(files, `${folder}/checkpoint`, trust.keys);
  const proof = canonicalValue(fileOf(files, `${folder}/proof.json`));
  const isProof = Array.isArray(proof) && proof.every(isHash);
  if (checkpoint.log_id !== vaulted.log_id || !isProof || !isConsistent(vaulted, checkpoint, proof as string[]))
    throw new BundleRejected(`${folder}/proof.json`, `checkpoint ${checkpoint.tree_size} does not extend checkpoint ${vaulted.tree_size}`);
  const token = `${folder}/token.tst`;
  const mark = tokenMark(files, { token, checkpoint: `${folder}/checkpoint.json`, tree_size: checkpoint.tree_size }, trust, options);
  if (!isNotBefore(mark.at, stored.at)) throw new BundleRejected(token, `its time, ${mark.at}, is before entry ${stored.seq}`, stored.seq);
  return mark;
}

function tokenMark(
  files: Files,
  names: { readonly token: string; readonly checkpoint: string; readonly tree_size: number },
  { keys }: Trust,
  options: Options,
): Mark {
  const bytes = fileOf(files, names.checkpoint);
  const roots = options.tsa_roots ?? listedRoots(files, keys.tsa_roots);
  const token = fileOf(files, names.token);
  const { at, certificate, intact, trusted, fault } = checkTimestamp(token, (hash) => createHash(hash).update(bytes).digest(), roots);
  if (!intact || !trusted || at === null)
    throw new BundleRejected(names.token, `is not a valid time stamp of ${names.checkpoint}: ${fault ?? "unreadable"}`);
  return { tree_size: names.tree_size, kind: "token", at, by: certificate?.subject ?? "" };
}

function listedRoots(files: Files, listed: readonly string[]): Uint8Array[] {
  const roots = readPem(fileOf(files, "trust/tsa.pem"));
  if (roots === null) throw new BundleRejected("trust/tsa.pem", "does not contain certificates in PEM format");
  if (!roots.every((root) => listed.includes(fingerprintOf(root))))
    throw new BundleRejected("trust/tsa.pem", "contains a certificate that trust/keys.json does not list");
  return roots.map(({ raw }) => raw);
}
