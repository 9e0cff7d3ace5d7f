// What a bundle may hold. A name that is not listed here is refused, so nothing can travel along unseen.

/** The copy of an evidence bundle, or the authoritative bytes of an export; exactly one of them. */
export const documentNames = { evidence: "copy.pdf", export: "authoritative.pdf" } as const;

export type BundleKind = keyof typeof documentNames;

export const MANIFEST = "manifest.json";
export const MANIFEST_SIGNATURE = "manifest.sig";

/** In every bundle, beside its document. */
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

/** Only where an external authority stamped the time. */
export const timeNames = ["checkpoints/vaulted.tst", "trust/tsa.pem"] as const;

export type RequiredName = (typeof requiredNames)[number];

// Disclosure, terms and intent statement, as they were shown; and the file that came with an upload, as it came.
const TEXT = /^texts\/(disclosure|terms|intent)-[A-Za-z0-9][A-Za-z0-9.-]*\.(md|txt)$/;
const EVIDENCE = /^evidence\/supplied\.(pdf|png|jpg|json)$/;

const fixed: ReadonlySet<string> = new Set([...requiredNames, ...timeNames, ...Object.values(documentNames)]);

export const isText = (name: string): boolean => TEXT.test(name);
export const isSupplied = (name: string): boolean => EVIDENCE.test(name);
export const isBundleName = (name: string): boolean => fixed.has(name) || isText(name) || isSupplied(name);

/** What is wrong with the names of a bundle; null when they are those of one. */
export function namesFault(names: readonly string[]): { readonly name: string; readonly reason: string } | null {
  const unknown = names.find((name) => !isBundleName(name));
  if (unknown !== undefined) return { name: unknown, reason: "is not a file of a bundle" };
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return { name: twice, reason: "is there twice" };
  const missing = requiredNames.find((name) => !names.includes(name));
  if (missing !== undefined) return { name: missing, reason: "is missing" };
  const documents = Object.values(documentNames).filter((name) => names.includes(name));
  if (documents.length !== 1) return { name: documentNames.evidence, reason: `there must be either this or ${documentNames.export}` };
  if (names.filter(isSupplied).length > 1) return { name: "evidence/", reason: "holds more than one file" };
  const [token, authorities] = timeNames;
  return names.includes(token) === names.includes(authorities)
    ? null
    : { name: token, reason: `needs ${authorities}, and the other way round` };
}
