// Several documents in one envelope: their names, pages and hashes.

import type { Link } from "../verify-chain.ts";
import type { Block, Cell } from "./document.ts";
import { quiet } from "./wording.ts";

export type ListedDocument = {
  readonly document_no: number;
  readonly name: string;
  readonly sha256: string;
  readonly first_page: number;
  readonly pages: number;
  readonly part_sha256: string | null;
};

/** Empty for an envelope with one document. */
export function partBlocks(documents: readonly ListedDocument[]): Block[] {
  if (documents.length === 0) return [];
  return [
    { kind: "heading", level: 1, text: "Documents" },
    { kind: "paragraph", words: "The envelope was combined from these documents, in this order, when it was sent." },
    {
      kind: "table",
      columns: [
        { head: "Document", share: 120 },
        { head: "Pages", share: 50 },
        { head: "SHA-256", share: 317 },
      ],
      rows: documents.map(rowOf),
    },
  ];
}

function rowOf({ document_no, name, sha256, first_page, pages, part_sha256 }: ListedDocument): Cell[] {
  const range = pages === 1 ? String(first_page) : `${first_page}\u2013${first_page + pages - 1}`;
  const part = part_sha256 === null ? [] : [quiet("Sealed on its own:"), { text: part_sha256, look: "fixed" } as const];
  return [
    [{ text: `${document_no}. ${name}`, look: "strong" }],
    range,
    [quiet("As sent, before signing:"), { text: sha256, look: "fixed" }, ...part],
  ];
}

/** As the audit trail names them. */
export function documentsIn(links: readonly Link[]): ListedDocument[] {
  const saidIn = ({ data }: Link) => Object(data?.data) as Readonly<Record<string, unknown>>;
  const prepared = links.findLast(({ entry }) => entry.type === "document.prepared");
  const told = prepared === undefined ? [] : saidIn(prepared).documents;
  const sealed = links.filter(({ entry }) => entry.type === "document.part_sealed").map(saidIn);
  return (Array.isArray(told) ? (told as Omit<ListedDocument, "part_sha256">[]) : []).map((document) => {
    const part = sealed.find(({ document_no }) => document_no === document.document_no)?.sha256;
    return { ...document, part_sha256: typeof part === "string" ? part : null };
  });
}
