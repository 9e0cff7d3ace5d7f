// The content of a compliance certificate. It reports facts and draws no legal conclusions.

import type { Facts2 as Facts } from "../facts-2.ts";
import type { GradedEvaluation as Evaluation } from "../rules/2/checks/check.ts";
import { annexBlocks } from "./annex-blocks.ts";
import { checkBlocks } from "./check-blocks.ts";
import { textBlocks, verifyBlocks } from "./closing-blocks.ts";
import { type CertificateExtras, certificateId } from "./details.ts";
import type { CertificateModel } from "./document.ts";
import { firstPage, titleOf } from "./first-page.ts";
import { lackBlocks } from "./lack-blocks.ts";
import { originBlocks } from "./origin-blocks.ts";
import { partBlocks } from "./part-blocks.ts";
import { recipientBlocks } from "./recipient-blocks.ts";
import { registerBlocks, trailBlocks } from "./register-blocks.ts";
import { signerBlocks } from "./signer-blocks.ts";
import { termsBlocks } from "./terms-blocks.ts";
import { shortHash } from "./wording.ts";

/**
 * Returns the certificate as a document model for the typesetter. The same arguments give the same model. Throws if the facts are those
 * of a preview: nothing is stored yet, so there is nothing to certify.
 * @example const { bytes } = await pool.typeset(certificateOf(facts, evaluate(facts), more))
 */
export function certificateOf(facts: Facts, evaluation: Evaluation, more: CertificateExtras): CertificateModel {
  if (facts.certificate === null) throw new Error("a preview has no certificate");
  const certificate_id = certificateId(facts.envelope.envelope_id, facts.certificate.revision);
  // What was recorded while the certificate was being made belongs to the next one.
  const links = more.links.filter(({ entry }) => entry.seq <= (facts.chain.head?.seq ?? 0));
  const details = { ...more, links, certificate_id };
  return {
    title: `${titleOf(evaluation)} ${certificate_id}`,
    subject: facts.envelope.envelope_name,
    author: facts.org.name,
    language: "en",
    paper: more.paper,
    // Identifies the certificate and the document on every page.
    footer: { before: certificate_id, after: shortHash(facts.copy?.sha256 ?? more.facts_sha256) },
    blocks: [
      ...firstPage(facts, evaluation, details),
      ...checkBlocks(facts, evaluation),
      ...annexBlocks(evaluation),
      ...lackBlocks(facts, links),
      ...(facts.origin === undefined ? signerBlocks(facts, details) : originBlocks(facts)),
      ...recipientBlocks(facts.recipients ?? [], { org: facts.org, people: more.people }),
      ...partBlocks(facts.documents ?? []),
      ...registerBlocks(facts, more.people),
      ...termsBlocks(links, more.people),
      ...trailBlocks(links, facts),
      ...textBlocks(more.texts),
      ...verifyBlocks(details),
    ],
  };
}
