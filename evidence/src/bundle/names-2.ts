// The files that a bundle 2 may contain. Any other name is rejected, so that a bundle cannot carry unlisted files.

import { documentNames, isSealFile, isSupplied, isText, MANIFEST, MANIFEST_SIGNATURE } from "./names.ts";

const required = [
  MANIFEST,
  MANIFEST_SIGNATURE,
  "chain.jsonl",
  "proofs.json",
  "checkpoints/vaulted.json",
  "checkpoints/vaulted.sig",
  "checkpoints/latest.json",
  "checkpoints/latest.sig",
  "registers.json",
  "trust/root.crt",
  "trust/keys.json",
  "trust/keys.sig",
  "VERIFY.md",
] as const;

const optional: ReadonlySet<string> = new Set([
  ...Object.values(documentNames),
  "checkpoints/vaulted.tst",
  "checkpoints/vaulted.note",
  "checkpoints/latest.note",
  "signed/fields.json",
  "signed/signers.json",
  "signed/values.json",
  "trust/tsa.pem",
  "trust/roots.json",
  "trust/witnesses.json",
]);

const CERTIFICATE = /^certificates\/r[1-9][0-9]{0,5}\/(certificate\.pdf|compliance\.json|facts\.json)$/;
const MARK = /^signed\/marks\/[0-9a-f]{64}\.(json|png)$/;
const RENEWAL = /^renewals\/([0-9]{3})\/(proof\.json|checkpoint\.json|checkpoint\.sig|checkpoint\.note|token\.tst)$/;

export const certificateNames = ["certificate.pdf", "compliance.json", "facts.json"] as const;

export const certificateFile = (revision: number, name: (typeof certificateNames)[number]): string => `certificates/r${revision}/${name}`;
export const sealFile = (certificate_sha256: string): string => `trust/seals/${certificate_sha256}.pem`;
export const isMarkFile = (name: string): boolean => MARK.test(name);

/** The revisions whose files are among these names, in ascending order. */
export function revisionsIn(names: readonly string[]): number[] {
  const found = names.filter((name) => CERTIFICATE.test(name)).map((name) => Number(/r([0-9]+)/.exec(name)?.[1]));
  return [...new Set(found)].sort((a, b) => a - b);
}

/** The folders of `renewals/` among these names, in order. */
export function renewalsIn(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => RENEWAL.exec(name)?.[1] ?? []))].sort().map((number) => `renewals/${number}`);
}

const ORIGIN = /^origin\/([1-9][0-9]?)\/(.+)$/;

/** What the vault before signed when it released the record, beside the files of its bundle. */
export const releaseNames = ["release.json", "release.sig"] as const;

/** The number of vaults that the record was in before, the last one being the sender. */
export const originsIn = (names: readonly string[]): number => Math.max(0, ...names.map((name) => Number(ORIGIN.exec(name)?.[1] ?? 0)));

export const originFile = (number: number, name: string): string => `origin/${number}/${name}`;

/** A file of the bundle of an earlier vault, each of which is whole in its folder except for the folders before it. */
function isOriginFile(name: string): boolean {
  const inner = ORIGIN.exec(name)?.[2];
  if (inner === undefined || ORIGIN.test(inner)) return false;
  return (releaseNames as readonly string[]).includes(inner) || isKnown(inner);
}

const isKnown = (name: string): boolean =>
  isOriginFile(name) ||
  (required as readonly string[]).includes(name) ||
  optional.has(name) ||
  [CERTIFICATE, MARK, RENEWAL].some((pattern) => pattern.test(name)) ||
  isSealFile(name) ||
  isText(name) ||
  isSupplied(name);

/** The first problem with the file names of a bundle 2; null if there is none. */
export function names2Fault(names: readonly string[]): { readonly name: string; readonly reason: string } | null {
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined) return { name: unknown, reason: "is not a file of a bundle" };
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return { name: twice, reason: "appears twice" };
  const revisions = revisionsIn(names).flatMap((revision) => certificateNames.map((name) => certificateFile(revision, name)));
  const missing = [...required, ...revisions].find((name) => !names.includes(name));
  if (missing !== undefined) return { name: missing, reason: "is missing" };
  if (revisions.length === 0) return { name: "certificates/", reason: "contains no certificate" };
  const documents = Object.values(documentNames).filter((name) => names.includes(name));
  if (documents.length !== 1) {
    return { name: documentNames.evidence, reason: `a bundle must contain either this or ${documentNames.export}` };
  }
  return names.filter(isSupplied).length > 1 ? { name: "evidence/", reason: "contains more than one file" } : null;
}
