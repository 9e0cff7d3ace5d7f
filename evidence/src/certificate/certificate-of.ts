// The content of a compliance certificate. It reports facts and draws no legal conclusions.

import type { Facts } from "../facts.ts";
import type { Evaluation } from "../rules/1/checks/check.ts";
import { checkBlocks, warningBlocks } from "./check-blocks.ts";
import { textBlocks, verifyBlocks } from "./closing-blocks.ts";
import { type CertificateExtras, certificateId } from "./details.ts";
import type { CertificateModel } from "./document.ts";
import { firstPage, NOT_PASSED_TITLE, PASSED_TITLE } from "./first-page.ts";
import { registerBlocks, trailBlocks } from "./register-blocks.ts";
import { signerBlocks } from "./signer-blocks.ts";
import { shortHash } from "./wording.ts";

/**
 * Returns the certificate as a document model for the typesetter. The same arguments give the same model. Throws if the facts are those
 * of a preview: nothing is stored yet, so there is nothing to certify.
 * @example const { bytes } = await pool.typeset(certificateOf(facts, evaluate(facts), more))
 */
export function certificateOf(facts: Facts, evaluation: Evaluation, more: CertificateExtras): CertificateModel {
  if (facts.certificate === null) throw new Error("a preview has no certificate");
  const details = { ...more, certificate_id: certificateId(facts.envelope.envelope_id, facts.certificate.revision) };
  return {
    title: `${evaluation.passed ? PASSED_TITLE : NOT_PASSED_TITLE} ${details.certificate_id}`,
    subject: facts.envelope.envelope_name,
    author: facts.org.name,
    language: "en",
    paper: more.paper,
    // Identifies the certificate and the document on every page.
    footer: { before: details.certificate_id, after: shortHash(facts.copy?.sha256 ?? more.facts_sha256) },
    blocks: [
      ...firstPage(facts, evaluation, details),
      ...warningBlocks(evaluation),
      ...checkBlocks(facts, evaluation),
      ...signerBlocks(facts, more.people),
      ...registerBlocks(facts, more.people),
      ...trailBlocks(more.entries, facts.signers),
      ...textBlocks(more.texts),
      ...verifyBlocks(details),
    ],
  };
}
