import type { PageImage, PageText } from "@countersign/pdf/pool";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { cachedPage, type WantedPage } from "../../documents/page-cache.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { Locale } from "../../shared/locales.ts";
import { Problem } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import { stampOf } from "../mark.ts";
import { notingMismatch } from "../noting-mismatch.ts";
import { provenRecord } from "../proven-record.ts";
import { finalValuesIn } from "../signed-content.ts";
import { markViewed } from "../store.ts";
import { hasFinished, isSigner, refuseEnded, type SentDocument, type SigningDeps } from "../submission.ts";
import { type Ceremony, ceremonyOf, fillable, look, recipientOf, refuseViewing } from "./ceremony.ts";
import { filledIn } from "./filled.ts";
import { ensureOpened } from "./open-signing.ts";
import { insertRendering } from "./store.ts";

/** An image of a page. The first one for a signer makes signer and envelope `viewed`. Consent requires page 1. */
export async function showPage(deps: SigningDeps, who: WidgetCaller, wanted: WantedPage): Promise<PageImage> {
  const { ceremony, document } = await admit(deps, who, wanted.page);
  const image = await cachedPage(deps, who.org, document.prepared_sha256, wanted);
  // A small picture cannot be read, so it does not count as page 1.
  await recordShown(deps, who, ceremony, document, wanted.width_px === 204 ? null : wanted.page);
  return image;
}

/** `lang`: the language of the page, in which the reader's own values are written. `zone`: the reader's time zone. */
export type WantedPreview = WantedPage & { readonly lang: Locale | undefined; readonly zone: string | undefined };

/** The page as it would be signed, or for people with nothing to fill in as it is, stamped by the code that finishes the document. */
export async function previewPage(deps: SigningDeps, who: WidgetCaller, { page, width_px, lang, zone }: WantedPreview): Promise<PageImage> {
  recipientOf(who);
  const read = async (tx: Tx) => {
    const ceremony = await look(deps, tx, who);
    const isFilling = ceremony.you !== null && !hasFinished(ceremony.you) && (isSigner(ceremony.you) || ceremony.you.kind === "approver");
    if (!isFilling) refuseViewing(ceremony);
    const you = isFilling ? fillable(ceremony) : ceremony.you;
    const { envelope_id } = ceremony.envelope;
    const { document: shown, recipients, signed } = await provenRecord(deps, tx, who.org, envelope_id);
    refuseNoPage(shown, page);
    const final = finalValuesIn(shown, signed);
    const steps = !isFilling || you === null ? [] : (await filledIn(deps, tx, who.org, you, shown, zone)).steps;
    const nameOf = (slug: Slug | null, role: string) => ({ name: recipients.find((one) => one.slug === slug)?.name ?? "", role });
    const own_locale = lang ?? you?.locale ?? ceremony.envelope.default_locale;
    const own = new Set(steps.map(({ step }) => step.field_id));
    const marks = [
      ...final
        .filter(({ step }) => !own.has(step.field_id))
        .flatMap(({ step, slug, entered, locale }) =>
          stampOf(step, entered, { signer: nameOf(slug, step.role), reference: envelope_id, locale }),
        ),
      // The time of the signature is not known yet, so the caption shows the current time.
      ...steps.flatMap(({ step, entered }) =>
        stampOf(step, entered !== null && "mark" in entered ? { ...entered, at: tx.now } : entered, {
          signer: you === null ? nameOf(null, step.role) : { name: you.name, role: step.role },
          reference: envelope_id,
          locale: shown.values_locale === null || step.readonly ? shown.values_locale : own_locale,
        }),
      ),
    ];
    return { document: shown, marks: marks.filter(({ areas }) => areas.some((area) => area.page === page)) };
  };
  const { document, marks } = await notingMismatch(deps, who.org, () => deps.db.tx(who.org, read));
  const bytes = await deps.readPdf(who.org, document.prepared_sha256);
  return deps.pdf.preview(bytes, { marks, page, width_px }, { key: who.org, priority: "interactive", give_up_bytes: true });
}

/** The text of a page, for screen readers and reflow. A signer who gets it has seen the document, but no page image. */
export async function readPage(deps: SigningDeps, who: WidgetCaller, page: number): Promise<PageText> {
  const { ceremony, document } = await admit(deps, who, page);
  const bytes = await deps.readPdf(who.org, document.prepared_sha256);
  const fields = document.fields.flatMap(({ areas }) => areas);
  const text = await deps.pdf.text(bytes, { page, fields }, { key: who.org, priority: "interactive", give_up_bytes: true });
  await recordShown(deps, who, ceremony, document, null);
  return text;
}

function admit(deps: SigningDeps, who: WidgetCaller, page: number): Promise<{ ceremony: Ceremony; document: SentDocument }> {
  const read = async (tx: Tx) => {
    const ceremony = await look(deps, tx, who);
    refuseViewing(ceremony);
    await ensureOpened(deps, tx, who, ceremony);
    const document = await deps.findDocument(tx, who.org, who.holder.envelope_id);
    refuseNoPage(document, page);
    return { ceremony, document };
  };
  return notingMismatch(deps, who.org, () => deps.db.tx(who.org, read));
}

function refuseNoPage({ pages }: SentDocument, page: number): void {
  if (page > pages.length) throw new Problem("page_not_found");
}

/**
 * For viewers and signers who have signed, only the opening is recorded. Nothing is recorded twice. `page` is null if it was not an
 * image.
 */
export async function recordShown(
  deps: SigningDeps,
  who: WidgetCaller,
  ceremony: Ceremony,
  { prepared_sha256 }: Pick<SentDocument, "prepared_sha256">,
  page: number | null,
): Promise<void> {
  const { org, holder } = who;
  const { slug, envelope_id, signing_session } = holder;
  if (slug === null || ceremony.state !== "ready") return;
  const isRendered = page !== 1 || ceremony.own?.rendered_at != null;
  if (isRendered && ceremony.you?.status !== "pending") return;
  await deps.db.tx(org, async (tx) => {
    const envelope = await deps.lockEnvelope(tx, org, envelope_id);
    refuseEnded(envelope);
    const now = await ceremonyOf(deps, tx, who, envelope);
    refuseViewing(now);
    if (now.state !== "ready") return;
    if (now.you?.status === "pending") {
      await markViewed(tx, org, slug);
      // An envelope is `viewed` once a signer has seen it. What others see does not move it.
      const isFirst = isSigner(now.you) && envelope.status === "sent";
      if (isFirst) await deps.onSubmission(tx, org, { kind: "viewed", envelope_id, slug, by: who, signing_session });
    }
    if (page === 1 && (await insertRendering(tx, org, slug, signing_session, prepared_sha256))) {
      const data = { prepared_sha256, page: 1, signing_session };
      await appendAudit(tx, org, { type: "document.rendered", by: who, envelope_id, data });
    }
  });
}
