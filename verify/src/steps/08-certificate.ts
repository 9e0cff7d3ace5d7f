import { createHash } from "node:crypto";
import type { Link } from "@countersign/evidence";
import { checkSeal } from "../check-seal.ts";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";
import type { Trust } from "./03-trust.ts";

const members = { "certificate.pdf": "pdf_sha256", "compliance.json": "json_sha256", "facts.json": "facts_sha256" } as const;

/** Certificate, compliance.json and facts belong to one recorded revision, and the certificate is sealed. */
export async function checkCertificate(files: Files, links: readonly Link[], trust: Trust): Promise<StepResult<{ revision: unknown }>> {
  const issued = links.filter(({ entry }) => entry.type === "vault.certificate.issued");
  const pdf = fileOf(files, "certificate.pdf");
  const link = issued.find((each) => dataOf(each).pdf_sha256 === hashOf(pdf));
  if (link === undefined)
    throw new BundleRejected("certificate.pdf", `has the hash ${hashOf(pdf)}, which no vault.certificate.issued entry records`);
  for (const [name, member] of Object.entries(members)) {
    const [found, recorded] = [hashOf(fileOf(files, name)), dataOf(link)[member]];
    if (found !== recorded) throw new BundleRejected(name, `has the hash ${found}, but ${String(recorded)} was recorded`, link.entry.seq);
  }
  const { revision, score } = dataOf(link);
  await checkSeal("certificate.pdf", pdf, link.entry.at, trust);
  return { value: { revision }, says: `revision ${String(revision)}, score ${String(score)}` };
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const dataOf = (link: Link): Record<string, unknown> => Object(link.data?.data) as Record<string, unknown>;
