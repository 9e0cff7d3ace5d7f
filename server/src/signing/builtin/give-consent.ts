import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { invalidField } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import { currentText, currentTexts } from "../../texts/current-texts.ts";
import type { ShownText } from "../../texts/text.ts";
import { isMark } from "../field.ts";
import type { SigningDeps } from "../submission.ts";
import { asSigner, notRendered, refuseActed, refuseUnready, renderedIn } from "./ceremony.ts";
import { endConsent, insertConsent, lockDraft, saveDraft } from "./store.ts";

export interface Acceptance {
  readonly disclosure_version: string;
  readonly disclosure_sha256: string;
  /** the pages that the viewer drew */
  readonly rendered_pages: readonly number[];
}

/**
 * Agreement to sign electronically. It requires that the document was seen in the viewer that is used for signing: page 1 was served in
 * this signing session, according to our own record, and the viewer reports that it drew it. Consent in any language is valid until it
 * is withdrawn.
 */
export function giveConsent(deps: SigningDeps, who: WidgetCaller, acceptance: Acceptance): Promise<Date> {
  const { org, holder } = who;
  const { envelope_id, signing_session: session } = holder;
  return asSigner(deps, who, async (tx, ceremony, slug) => {
    refuseUnready(ceremony);
    const { version, locale, sha256 } = textShown(deps, acceptance);
    const { prepared_sha256, rendered_at } = renderedIn(ceremony);
    if (!acceptance.rendered_pages.includes(1)) throw notRendered();
    if (ceremony.consent !== null) return ceremony.consent.accepted_at;
    const accepted_at = await insertConsent(tx, org, { envelope_id, slug, session, version, locale, sha256, rendered_at });
    const data = {
      disclosure_version: version,
      disclosure_locale: locale,
      disclosure_sha256: sha256,
      prepared_sha256,
      rendered_at: rendered_at.toISOString(),
      signing_session: session,
    };
    await appendAudit(tx, org, { type: "consent.accepted", by: who, envelope_id, data });
    return accepted_at;
  });
}

/** Its hash shows the language. */
function textShown({ texts }: SigningDeps, { disclosure_version, disclosure_sha256 }: Acceptance): ShownText {
  const { version } = currentText(texts, "disclosure");
  if (disclosure_version !== version) throw invalidField("disclosure_version", "invalid_value", `must be ${version}`);
  const shown = currentTexts(texts, "disclosure").find(({ sha256 }) => sha256 === disclosure_sha256);
  if (shown === undefined) throw invalidField("disclosure_sha256", "invalid_value", "must be the hash of the text that was shown");
  return shown;
}

/**
 * Withdraws consent. Nothing can be signed until it is given again, and marks must then be applied again; what was signed stays signed.
 * Possible for every signer who has not signed, also before their turn or while they are locked out.
 */
export function withdrawConsent(deps: SigningDeps, who: WidgetCaller): Promise<void> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  return asSigner(deps, who, async (tx, ceremony, slug) => {
    refuseActed(ceremony);
    if (!(await endConsent(tx, org, slug))) return;
    await removeMarks(deps, tx, who, slug);
    await appendAudit(tx, org, { type: "consent.withdrawn", by: who, envelope_id, data: { signing_session } });
  });
}

/** A mark that was applied under a consent is removed with it. */
async function removeMarks(deps: SigningDeps, tx: Tx, { org, holder }: WidgetCaller, slug: Slug): Promise<void> {
  const { fields } = await deps.findDocument(tx, org, holder.envelope_id);
  const marks = new Set(fields.filter(isMark).map(({ position }) => `f${position}`));
  const draft = await lockDraft(deps, tx, org, slug);
  const values = Object.fromEntries(Object.entries(draft.values).filter(([field_id]) => !marks.has(field_id)));
  await saveDraft(deps, tx, org, slug, { ...draft, values, revision: draft.revision + 1 });
}
