import { hashOfValues } from "@countersign/evidence";
import { appendAll } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { type Detail, invalidField, Problem } from "../../shared/problems.ts";
import { refuseUnknownZone } from "../../shared/refuse-unknown-zone.ts";
import { currentText, currentTexts } from "../../texts/current-texts.ts";
import { provenRecord } from "../proven-record.ts";
import { finalValuesIn, hashedValues, stateHash } from "../signed-content.ts";
import { markSigned } from "../store.ts";
import { isSigner, type SentDocument, type Signer, type SigningDeps } from "../submission.ts";
import { asSigner, consented, notNow, refuseDisagreed, refuseNewName, renderedIn } from "./ceremony.ts";
import { dayIn, type Filled, type FilledStep, fill } from "./filled.ts";
import { ensureOpened } from "./open-signing.ts";
import { type Act, insertSignatures, insertValues, lockDraft } from "./store.ts";

export interface Completion {
  readonly revision: number;
  readonly prepared_sha256: string;
  readonly state_sha256: string;
  readonly intent: { readonly version: string; readonly locale: string; readonly sha256: string };
  readonly timezone?: string;
}

export interface Completed {
  readonly signed_at: Date;
  readonly envelope_status: "viewed" | "completed";
  readonly signed: number;
  readonly total: number;
}

/**
 * Signs the document. Signers sign what they saw: if the version, an earlier signer's value or their own draft (in another tab) has
 * changed since, the page must be read again. The last act of all completes the envelope, in the same transaction.
 */
export function completeSigning(deps: SigningDeps, who: WidgetCaller, asked: Completion): Promise<Completed> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  return asSigner(deps, who, async (tx, ceremony, slug) => {
    const { you, consent } = consented(ceremony);
    refuseDisagreed(ceremony);
    refuseNewName(you);
    await ensureOpened(deps, tx, who, ceremony);
    const { document, signed: before } = await provenRecord(deps, tx, org, envelope_id);
    const { now: signed_at } = renderedIn(ceremony);
    if (asked.timezone !== undefined) refuseUnknownZone("timezone", asked.timezone);
    const filled = fill(await lockDraft(deps, tx, org, slug), you, document, dayIn(signed_at, asked.timezone));
    const state_sha256 = stateHash(document, finalValuesIn(document, before));
    refuseStale(asked, document, state_sha256, filled);
    refuseOtherIntent(deps, asked.intent);
    refuseUnfilled(filled);
    refuseUnsigned(filled);
    const act = {
      slug,
      session: signing_session,
      consent_no: consent.consent_no,
      intent: asked.intent,
      prepared_sha256: document.prepared_sha256,
      state_sha256,
      values_sha256: hashOfValues(filled.steps.flatMap(({ step, entered }) => (entered === null ? [] : hashedValues({ step, entered })))),
      ip: who.ip,
      user_agent: who.user_agent,
      timezone: asked.timezone ?? null,
      signed_at,
    };
    await record(deps, tx, who, you, filled, act);
    const envelope_status = await deps.onSubmission(tx, org, { kind: "acted", envelope_id, slug, by: who, signing_session });
    const signers = ceremony.recipients.filter(isSigner);
    return {
      signed_at: act.signed_at,
      envelope_status: envelope_status === "completed" ? "completed" : "viewed",
      signed: signers.filter(({ status }) => status === "signed").length + 1,
      total: signers.length,
    };
  });
}

export function refuseStale(
  asked: Pick<Completion, "revision" | "prepared_sha256" | "state_sha256">,
  { prepared_sha256 }: SentDocument,
  state_sha256: string,
  { draft }: Filled,
): void {
  const isCurrent = asked.revision === draft.revision && asked.prepared_sha256 === prepared_sha256 && asked.state_sha256 === state_sha256;
  if (!isCurrent) throw notNow("signing_stale", "stale", "read it again first");
}

/** Checks the text just above the button, in the language in which it was shown. */
function refuseOtherIntent({ texts }: SigningDeps, intent: Completion["intent"]): void {
  const { version } = currentText(texts, "intent");
  if (intent.version !== version) throw invalidField("intent.version", "invalid_value", `must be ${version}`);
  const all = currentTexts(texts, "intent");
  const shown = all.find(({ locale }) => locale === intent.locale);
  const languages = all.map(({ locale }) => locale);
  if (shown === undefined) throw invalidField("intent.locale", "invalid_value", `must be one of: ${languages.join(", ")}`);
  if (intent.sha256 !== shown.sha256) throw invalidField("intent.sha256", "invalid_value", "must be the hash of the text that was shown");
}

/** Reports all mistakes at once, each with its field. */
export function refuseUnfilled({ steps }: Filled): void {
  const details = steps.flatMap(({ step, fault }): Detail[] =>
    fault === null ? [] : [{ location: "body", field: step.field_id, code: fault.code, message: `${step.name} ${fault.message}` }],
  );
  if (details.length > 0) throw new Problem("invalid_request", "unfilled", { details });
}

/** At least one signature is required, even if all signature fields are optional. */
function refuseUnsigned({ steps }: Filled): void {
  if (steps.some(({ step, entered }) => step.type === "signature" && entered !== null)) return;
  throw invalidField("signature", "required", "must be applied to at least one field");
}

async function record(deps: SigningDeps, tx: Tx, who: WidgetCaller, you: Signer, { steps }: Filled, act: Act): Promise<void> {
  const { org, holder } = who;
  const { envelope_id } = holder;
  const values = steps.flatMap(({ step, entered }) =>
    entered === null || !("text" in entered) ? [] : step.fields.map(({ position }) => ({ position, value: entered.text })),
  );
  const signatures = steps.flatMap(({ step, entered }) => {
    if (entered === null || !("mark" in entered)) return [];
    return step.fields.map(({ position }) => ({ position, mark_sha256: entered.mark.sha256, applied_at: entered.at.toISOString() }));
  });
  await insertValues(deps, tx, org, envelope_id, act.slug, values);
  await insertSignatures(tx, org, envelope_id, act, signatures);
  await markSigned(tx, org, act.slug, act.signed_at);
  const entries = steps.flatMap((one) => signatureData(you, one, act));
  await appendAll(
    tx,
    org,
    envelope_id,
    entries.map((data) => ({ type: "signature.applied", by: who, data })),
  );
}

/** What the audit trail says about a signature or initials; empty for a field without one. */
function signatureData({ email, role }: Signer, { step, entered }: FilledStep, act: Act) {
  if (entered === null || !("mark" in entered)) return [];
  const data = {
    field: step.name,
    position: step.fields[0].position,
    kind: step.type,
    method: entered.mark.method,
    mark_sha256: entered.mark.sha256,
    role,
    user_email: email,
    intent_version: act.intent.version,
    intent_locale: act.intent.locale,
    intent_sha256: act.intent.sha256,
    prepared_sha256: act.prepared_sha256,
    state_sha256: act.state_sha256,
    values_sha256: act.values_sha256,
    timezone: act.timezone,
    signed_at: act.signed_at.toISOString(),
    signing_session: act.session,
  };
  return [data];
}
