// The full texts that people agreed to, and instructions for verifying the record without trusting the file or its issuer.

import type { CertificateDetails, PrintedText } from "./details.ts";
import type { Block } from "./document.ts";
import { hashWords, pair, quiet } from "./wording.ts";

const TEXT_TITLES: Readonly<Record<PrintedText["kind"], string>> = {
  disclosure: "Disclosure shown to the signers",
  intent: "Statement of intent beside the button",
  agreement: "Agreement of makers that the document is a transferable record",
  terms: "Certification terms accepted by the sender",
};

export function textBlocks(texts: readonly PrintedText[]): Block[] {
  if (texts.length === 0) return [];
  return [{ kind: "heading", level: 1, text: "Texts in full" }, ...texts.flatMap(textBlock)];
}

function textBlock({ kind, version, sha256, text }: PrintedText): Block[] {
  return [
    { kind: "heading", level: 2, text: `${TEXT_TITLES[kind]}, version ${version}` },
    { kind: "pairs", holds_next: true, rows: [pair("SHA-256", hashWords(sha256))] },
    ...text.split("\n").flatMap(lineBlock),
  ];
}

// Our texts use two kinds of markup: "# " for a heading and "1. " for a numbered paragraph. Everything else is printed unchanged.
export function lineBlock(line: string): Block[] {
  const trimmed = line.trim();
  if (trimmed === "") return [];
  const heading = /^#{1,6} (.+)$/.exec(trimmed)?.[1];
  if (heading !== undefined) return [{ kind: "heading", level: 3, text: heading }];
  const [, mark, words] = /^(\d{1,2}\.|[-*]) (.+)$/.exec(trimmed) ?? [];
  if (mark === undefined || words === undefined) return [{ kind: "paragraph", words: trimmed }];
  return [{ kind: "item", mark, words }];
}

export function verifyBlocks({ certificate_id, root_sha256, facts_sha256, trust_address, verifier }: CertificateDetails): Block[] {
  const published = trust_address === null ? "" : ` The installation publishes its keys at ${trust_address}.`;
  const from =
    verifier === null
      ? ""
      : ` As a page it is at ${verifier.address}, which you can save; as a program it is the package countersign-verify.`;
  const steps = [
    "Obtain the evidence bundle of this envelope, a zip file. It holds this certificate, the facts, the audit trail with proofs, the public keys, and a marked copy of the document (after a release from the vault the authoritative copy itself).",
    `Run the verifier on it, on a computer of your own.${from} It needs no network and asks no server:\ncountersign-verify bundle.zip --root <the fingerprint below>`,
    "It checks ten things, one line for each, and stops at the first that fails: the container, the manifest, the keys, the audit trail, the log, the time, the document, this certificate, the eight checks run anew on the recorded facts, the registers. Its last line is the result: VERIFIED, FAILED, or why it can say neither.",
    "Compare the fingerprint with one that reached you by another way than this file. Without --root the verifier can only say CONSISTENT, SIGNER NOT PINNED: a person with new keys could have signed everything anew.",
    "The seals of this PDF and of the document are PAdES signatures, which other programs read, too. A seal certificate issued by the installation itself is shown there as one of an unknown issuer, unless its root is made known to them.",
  ];
  return [
    { kind: "heading", level: 1, text: "How to verify this without us" },
    ...steps.map((words, index): Block => ({ kind: "item", mark: `${index + 1}.`, words })),
    {
      kind: "pairs",
      rows: [
        pair("Root certificate", [hashWords(root_sha256), quiet(`SHA-256 of the root certificate: the one value to pin.${published}`)]),
        pair("Facts", [hashWords(facts_sha256), quiet("SHA-256 of facts.json in the bundle, from which the score follows.")]),
        pair("Certificate", certificate_id),
      ],
    },
  ];
}
