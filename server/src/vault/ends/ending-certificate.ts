import type { DocumentModel } from "@countersign/pdf/pool";
import type { OrgId } from "../../shared/ids.ts";
import type { ActWithDecisions, Approval } from "../acts/act.ts";
import type { AuthoritativeCopy } from "../copy.ts";
import { type DestroyedFile, paperMark, type RecordEnding } from "./ending.ts";

export interface EndedRecord {
  readonly ending: RecordEnding;
  readonly org: { readonly org_id: OrgId; readonly name: string };
  readonly envelope_name: string;
  readonly copy: AuthoritativeCopy;
  readonly act: ActWithDecisions;
  /** null: the record has no status page */
  readonly status_url: string | null;
}

type Block = DocumentModel["blocks"][number];

/** The content of a certificate of conversion to paper, or of destruction. It says what was done and what it does not cover. */
export function endingCertificate(ended: EndedRecord): DocumentModel {
  const { ending, org, envelope_name, copy } = ended;
  const title = ending.kind === "paper" ? "Certificate of conversion to paper" : "Certificate of destruction";
  return {
    title,
    subject: envelope_name,
    author: org.name,
    language: "en",
    paper: "a4",
    footer: { before: ending.ending_id, after: copy.sha256.slice(0, 16) },
    blocks: [
      { kind: "title", text: title, below: envelope_name },
      ...(ending.kind === "paper" ? paperBlocks(ended) : destructionBlocks(ended)),
      ...decisionBlocks(ended),
    ],
  };
}

function recordPairs({ ending, org, copy, status_url }: EndedRecord): Block {
  return {
    kind: "pairs",
    rows: [
      { label: "Record", value: ending.envelope_id },
      { label: "Authoritative copy", value: copy.copy_id },
      { label: "SHA-256 of the original", value: fixed(copy.sha256) },
      { label: "Organization", value: `${org.name} (${org.org_id})` },
      ...(status_url === null ? [] : [{ label: "Its state today", value: status_url }]),
      { label: "Reason given", value: ending.reason === "" ? "none" : ending.reason },
    ],
  };
}

function paperBlocks(ended: EndedRecord): Block[] {
  const { ending } = ended;
  const { recipient, begun_at, done_at, downloaded_at, pdf_sha256 } = ending;
  return [
    paragraph(
      `The electronic record ended at ${utc(begun_at)}. One PDF was made from it for printing. A person who had logged in as ${recipient?.email ?? ""} downloaded it and confirmed at ${utc(done_at)} that it is printed. Since then the paper is the original, and this vault keeps a copy.`,
    ),
    recordPairs(ended),
    {
      kind: "pairs",
      rows: [
        { label: "Recipient", value: `${recipient?.name ?? ""}, ${recipient?.email ?? ""}` },
        { label: "SHA-256 of the PDF for printing", value: fixed(pdf_sha256 ?? "") },
        { label: "Mark on each page", value: paperMark(ending) },
        { label: "First download", value: utc(downloaded_at) },
      ],
    },
    heading("What this certificate does not say"),
    item("How often the PDF was printed. Each download of it is an entry in the audit trail of the record."),
    item("Who held the paper after the recipient."),
  ];
}

function destructionBlocks(ended: EndedRecord): Block[] {
  const { ending } = ended;
  const files = ending.files ?? [];
  const [removed, kept] = [files.filter((file) => !file.kept), files.filter((file) => file.kept)];
  return [
    paragraph(
      `The document store of this installation no longer has the files below. At ${utc(ending.done_at)} all of them had been removed and read back as absent. The audit trail and the compliance certificates of the record stay.`,
    ),
    recordPairs(ended),
    heading("Removed"),
    fileTable(removed),
    ...(kept.length === 0 ? [] : [heading("Not removed, because a template or another record uses the same bytes"), fileTable(kept)]),
    heading("What this certificate does not say"),
    item("Anything about backups of the store or of the database, or about copies that were handed out."),
    item("That entries of signers are gone from the database: what they typed and signed with stays with the audit trail."),
  ];
}

const fileTable = (files: readonly DestroyedFile[]): Block => ({
  kind: "table",
  columns: [
    { head: "File", share: 115 },
    { head: "SHA-256", share: 295 },
    { head: "Bytes", share: 60, align: "end" },
  ],
  rows: files.map(({ what, sha256, size }) => [what, fixed(sha256), size.toLocaleString("en")]),
});

function decisionBlocks({ act }: EndedRecord): Block[] {
  const confirmed = act.approvals.filter(({ decision }) => decision === "confirm");
  return [
    heading("Who decided"),
    paragraph(
      `Act ${act.act_id}, proposed at ${utc(act.proposed_at)}${act.principal_email === null ? "" : ` by ${act.principal_email}`}. SHA-256 ${act.sha256}.`,
    ),
    ...(confirmed.length === 0
      ? [paragraph("No party had to confirm it.")]
      : confirmed.map((approval) => item(`Confirmed by ${approval.principal_email} (${wayOf(approval)}) at ${utc(approval.at)}`))),
  ];
}

const ways: Record<Approval["method"], string> = {
  passkey: "passkey",
  code: "code sent by e-mail",
  session: "console",
  key: "API key",
  vault_key: "vault key",
};
const wayOf = ({ method, role }: Approval): string => `${ways[method]}, as ${role}`;

const utc = (at: Date | null): string => (at === null ? "not recorded" : `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`);
const fixed = (text: string) => ({ text, look: "fixed" }) as const;
const paragraph = (words: string): Block => ({ kind: "paragraph", words });
const heading = (text: string): Block => ({ kind: "heading", level: 2, text });
const item = (words: string): Block => ({ kind: "item", mark: "–", words });
