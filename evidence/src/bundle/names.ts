// The files that a bundle may contain. Any other name is rejected, so that a bundle cannot carry unlisted files.

/** An evidence bundle contains a copy, an export the authoritative bytes; never both. */
export const documentNames = { evidence: "copy.pdf", export: "authoritative.pdf" } as const;

export type BundleKind = keyof typeof documentNames;

export const MANIFEST = "manifest.json";
export const MANIFEST_SIGNATURE = "manifest.sig";

/** In every bundle, in addition to its document. */
export const requiredNames = [
  MANIFEST,
  MANIFEST_SIGNATURE,
  "certificate.pdf",
  "compliance.json",
  "facts.json",
  "chain.jsonl",
  "proofs.json",
  "checkpoints/vaulted.json",
  "checkpoints/vaulted.sig",
  "checkpoints/latest.json",
  "checkpoints/latest.sig",
  "registers.json",
  "trust/root.crt",
  "trust/seal.pem",
  "trust/keys.json",
  "trust/keys.sig",
  "VERIFY.md",
] as const;

/** Only if an external authority stamped the time. */
const timeNames = ["checkpoints/vaulted.tst", "trust/tsa.pem"] as const;

export type RequiredName = (typeof requiredNames)[number];

// The disclosure, terms, intent statement and agreement of makers as they were shown, and the unchanged file that came with an upload.
const TEXT = /^texts\/(disclosure|terms|intent|agreement)-[A-Za-z0-9][A-Za-z0-9.-]*\.(md|txt)$/;
const EVIDENCE = /^evidence\/supplied\.(pdf|png|jpg|json)$/;

// Only after the root was replaced: every root and how each follows the one before it.
const ROOTS = "trust/roots.json";
// Of every other certificate that sealed a file of the bundle: its chain, named by its SHA-256.
const SEAL = /^trust\/seals\/[0-9a-f]{64}\.pem$/;

const fixed: ReadonlySet<string> = new Set([...requiredNames, ...timeNames, ROOTS, ...Object.values(documentNames)]);

export const isText = (name: string): boolean => TEXT.test(name);
export const isSupplied = (name: string): boolean => EVIDENCE.test(name);
export const isSealFile = (name: string): boolean => SEAL.test(name);
export const isBundleName = (name: string): boolean => fixed.has(name) || isText(name) || isSupplied(name) || isSealFile(name);

/** The first problem with the file names of a bundle; null if there is none. */
export function namesFault(names: readonly string[]): { readonly name: string; readonly reason: string } | null {
  const unknown = names.find((name) => !isBundleName(name));
  if (unknown !== undefined) return { name: unknown, reason: "is not a file of a bundle" };
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return { name: twice, reason: "appears twice" };
  const missing = requiredNames.find((name) => !names.includes(name));
  if (missing !== undefined) return { name: missing, reason: "is missing" };
  const documents = Object.values(documentNames).filter((name) => names.includes(name));
  if (documents.length !== 1)
    return { name: documentNames.evidence, reason: `a bundle must contain either this or ${documentNames.export}` };
  if (names.filter(isSupplied).length > 1) return { name: "evidence/", reason: "contains more than one file" };
  const [token, authorities] = timeNames;
  return names.includes(token) === names.includes(authorities)
    ? null
    : { name: token, reason: `must be present together with ${authorities}` };
}
