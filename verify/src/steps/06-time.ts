import { createHash } from "node:crypto";
import {
  canonicalValue,
  commonName,
  cosignatureBy,
  fingerprintOf,
  isInWindow,
  isOfOneLog,
  type NoteKey,
  noteKeyTypes,
  readPem,
  readRenewalProof,
  readVkey,
  renewalsIn,
  SELF_OPERATED,
  type TimeMark,
  type Tree,
  timeOfCosignature,
  writeVkey,
} from "@countersign/evidence";
import { checkTimestamp } from "@countersign/pdf/verify";
import { signedNote } from "../signed-note.ts";
import { BundleRejected, type Files, fileOf, type Options, type StepResult } from "../step.ts";
import { type AnyManifest, isManifest2 } from "./02-manifest.ts";
import type { Trust } from "./03-trust.ts";
import { type Logged, signedCheckpoint } from "./05-log.ts";

const TOKEN = "checkpoints/vaulted.tst";

/** `vaulted`: when an external authority saw the checkpoint of the storing; null if none was asked. `marks`: that, and later proof of time. */
export type Times = { readonly vaulted: string | null; readonly marks: readonly Omit<TimeMark, "valid">[] };

/** Which time the record rests on. Later proof is weaker and never a fault; an invalid time stamp or cosignature always is. */
export function checkTime(files: Files, manifest: AnyManifest, trust: Trust, logged: Logged, options: Options): StepResult<Times> {
  const vaulted = files.has(TOKEN) ? vaultedMark(files, manifest, trust, logged, options) : null;
  const later = renewalsIn([...files.keys()]).flatMap((folder) => renewalMarks(files, folder, trust, logged, options));
  const marks = [...(vaulted === null ? [] : [vaulted]), ...later];
  refuseUnused(files, trust, marks);
  if (marks.length === 0) return { value: { vaulted: null, marks }, says: "self-operated", notes: [SELF_OPERATED] };
  const says = marks.map((mark) => markWords(mark, mark === vaulted)).join(", ");
  return { value: { vaulted: vaulted?.at ?? null, marks }, says, notes: sourceNotes(marks, options) };
}

/** The lists of authorities and witnesses are read, and a witness that cosigned nothing is not listed. */
function refuseUnused(files: Files, { keys }: Trust, marks: readonly Mark[]): void {
  if (files.has("trust/tsa.pem")) listedRoots(files, keys.tsa_roots);
  if (!files.has("trust/witnesses.json")) return;
  const idle = listedWitnesses(files).find((key) => !marks.some(({ by }) => by === writeVkey(key)));
  if (idle !== undefined) throw new BundleRejected("trust/witnesses.json", `lists ${idle.name}, which cosigned nothing in this bundle`);
}

/** When others had seen a checkpoint that contains this entry. */
export const seenTimes = ({ marks }: Times, { indexes }: Logged, seq: number): string[] =>
  marks.filter(({ tree_size }) => tree_size > (indexes[seq - 1] ?? Infinity)).map(({ at }) => at);

function markWords({ kind, at, by }: Mark, isOfVaulting: boolean): string {
  if (kind === "cosignature") return `cosigned by ${readVkey(by)?.name ?? by} at ${at}`;
  return `${isOfVaulting ? "time stamp" : "later time stamp"} of ${at}`;
}

/** Whom the reader trusts without having chosen them. */
function sourceNotes(marks: readonly Mark[], { tsa_roots, witnesses }: Options): string[] {
  const has = (wanted: Mark["kind"]) => marks.some(({ kind }) => kind === wanted);
  return [
    ...(has("token") && tsa_roots === null
      ? ["The time-stamp authority is the one that the installation lists. Use --tsa-ca to trust only authorities that you choose."]
      : []),
    ...(has("cosignature") && (witnesses ?? null) === null
      ? ["The witnesses are those that the installation lists. Use --witness to require those that you choose."]
      : []),
  ];
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

/** What was seen of a checkpoint that extends the one of the storing, or is the same: a time stamp over it, or a note with cosignatures. */
function renewalMarks(files: Files, folder: string, trust: Trust, logged: Logged, options: Options): Mark[] {
  const isNote = files.has(`${folder}/checkpoint.note`);
  const extra = [...files.keys()].find((name) => name.startsWith(`${folder}/`) && !(isNote ? OF_NOTE : OF_TOKEN).test(name));
  if (extra !== undefined) throw new BundleRejected(extra, "does not belong to the other files of its folder");
  const marks = isNote ? cosignatureMarks(files, folder, trust, logged) : [renewalMark(files, folder, trust, logged, options)];
  const { stored } = logged;
  const early = marks.find(({ at }) => !isNotBefore(at, stored.at));
  if (early !== undefined) throw new BundleRejected(folder, `its time, ${early.at}, is before entry ${stored.seq}`, stored.seq);
  return marks;
}

const OF_NOTE = /\/(proof\.json|checkpoint\.note)$/;
const OF_TOKEN = /\/(proof\.json|checkpoint\.json|checkpoint\.sig|token\.tst)$/;

function renewalMark(files: Files, folder: string, trust: Trust, logged: Logged, options: Options): Mark {
  const checkpoint = signedCheckpoint(files, `${folder}/checkpoint`, trust.keys);
  if (checkpoint.log_id !== logged.vaulted.log_id) throw new BundleRejected(`${folder}/checkpoint.json`, "belongs to another log");
  assertOneLog(files, folder, logged, checkpoint);
  const names = { token: `${folder}/token.tst`, checkpoint: `${folder}/checkpoint.json`, tree_size: checkpoint.tree_size };
  return tokenMark(files, names, trust, options);
}

function assertOneLog(files: Files, folder: string, logged: Logged, seen: Tree): void {
  const name = `${folder}/proof.json`;
  const proof = readRenewalProof(fileOf(files, name));
  if (proof === null) throw new BundleRejected(name, "does not contain proofs in canonical form");
  if (!isOfOneLog(seen, logged, proof))
    throw new BundleRejected(name, `checkpoint ${seen.tree_size} is not shown to be of the log of this bundle`);
}

/** The log signed the note, and each listed witness that cosigned it said when it saw this tree. */
function cosignatureMarks(files: Files, folder: string, { keys }: Trust, logged: Logged): Mark[] {
  const name = `${folder}/checkpoint.note`;
  const { note, head } = signedNote(files, name, keys);
  assertOneLog(files, folder, logged, head);
  const marks = listedWitnesses(files).flatMap((key): Mark[] => {
    const found = cosignatureBy(note, key);
    return found === null ? [] : [{ tree_size: head.tree_size, kind: "cosignature", at: timeOfCosignature(found), by: writeVkey(key) }];
  });
  if (marks.length === 0) throw new BundleRejected(name, "has no valid cosignature of a witness in trust/witnesses.json");
  return marks;
}

function listedWitnesses(files: Files): NoteKey[] {
  const name = "trust/witnesses.json";
  const value = canonicalValue(fileOf(files, name));
  const keys = Array.isArray(value) ? value.map((text) => readVkey(String(text))) : [];
  if (keys.length === 0 || !keys.every((key) => key?.type === noteKeyTypes.cosignature))
    throw new BundleRejected(name, "is not a list of keys of witnesses in canonical form");
  return keys as NoteKey[];
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
  return { tree_size: names.tree_size, kind: "token", at, by: commonName(certificate?.subject ?? "") };
}

function listedRoots(files: Files, listed: readonly string[]): Uint8Array[] {
  const roots = readPem(fileOf(files, "trust/tsa.pem"));
  if (roots === null) throw new BundleRejected("trust/tsa.pem", "does not contain certificates in PEM format");
  if (!roots.every((root) => listed.includes(fingerprintOf(root))))
    throw new BundleRejected("trust/tsa.pem", "contains a certificate that trust/keys.json does not list");
  return roots.map(({ raw }) => raw);
}
