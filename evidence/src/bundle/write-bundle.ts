import { canonicalize } from "../canonical.ts";
import type { Signed } from "../checkpoint.ts";
import { type Registers, registersJson } from "../rules/1/registers.ts";
import type { Link } from "../verify-chain.ts";
import { writeZip } from "../zip/write-zip.ts";
import type { NamedFile } from "../zip/zip-format.ts";
import { writeChain } from "./chain-lines.ts";
import { manifestOf } from "./manifest.ts";
import { type BundleKind, documentNames, MANIFEST, MANIFEST_SIGNATURE, namesFault } from "./names.ts";
import type { Proofs } from "./proofs.ts";
import { writePem } from "./trust-keys.ts";
import { VERIFY_MD } from "./verify-md.ts";

/** The content of a bundle. Bytes are copied unchanged, because the chain records their hashes. */
export type BundleParts = {
  readonly kind: BundleKind;
  readonly org_id: string;
  readonly envelope_id: string;
  readonly created_at: string;
  /** the copy issued for this bundle; in an export, the authoritative bytes */
  readonly document: Uint8Array;
  readonly certificate: Uint8Array;
  readonly compliance: Uint8Array;
  readonly facts: Uint8Array;
  readonly links: readonly Link[];
  readonly proofs: Proofs;
  readonly vaulted: Signed & { readonly token: Uint8Array | null };
  readonly latest: Signed;
  readonly registers: Registers;
  /** `texts/<kind>-<version>.<locale>.md` */
  readonly texts: readonly NamedFile[];
  /** `evidence/supplied.<extension>`, unchanged */
  readonly supplied: NamedFile | null;
  readonly trust: {
    /** DER */
    readonly root: Uint8Array;
    /** DER, the seal's own certificate first */
    readonly seal: readonly Uint8Array[];
    readonly keys: Signed;
    /** `trust/roots.json`; null before the first root is replaced */
    readonly roots?: Uint8Array | null;
    /** DER; required if there is a token */
    readonly tsa: readonly Uint8Array[];
  };
};

/** The currently valid Ed25519 key, wherever it is kept. */
export type ManifestSigner = {
  readonly key_id: string;
  /** the raw signature over exactly these bytes */
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array> | Uint8Array;
};

/**
 * Creates the zip file. Throws a RangeError if the parts do not form a bundle.
 * @example await writeBundle(parts, keys.records)
 */
export async function writeBundle(parts: BundleParts, signer: ManifestSigner): Promise<Uint8Array> {
  const files = filesOf(parts);
  const { kind, org_id, envelope_id, created_at } = parts;
  const bytes = Buffer.from(canonicalize(manifestOf({ kind, org_id, envelope_id, created_at, key_id: signer.key_id }, files)));
  const all = [...files, { name: MANIFEST, bytes }, { name: MANIFEST_SIGNATURE, bytes: await signer.sign(bytes) }];
  const fault = namesFault(all.map(({ name }) => name));
  if (fault !== null) throw new RangeError(`${fault.name} ${fault.reason}`);
  return writeZip(all);
}

function filesOf({ kind, trust, vaulted, latest, ...parts }: BundleParts): NamedFile[] {
  const file = (name: string, content: Uint8Array | string): NamedFile => ({
    name,
    bytes: typeof content === "string" ? Buffer.from(content) : content,
  });
  const timed = vaulted.token === null ? [] : [file("checkpoints/vaulted.tst", vaulted.token), file("trust/tsa.pem", writePem(trust.tsa))];
  return [
    file(documentNames[kind], parts.document),
    file("certificate.pdf", parts.certificate),
    file("compliance.json", parts.compliance),
    file("facts.json", parts.facts),
    file("chain.jsonl", writeChain(parts.links)),
    file("proofs.json", canonicalize(parts.proofs)),
    file("checkpoints/vaulted.json", vaulted.bytes),
    file("checkpoints/vaulted.sig", vaulted.signature),
    file("checkpoints/latest.json", latest.bytes),
    file("checkpoints/latest.sig", latest.signature),
    file("registers.json", registersJson(parts.registers)),
    file("trust/root.crt", writePem([trust.root])),
    file("trust/seal.pem", writePem(trust.seal)),
    file("trust/keys.json", trust.keys.bytes),
    file("trust/keys.sig", trust.keys.signature),
    file("VERIFY.md", VERIFY_MD),
    ...parts.texts,
    ...(parts.supplied === null ? [] : [parts.supplied]),
    ...(trust.roots == null ? [] : [file("trust/roots.json", trust.roots)]),
    ...timed,
  ];
}
