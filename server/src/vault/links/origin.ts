import type { X509Certificate } from "node:crypto";
import {
  canonicalValue,
  type Facts2,
  isSealFile,
  type Link,
  type NamedFile,
  type OriginFacts,
  proveRelease,
  type ReleaseMessage,
  readChain,
  readLinkMessage,
  readManifest2,
  readOrigin,
  readPem,
  readTrustKeys,
  readZip,
  revisionsIn,
  rules2,
  sealOf,
  sealValidity,
  type TrustKeys,
} from "@countersign/evidence";
import { NotAPdf, type SealReport, UnreadablePdf } from "@countersign/pdf/pool";
import type { Tx } from "../../db/sql.ts";
import { readStored } from "../../documents/read-stored.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import type { PipelineDeps } from "../vault.ts";
import { lookUpOriginRow, type OriginRow } from "./import-store.ts";

/** Where a record was before, as the bundle of that vault shows it. The bundle was verified when the record was taken in. */
export interface Origin {
  readonly row: OriginRow;
  readonly release: ReleaseMessage;
  /** the files of the bundle of the vault before */
  readonly files: readonly NamedFile[];
  readonly facts: OriginFacts;
}

/** Null for a record that was first vaulted here. Reads the store: call it outside transactions. */
export async function lookUpOrigin(
  deps: Pick<PipelineDeps, "db" | "storage">,
  org: OrgId,
  envelope_id: EnvelopeId,
): Promise<Origin | null> {
  const row = await deps.db.tx(org, (tx: Tx) => lookUpOriginRow(tx, org, envelope_id));
  if (row === null) return null;
  const files = readZip(await readStored(deps, org, row.bundle_sha256, "document_unavailable"));
  const release = readLinkMessage(row.release);
  if (release?.type !== "countersign/link/1/release") throw new Error(`the release of ${row.transfer_id} cannot be read`);
  return { row, release, files, facts: originFacts(row, release, files) };
}

function originFacts(row: OriginRow, release: ReleaseMessage, files: readonly NamedFile[]): OriginFacts {
  const { seq, hash, at } = release.released.entry;
  const { keys, links, facts } = bundleOf(files);
  const proof = proveRelease(release, keys);
  if (proof.fault !== null) throw new Error(`the release of ${row.transfer_id}: ${proof.fault}`);
  return {
    transfer_id: row.transfer_id,
    vault: row.vault,
    first: row.first,
    lineage_id: release.lineage_id,
    released: { seq, hash, at },
    witnessed: proof.witnessed,
    recoveries: rules2.recoveriesOfChain(links),
    facts,
  };
}

/** The parts of a bundle that taking a record in needs. Throws if one is missing: the verifier has accepted the bundle before. */
export interface BundleContent {
  readonly org_id: string;
  readonly envelope_id: string;
  readonly copy_id: string;
  readonly keys: TrustKeys;
  readonly links: readonly Link[];
  /** of the latest certificate */
  readonly facts: Facts2;
}

export function bundleOf(files: readonly NamedFile[]): BundleContent {
  const bytesOf = (name: string): Uint8Array => {
    const file = files.find((each) => each.name === name);
    if (file === undefined) throw new Error(`${name} is not in the bundle`);
    return file.bytes;
  };
  const manifest = readManifest2(bytesOf("manifest.json"));
  const keys = readTrustKeys(bytesOf("trust/keys.json"));
  const chain = readChain(bytesOf("chain.jsonl"));
  const revision = revisionsIn(files.map(({ name }) => name)).at(-1) ?? 0;
  const facts = canonicalValue(bytesOf(`certificates/r${revision}/facts.json`)) as unknown as Facts2 | undefined;
  if (manifest === null || keys === null || "line" in chain || facts?.type !== "countersign/facts/2")
    throw new Error("the bundle is not one that a record can be taken in with");
  const { org_id, envelope_id, copy_id } = manifest;
  return { org_id, envelope_id, copy_id, keys, links: chain.links, facts };
}

/** The files of the vault that sealed the record. */
export function firstBundle(files: readonly NamedFile[]): readonly NamedFile[] {
  const before = readOrigin(files);
  return before === null ? files : firstBundle(before.bundle);
}

export type OriginSeal =
  | { readonly valid: true; readonly report: SealReport }
  | { readonly valid: false; readonly reason: string; readonly report: SealReport | null };

/** Whether the vault that sealed the record did so, under its own root and while its certificate was valid. */
export async function verifyOriginSeal(
  { pdf }: Pick<PipelineDeps, "pdf">,
  org: OrgId,
  document: Uint8Array,
  files: readonly NamedFile[],
): Promise<OriginSeal> {
  const first = firstBundle(files);
  const { keys, links, facts } = bundleOf(first);
  const certificates = (isWanted: (name: string) => boolean): X509Certificate[][] =>
    first.filter(({ name }) => isWanted(name)).map(({ bytes }) => readPem(bytes) ?? []);
  const [root = []] = certificates((name) => name === "trust/root.crt");
  const seals = certificates(isSealFile);
  const [authorities = []] = certificates((name) => name === "trust/tsa.pem");
  const at = links.find(({ entry }) => entry.type === "vault.stored")?.entry.at ?? "";
  const roots = [...root, ...seals.flatMap((chain) => chain.slice(1).slice(-1))].map(({ raw }) => raw);
  const trust = { roots, timestamp_roots: authorities.map(({ raw }) => raw), at: new Date(at) };
  const reports = await pdf.verify(document, trust, { key: org, priority: "background" }).catch(unreadable);
  if (reports === null) return invalid("the PDF cannot be read");
  const report = reports.find((each) => each.covers_whole_file);
  if (report === undefined) return invalid(reports.length === 0 ? "there is no seal" : "no seal covers the whole file");
  if (!report.intact || !report.trusted) return invalid(report.fault ?? "the seal is broken");
  const listed = sealOf(keys, report.certificate?.sha256 ?? "");
  if (listed === null) return invalid("sealed with a certificate that the first vault does not list");
  const stamped =
    report.timestamp?.intact === true && report.timestamp.trusted && report.timestamp.at !== null ? [report.timestamp.at] : [];
  const proofs = facts.times.filter(({ valid }) => valid).map((mark) => mark.at);
  const { valid, says } = sealValidity(listed, { entry: at, proofs: [...proofs, ...stamped] });
  return valid ? { valid, report } : invalid(says ?? "the seal certificate was not valid", report);
}

const invalid = (reason: string, report: SealReport | null = null): OriginSeal => ({ valid: false, reason, report });

function unreadable(error: unknown): null {
  if (error instanceof UnreadablePdf || error instanceof NotAPdf) return null;
  throw error;
}
