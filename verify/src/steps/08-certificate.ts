import { createHash } from "node:crypto";
import { certificateFile, certificateNames, type Link, revisionsIn } from "@countersign/evidence";
import { checkSeal, SealedTooLate } from "../check-seal.ts";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";
import { type AnyManifest, isManifest2 } from "./02-manifest.ts";
import type { Trust } from "./03-trust.ts";

const members = { "certificate.pdf": "pdf_sha256", "compliance.json": "json_sha256", "facts.json": "facts_sha256" } as const;

/** The revision that the bundle is about, and where its files are. */
export type CertificateStep = { readonly revision: unknown; readonly fileOf: (name: (typeof certificateNames)[number]) => string };

/** Certificate, compliance.json and facts belong to one recorded revision, and the certificate is sealed. */
export async function checkCertificate(
  files: Files,
  manifest: AnyManifest,
  links: readonly Link[],
  trust: Trust,
  seen: (seq: number) => readonly string[],
): Promise<StepResult<CertificateStep>> {
  if (!isManifest2(manifest)) {
    const { revision, score, late } = await checkRevision(files, (name) => name, links, trust, seen);
    if (late !== null) throw late;
    return { value: { revision, fileOf: (name) => name }, says: `revision ${String(revision)}, score ${String(score)}` };
  }
  const chosen = manifest.certificate_revision;
  const revisions = revisionsIn([...files.keys()]);
  const issued = links.filter(({ entry }) => entry.type === "vault.certificate.issued").map((link) => Number(dataOf(link).revision));
  const missing = issued.find((revision) => !revisions.includes(revision));
  if (missing !== undefined) throw new BundleRejected("certificates/", `revision ${missing} is missing`);
  const notes: string[] = [];
  for (const revision of revisions) {
    const found = await checkRevision(files, (name) => certificateFile(revision, name), links, trust, seen);
    if (found.revision !== revision)
      throw new BundleRejected(certificateFile(revision, "certificate.pdf"), `is revision ${String(found.revision)}`);
    if (found.late === null) continue;
    // A later revision has taken its place, and the log fixes its bytes.
    if (revision === chosen) throw found.late;
    notes.push(`The certificate of revision ${revision} is the recorded one, but ${found.late.message}`);
  }
  if (chosen !== Math.max(...issued)) throw new BundleRejected("manifest.json", `revision ${chosen} is not the latest one`);
  const score = dataOf(links.findLast(({ entry }) => entry.type === "vault.certificate.issued") as Link).score;
  const earlier = revisions.length === 1 ? "" : `, and ${revisions.length - 1} earlier`;
  return {
    value: { revision: chosen, fileOf: (name) => certificateFile(chosen, name) },
    says: `revision ${chosen}, score ${String(score)}${earlier}`,
    notes,
  };
}

async function checkRevision(
  files: Files,
  nameOf: (name: (typeof certificateNames)[number]) => string,
  links: readonly Link[],
  trust: Trust,
  seen: (seq: number) => readonly string[],
): Promise<{ revision: unknown; score: unknown; late: SealedTooLate | null }> {
  const issued = links.filter(({ entry }) => entry.type === "vault.certificate.issued");
  const name = nameOf("certificate.pdf");
  const pdf = fileOf(files, name);
  const link = issued.find((each) => dataOf(each).pdf_sha256 === hashOf(pdf));
  if (link === undefined) throw new BundleRejected(name, `has the hash ${hashOf(pdf)}, which no vault.certificate.issued entry records`);
  for (const each of certificateNames) {
    const [found, recorded] = [hashOf(fileOf(files, nameOf(each))), dataOf(link)[members[each]]];
    if (found !== recorded)
      throw new BundleRejected(nameOf(each), `has the hash ${found}, but ${String(recorded)} was recorded`, link.entry.seq);
  }
  const late = await checkSeal(name, pdf, link.entry.at, trust, seen(link.entry.seq)).then(
    () => null,
    (error: unknown) => {
      if (error instanceof SealedTooLate) return error;
      throw error;
    },
  );
  const { revision, score } = dataOf(link);
  return { revision, score, late };
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const dataOf = (link: Link): Record<string, unknown> => Object(link.data?.data) as Record<string, unknown>;
