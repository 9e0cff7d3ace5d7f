import type { PageText, RenderWidth } from "@countersign/pdf/pool";
import { appendAudit } from "../audit/append-audit.ts";
import { cachedPage } from "../documents/page-cache.ts";
import { asPdfProblem } from "../documents/pdf-problems.ts";
import { readPageText, showPage } from "../documents/show-page.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import type { Caller } from "../shared/caller.ts";
import { MINUTE_SECONDS } from "../shared/durations.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { notingMismatch } from "../signing/noting-mismatch.ts";
import { lookUpDocument } from "./document-store.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { findShownEnvelope } from "./find-shown-envelope.ts";
import { marksOf, provenNow } from "./finish-document.ts";
import { bytesOf, makeVaultedCopy, type Reader, recordIssue } from "./issue-document.ts";
import { recordDeps } from "./on-submission.ts";
import { findEnvelope, wrongStatus } from "./store.ts";

/**
 * Pages of the document as it is now: with everything that was filled in and signed so far, and, once it is vaulted, as a marked copy that
 * is made for this reader and recorded. Before it is sent, it is the prepared document.
 */
export const showCurrent = { page, text };

interface Wanted {
  readonly envelope_id: EnvelopeId;
  readonly nth: number;
}

async function page(deps: EnvelopeDeps, caller: Caller, wanted: Wanted & { readonly width_px: RenderWidth }): Promise<FileAnswer> {
  const { envelope_id, nth, width_px } = wanted;
  const { org } = caller;
  const version = await versionOf(deps, caller, wanted);
  const turn = { key: org, priority: "interactive" } as const;
  switch (version.kind) {
    case "prepared":
      return showPage(deps, org, await findShownEnvelope(deps, caller, envelope_id), nth, { w: String(width_px) as "1224" });
    case "stamped": {
      const readPdf = () => bytesOf(deps, org, version.sha256);
      const image = await cachedPage({ ...deps, readPdf }, org, version.sha256, { page: nth, width_px }).catch(asPdfProblem);
      return { type: image.mime, bytes: image.bytes };
    }
    case "marked": {
      const image = await deps.pdf.page(version.bytes, { page: nth, width_px }, turn).catch(asPdfProblem);
      return { type: image.mime, bytes: image.bytes };
    }
    case "so far": {
      const marks = version.marks.filter(({ areas }) => areas.some((area) => area.page === nth));
      const bytes = await bytesOf(deps, org, version.prepared_sha256);
      const image = await deps.pdf.preview(bytes, { marks, page: nth, width_px }, { ...turn, give_up_bytes: true }).catch(asPdfProblem);
      return { type: image.mime, bytes: image.bytes };
    }
  }
}

async function text(deps: EnvelopeDeps, caller: Caller, wanted: Wanted): Promise<PageText> {
  const { envelope_id, nth } = wanted;
  const { org } = caller;
  const version = await versionOf(deps, caller, wanted);
  if (version.kind === "prepared") return readPageText(deps, org, await findShownEnvelope(deps, caller, envelope_id), nth);
  const turn = { key: org, priority: "interactive" } as const;
  const bytes =
    version.kind === "marked"
      ? version.bytes
      : version.kind === "stamped"
        ? await bytesOf(deps, org, version.sha256)
        : (
            await deps.pdf
              .finish(await bytesOf(deps, org, version.prepared_sha256), { marks: version.marks }, { ...turn, give_up_bytes: true })
              .catch(asPdfProblem)
          ).bytes;
  return deps.pdf.text(bytes, { page: nth }, turn).catch(asPdfProblem);
}

type Version =
  | { readonly kind: "prepared" }
  | { readonly kind: "so far"; readonly prepared_sha256: string; readonly marks: ReturnType<typeof marksOf> }
  | { readonly kind: "stamped"; readonly sha256: string }
  | { readonly kind: "marked"; readonly bytes: Uint8Array };

async function versionOf(deps: EnvelopeDeps, caller: Caller, { envelope_id, nth }: Wanted): Promise<Version> {
  const { org } = caller;
  const { envelope, document } = await deps.db.tx(org, async (tx) => ({
    envelope: await findEnvelope(tx, org, envelope_id),
    document: await lookUpDocument(tx, org, envelope_id),
  }));
  if (document === null) throw new Problem("envelope_without_document");
  if (envelope.status === "vaulted") {
    if (nth > document.pages.length) throw new Problem("page_not_found");
    return { kind: "marked", bytes: await markedCopy(deps, caller, envelope) };
  }
  // A deposited document is shown once it is vaulted, as a marked copy.
  if (envelope.submission_id === null && envelope.status === "completed") throw wrongStatus("show", envelope.status);
  if (envelope.submission_id === null) return { kind: "prepared" };
  if (nth > document.pages.length) throw new Problem("page_not_found");
  const record = await notingMismatch(recordDeps(deps), org, () => provenNow(deps, org, envelope_id));
  const { stamped_sha256, prepared_sha256 } = record.document;
  // With auto-vault, no file without a mark is made of the finished document. Its values are drawn as while it was being signed.
  if (stamped_sha256 !== null && !envelope.auto_vault_enabled) return { kind: "stamped", sha256: stamped_sha256 };
  const marks = marksOf(record, envelope_id);
  return marks.length === 0 ? { kind: "prepared" } : { kind: "so far", prepared_sha256, marks };
}

// The pages of one visit are of one copy, which is made and recorded once. A reader who scrolls takes minutes at most.
const KEPT_MS = 10 * MINUTE_SECONDS * 1_000;
const KEPT_COPIES = 16;
const kept = new WeakMap<EnvelopeDeps, Map<string, { readonly made: Promise<Uint8Array>; readonly at: number }>>();

async function markedCopy(deps: EnvelopeDeps, caller: Caller, envelope: Envelope): Promise<Uint8Array> {
  // A copy that was made before the document was found damaged is not shown any more.
  await deps.requireUndamaged(caller.org, envelope.envelope_id);
  const here = kept.get(deps) ?? new Map();
  kept.set(deps, here);
  const key = `${envelope.envelope_id} ${caller.actor.id} ${envelope.updated_at.toISOString()}`;
  const known = here.get(key);
  if (known !== undefined && Date.now() - known.at < KEPT_MS) return known.made;
  const made = makeMarked(deps, caller, envelope.envelope_id);
  here.delete(key);
  here.set(key, { made, at: Date.now() });
  for (const oldest of [...here.keys()].slice(0, Math.max(0, here.size - KEPT_COPIES))) here.delete(oldest);
  made.catch(() => here.delete(key));
  return made;
}

async function makeMarked(deps: EnvelopeDeps, caller: Caller, envelope_id: EnvelopeId): Promise<Uint8Array> {
  const reader: Reader = { caller, named: caller.actor.id, early: "prepared" };
  const { file, issue } = await makeVaultedCopy(deps, reader, envelope_id);
  await deps.db.tx(caller.org, async (tx) => {
    await recordIssue(tx, reader, envelope_id, issue);
    const data = { what: "pages", by: reader.named };
    await appendAudit(tx, caller.org, { type: "vault.document.accessed", by: caller, envelope_id, data });
  });
  return file.bytes;
}
