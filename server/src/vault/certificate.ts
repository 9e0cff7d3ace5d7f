import { type CertificateExtras, certificateOf, type Facts2, hashOfJson, rules2 } from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import type { Read, Tx } from "../db/sql.ts";
import { listMemberNames } from "../envelopes/store.ts";
import { listRootsOf } from "../seals/store.ts";
import { type EnvelopeId, isSandbox, type OrgId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";
import { readSigned } from "../signing/signed-store.ts";
import { listTexts } from "../texts/store.ts";
import { trustAddress } from "../transparency/trust-address.ts";
import { lookUpCopy } from "./copy-store.ts";
import { type PipelineDeps, statusUrl } from "./vault.ts";

export interface WrittenCertificate {
  readonly pdf: Uint8Array;
  readonly json: Uint8Array;
}

/** The certificate of an evaluation, as a sealed PDF for people and as JSON for programs. */
export async function writeCertificate(
  deps: PipelineDeps,
  org: OrgId,
  facts: Facts2,
  evaluation: rules2.GradedEvaluation,
): Promise<WrittenCertificate> {
  const envelope_id = facts.envelope.envelope_id as EnvelopeId;
  const more = await deps.db.tx(org, (tx) => readMore(deps, tx, org, envelope_id, facts));
  const { bytes } = await deps.pdf.typeset(certificateOf(facts, evaluation, more), { key: org, priority: "background" });
  const { bytes: pdf } = await deps.seal(org, bytes, `Compliance certificate of ${envelope_id}`);
  return { pdf, json: Buffer.from(rules2.complianceJson(facts)) };
}

async function readMore(deps: PipelineDeps, tx: Tx, org: OrgId, envelope_id: EnvelopeId, facts: Facts2): Promise<CertificateExtras> {
  const root = (await listRootsOf(tx, org)).at(-1);
  const copy = await lookUpCopy(tx, org, envelope_id);
  return {
    facts_sha256: hashOfJson(facts),
    root_sha256: root === undefined ? "" : sha256(root).toString("hex"),
    trust_address: trustAddress(deps.publicUrl, org),
    status_url: copy === null || isSandbox(org) ? null : statusUrl(deps.publicUrl, copy),
    verifier: { address: `${deps.publicUrl}/verify/`, sha256: deps.verifierSha256 },
    links: await readChain(tx, org, envelope_id),
    marks: (await readSigned(deps, tx, org, envelope_id)).marks,
    texts: await printedTexts(tx, facts),
    people: await listMemberNames(tx, org),
    paper: "a4",
  };
}

/** In full, because the hash of an accepted text is of little use to a reader. */
async function printedTexts(read: Read, facts: Facts2): Promise<CertificateExtras["texts"]> {
  const published = await listTexts(
    read,
    facts.texts.map((text) => text.sha256),
  );
  return facts.texts.flatMap(({ kind, version, sha256: hash }) => {
    const text = published.find((one) => one.sha256 === hash)?.text;
    return text === undefined ? [] : [{ kind, version, sha256: hash, text }];
  });
}
