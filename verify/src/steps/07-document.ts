import { createHash } from "node:crypto";
import { COPY_MARK, documentNames, type Link } from "@countersign/evidence";
import { createBudget, NotAPdf, openPdf, pagesWithText, UnreadablePdf } from "@countersign/pdf/verify";
import { checkSeal } from "../check-seal.ts";
import type { CheckedOrigin } from "../checked.ts";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";
import type { AnyManifest } from "./02-manifest.ts";
import type { Trust } from "./03-trust.ts";

/** What the seal of the authoritative copy is checked with. A record from another vault was sealed there. */
export type Sealed = { readonly trust: Trust; readonly proofs: readonly string[]; readonly origin: CheckedOrigin | null };

/**
 * An export contains the authoritative bytes as they were stored. An evidence bundle contains a copy that was issued, marked as a copy on
 * every page.
 */
export async function checkDocument(
  files: Files,
  links: readonly Link[],
  { kind }: AnyManifest,
  sealed: Sealed,
): Promise<StepResult<null>> {
  const name = documentNames[kind];
  const bytes = fileOf(files, name);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return kind === "export" ? checkAuthoritative(name, bytes, sha256, links, sealed) : checkCopy(name, bytes, sha256, links);
}

async function checkAuthoritative(
  name: string,
  bytes: Uint8Array,
  sha256: string,
  links: readonly Link[],
  { trust, proofs, origin }: Sealed,
): Promise<StepResult<null>> {
  const stored = links.find(({ entry }) => entry.type === "vault.stored");
  const { hash, size } = dataOf(stored);
  if (stored === undefined || hash !== sha256 || size !== bytes.length) {
    throw new BundleRejected(name, `has the hash ${sha256}, but vault.stored records ${String(hash)}`, stored?.entry.seq ?? null);
  }
  const { certificate, says } = await (origin === null
    ? checkSeal(name, bytes, stored.entry.at, trust, proofs)
    : checkSeal(name, bytes, storingTime(origin.first.links), origin.first.trust, originProofs(origin)));
  return { value: null, says: `the authoritative copy, ${sha256}, sealed by ${certificate?.subject}`, notes: says === null ? [] : [says] };
}

async function checkCopy(name: string, bytes: Uint8Array, sha256: string, links: readonly Link[]): Promise<StepResult<null>> {
  const issued = links.find((link) => link.entry.type === "copy.issued" && dataOf(link).sha256 === sha256);
  if (issued === undefined) throw new BundleRejected(name, `has the hash ${sha256}, which no copy.issued entry records`);
  const { pages, unmarked } = await lookForMark(name, bytes);
  if (unmarked !== null) throw new BundleRejected(name, `page ${unmarked} is not marked as a copy`, issued.entry.seq);
  const says = `copy ${String(dataOf(issued).copy_id)}, marked on ${pages} of ${pages} pages`;
  return { value: null, says, notes: ["This bundle contains a marked copy, not the authoritative copy."] };
}

/**
 * Counts the pages and finds the first page, counted from 1, without the mark. Searches the parsed content: the renderer gives the same
 * answer but reopens the file for each page, which took a quarter of the whole run.
 */
async function lookForMark(name: string, bytes: Uint8Array): Promise<{ readonly pages: number; readonly unmarked: number | null }> {
  try {
    // openPdf takes ownership of the bytes.
    const doc = await openPdf(Uint8Array.from(bytes), createBudget());
    const marked = new Set(pagesWithText(doc, COPY_MARK));
    const unmarked = doc.pages.findIndex((_, index) => !marked.has(index + 1));
    return { pages: doc.pages.length, unmarked: unmarked === -1 ? null : unmarked + 1 };
  } catch (error) {
    if (error instanceof UnreadablePdf || error instanceof NotAPdf)
      throw new BundleRejected(name, `is not a readable PDF: ${error.message}`);
    throw error;
  }
}

export const storingTime = (links: readonly Link[]): string => links.find(({ entry }) => entry.type === "vault.stored")?.entry.at ?? "";

export const originProofs = ({ first }: CheckedOrigin): string[] => first.times.marks.map(({ at }) => at);

const dataOf = (link: Link | undefined): Record<string, unknown> => Object(link?.data?.data) as Record<string, unknown>;
