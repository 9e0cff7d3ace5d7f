import { type CertificateExtras, certificateOf, complianceJson, type Evaluation, type Facts, hashOfJson } from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import type { Read } from "../db/sql.ts";
import { currentTerms } from "../envelopes/certification.ts";
import { lookUpInstanceKey } from "../seals/store.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";
import { currentTexts } from "../signing/texts.ts";
import { listMemberNames } from "./store.ts";
import type { PipelineDeps } from "./vault.ts";

export interface WrittenCertificate {
  readonly pdf: Uint8Array;
  readonly json: Uint8Array;
}

/** The certificate of an evaluation, as a sealed PDF for people and as JSON for programs. */
export async function writeCertificate(deps: PipelineDeps, org: OrgId, facts: Facts, evaluation: Evaluation): Promise<WrittenCertificate> {
  const envelope_id = facts.envelope.envelope_id as EnvelopeId;
  const more = await deps.db.tx(org, (tx) => readMore(deps, tx, org, envelope_id, facts));
  const { bytes } = await deps.pdf.typeset(certificateOf(facts, evaluation, more), { key: org, priority: "background" });
  const { bytes: pdf } = await deps.seal(org, bytes, `Compliance certificate of ${envelope_id}`);
  return { pdf, json: Buffer.from(complianceJson(facts)) };
}

async function readMore(deps: PipelineDeps, read: Read, org: OrgId, envelope_id: EnvelopeId, facts: Facts): Promise<CertificateExtras> {
  const root = await lookUpInstanceKey(read, "root");
  const links = await readChain(read, org, envelope_id);
  return {
    facts_sha256: hashOfJson(facts),
    root_sha256: root?.certificate == null ? "" : sha256(root.certificate).toString("hex"),
    trust_address: `${deps.publicUrl}/.well-known/countersign-trust.json`,
    entries: links.map(({ entry: { seq, at, type, actor, hash } }) => ({ seq, at, type, actor, hash })),
    texts: printedTexts(facts),
    people: await listMemberNames(read, org),
    paper: "a4",
  };
}

/** In full, because the hash of an accepted text is of little use to a reader. */
function printedTexts(facts: Facts): CertificateExtras["texts"] {
  return facts.texts.flatMap(({ kind, version, sha256: hash }) => {
    const text = kind === "terms" ? termsOf(hash) : currentTexts(kind).find((one) => one.sha256 === hash)?.text;
    return text === undefined ? [] : [{ kind, version, sha256: hash, text }];
  });
}

const termsOf = (hash: string): string | undefined => (currentTerms().terms_sha256 === hash ? currentTerms().text : undefined);
