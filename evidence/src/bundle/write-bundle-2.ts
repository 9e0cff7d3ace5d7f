import { canonicalize } from "../canonical.ts";
import type { Signed } from "../checkpoint.ts";
import { type Registers, registersJson } from "../rules/1/registers.ts";
import type { Link } from "../verify-chain.ts";
import { writeZip } from "../zip/write-zip.ts";
import type { NamedFile } from "../zip/zip-format.ts";
import { writeChain } from "./chain-lines.ts";
import { type Manifest2, manifest2Of } from "./manifest-2.ts";
import { documentNames, MANIFEST, MANIFEST_SIGNATURE } from "./names.ts";
import { certificateFile, names2Fault, sealFile } from "./names-2.ts";
import type { Proofs } from "./proofs.ts";
import type { RenewalProof } from "./renewal-proof.ts";
import { fingerprintOf, readCertificate, writePem } from "./trust-keys.ts";
import type { ManifestSigner } from "./write-bundle.ts";

/** One revision of the certificate, as stored. */
export type CertificateFiles = {
  readonly revision: number;
  readonly pdf: Uint8Array;
  readonly compliance: Uint8Array;
  readonly facts: Uint8Array;
};

/** A later proof of time: a time stamp or cosignatures over a checkpoint that extends the one of the storing. */
export type RenewalFiles = {
  /** the log's own statement about that checkpoint; needed for a token, which stamps its bytes */
  readonly checkpoint: Signed | null;
  readonly token: Uint8Array | null;
  readonly note: string | null;
  /** that the checkpoint extends checkpoints/vaulted.json, and that it and checkpoints/latest.json are states of one log */
  readonly proof: RenewalProof;
};

/** The content of a bundle. Bytes are copied unchanged, because the chain records their hashes. */
export type Bundle2Parts = Omit<Manifest2, "type" | "files" | "key_id"> & {
  /** the copy issued for this bundle; in an export, the authoritative bytes */
  readonly document: Uint8Array;
  readonly certificates: readonly CertificateFiles[];
  readonly links: readonly Link[];
  readonly proofs: Proofs;
  readonly vaulted: Signed & { readonly token: Uint8Array | null; readonly note: string | null };
  readonly latest: Signed & { readonly note: string | null };
  readonly renewals: readonly RenewalFiles[];
  readonly registers: Registers;
  /** `texts/<kind>-<version>.<locale>.md` */
  readonly texts: readonly NamedFile[];
  /** `evidence/supplied.<extension>`, unchanged */
  readonly supplied: NamedFile | null;
  /** of `writeSigned`; empty for a document that was not signed here */
  readonly signed: readonly NamedFile[];
  readonly verify_md: string;
  /** `origin/`: the bundles of the vaults that the record was in before, and their releases; empty for a record that was first vaulted here */
  readonly origins?: readonly NamedFile[];
  readonly trust: {
    /** DER */
    readonly root: Uint8Array;
    /** of every certificate that sealed a PDF of this bundle: DER, its own first, then its issuers */
    readonly seals: readonly (readonly Uint8Array[])[];
    readonly keys: Signed;
    /** DER; every authority whose time stamps are in the bundle, also inside a PDF */
    readonly tsa: readonly Uint8Array[];
    /** `trust/roots.json`; null before the first root is replaced */
    readonly roots: Uint8Array | null;
    /** further files of `trust/` */
    readonly more: readonly NamedFile[];
  };
};

/** Creates the zip file. Throws a RangeError if the parts do not form a bundle. */
export async function writeBundle2(parts: Bundle2Parts, { key_id, sign }: ManifestSigner): Promise<Uint8Array> {
  const files = filesOf(parts);
  const { kind, org_id, envelope_id, copy_id, certificate_revision, rules, created_at, as_of, lacks, status_url } = parts;
  const about = { kind, org_id, envelope_id, copy_id, certificate_revision, rules, created_at, as_of, lacks, status_url, key_id };
  const manifest = Buffer.from(canonicalize(manifest2Of(about, files)));
  const all = [...files, { name: MANIFEST, bytes: manifest }, { name: MANIFEST_SIGNATURE, bytes: await sign(manifest) }];
  const fault = names2Fault(all.map(({ name }) => name));
  if (fault !== null) throw new RangeError(`${fault.name} ${fault.reason}`);
  return writeZip(all);
}

function file(name: string, content: Uint8Array | string): NamedFile {
  return { name, bytes: typeof content === "string" ? Buffer.from(content) : content };
}

const optional = (name: string, content: Uint8Array | string | null): NamedFile[] => (content === null ? [] : [file(name, content)]);

function filesOf({ trust, vaulted, latest, ...parts }: Bundle2Parts): NamedFile[] {
  return [
    file(documentNames[parts.kind], parts.document),
    ...parts.certificates.flatMap(({ revision, pdf, compliance, facts }) => [
      file(certificateFile(revision, "certificate.pdf"), pdf),
      file(certificateFile(revision, "compliance.json"), compliance),
      file(certificateFile(revision, "facts.json"), facts),
    ]),
    file("chain.jsonl", writeChain(parts.links)),
    file("proofs.json", canonicalize(parts.proofs)),
    ...checkpointFiles("checkpoints/vaulted", vaulted),
    ...optional("checkpoints/vaulted.tst", vaulted.token),
    ...checkpointFiles("checkpoints/latest", latest),
    ...parts.renewals.flatMap(renewalFiles),
    file("registers.json", registersJson(parts.registers)),
    file("trust/root.crt", writePem([trust.root])),
    ...trust.seals.map((seal) => file(sealFile(fingerprintOf(readCertificate(seal[0] as Uint8Array))), writePem(seal))),
    file("trust/keys.json", trust.keys.bytes),
    file("trust/keys.sig", trust.keys.signature),
    ...(trust.tsa.length === 0 ? [] : [file("trust/tsa.pem", writePem(trust.tsa))]),
    ...optional("trust/roots.json", trust.roots),
    ...trust.more,
    file("VERIFY.md", parts.verify_md),
    ...parts.texts,
    ...parts.signed,
    ...(parts.supplied === null ? [] : [parts.supplied]),
    ...(parts.origins ?? []),
  ];
}

const checkpointFiles = (name: string, { bytes, signature, note }: Signed & { readonly note: string | null }): NamedFile[] => [
  file(`${name}.json`, bytes),
  file(`${name}.sig`, signature),
  ...optional(`${name}.note`, note),
];

function renewalFiles({ checkpoint, token, note, proof }: RenewalFiles, index: number): NamedFile[] {
  const folder = `renewals/${String(index + 1).padStart(3, "0")}`;
  return [
    file(`${folder}/proof.json`, canonicalize(proof)),
    ...(checkpoint === null
      ? []
      : [file(`${folder}/checkpoint.json`, checkpoint.bytes), file(`${folder}/checkpoint.sig`, checkpoint.signature)]),
    ...optional(`${folder}/checkpoint.note`, note),
    ...optional(`${folder}/token.tst`, token),
  ];
}
