import { iso, isoOrNull } from "../http/shapes.ts";
import type { TokenHolder } from "../shared/caller.ts";
import { currentText } from "../texts/current-texts.ts";
import type { Texts } from "../texts/text.ts";
import type { Acted } from "./builtin/approve-document.ts";
import type { Completed } from "./builtin/complete-signing.ts";
import { type Filled, type FilledStep, progressOf } from "./builtin/filled.ts";
import type { Content, Opened } from "./builtin/open-signing.ts";
import { isFilledAtSigning, isTick } from "./field.ts";
import type { Identity, IdentityStep } from "./identity/identity.ts";
import type { Asked } from "./identity/kba/ask-questions.ts";
import type { Started } from "./identity/start-challenge.ts";
import type { ShownMethod } from "./identity/store.ts";
import { type AdoptedMark, printedText, signatureValue } from "./mark.ts";
import type { Previewed } from "./preview-signing.ts";
import type { FinalValue, ValuesOf } from "./signed-content.ts";
import { type Step, ticksOf } from "./steps.ts";
import { hasFinished, isActing, isSigner, type Recipient } from "./submission.ts";

/** The response when the signing page opens. */
export const presentOpened = (opened: Opened, holder: TokenHolder, texts: Texts, lang?: string) => {
  const { envelope, you, state, identity, consent, agreement, content, server_time, recipients, logo, token_renewable } = opened;
  const signers = recipients.filter(isSigner);
  const signs = you !== null && isSigner(you);
  return {
    envelope: {
      envelope_id: envelope.envelope_id,
      name: envelope.envelope_name,
      status: envelope.status,
      expires_at: isoOrNull(envelope.expires_at),
      sender: envelope.sender,
      message: messageFor(envelope.message, you),
      success_text: envelope.form !== null && envelope.form.visitor_role === you?.role ? envelope.form.success_text : null,
    },
    you: {
      name: you?.name ?? null,
      email: holder.user_email,
      role: you?.role ?? null,
      status: you?.status ?? null,
      mode: signs ? ("sign" as const) : ("view" as const),
      signed_at: isoOrNull(you?.signed_at ?? null),
      paper_requested_at: isoOrNull(you?.paper_requested_at ?? null),
    },
    recipient: you === null ? null : { kind: you.kind, step: you.step, delivery: you.delivery },
    state,
    signers: {
      signed: signers.filter(({ status }) => status === "signed").length,
      total: signers.length,
      before_you: before(recipients, you),
    },
    identity: presentIdentity(identity),
    consent: signs ? { accepted_at: isoOrNull(consent?.accepted_at ?? null), disclosure: currentText(texts, "disclosure", lang) } : null,
    agreement: agreement === null ? null : { accepted_at: isoOrNull(agreement.accepted_at), text: currentText(texts, "agreement", lang) },
    intent: signs ? currentText(texts, "intent", lang) : null,
    ...presentContent(content),
    default_locale: envelope.default_locale,
    branding: { ...envelope.branding, ...(logo !== null && { logo: Buffer.from(logo).toString("base64") }) },
    token_expires_at: iso(holder.token_expires_at),
    token_renewable,
    server_time: iso(server_time),
  };
};

/** To this person only, below the message to all. */
function messageFor(message: string | null, you: Pick<Recipient, "message"> | null): string | null {
  const parts = [message, you?.message ?? null].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join("\n\n");
}

/** How many people of earlier steps have not acted yet. */
const before = (recipients: readonly Recipient[], you: Recipient | null): number =>
  recipients.filter((one) => isActing(one) && !hasFinished(one) && (one.step ?? 0) < (you?.step ?? 0)).length;

function presentContent(content: Content | null) {
  if (content === null) {
    return {
      document: null,
      documents: null,
      fields: null,
      others: null,
      marks: null,
      signature: null,
      initials: null,
      progress: null,
      revision: null,
      copy: { ready: false },
    };
  }
  const { document, recipients, state_sha256, others, filled } = content;
  return {
    document: {
      prepared_sha256: document.prepared_sha256,
      state_sha256,
      page_count: document.pages.length,
      pages: document.pages.map(({ w_pt, h_pt }, index) => ({ n: index + 1, w: w_pt, h: h_pt })),
      prints_by_language: document.values_locale !== null,
    },
    documents: document.documents.map(({ name, first_page, pages }) => ({ name, first_page, pages })),
    fields: filled === null ? [] : filled.steps.map((step) => presentField(step, filled, document)),
    others: others.map((final) => presentOther(final, recipients)),
    marks: marksOf(others),
    signature: filled === null ? null : presentMark(filled.draft.signature),
    initials: filled === null ? null : presentMark(filled.draft.initials),
    progress: filled === null ? null : progressOf(filled),
    revision: filled?.draft.revision ?? null,
    copy: { ready: document.is_finished },
  };
}

const areasOf = ({ fields }: Step) => fields.flatMap(({ areas }) => areas.map(({ page, x, y, w, h }) => ({ page, x, y, w, h })));

const presentField = ({ step, value, fault }: FilledStep, { steps }: Filled, { values_locale }: ValuesOf) => ({
  field_id: step.field_id,
  name: step.name,
  type: step.type,
  required: step.required,
  readonly: step.readonly || isFilledAtSigning(step),
  options: step.options === null ? null : [...step.options],
  settings: {
    ...step.settings,
    ...ticksOf(
      step,
      steps.map((one) => one.step),
    ),
  },
  areas: areasOf(step),
  document: step.fields[0].document_no,
  value: isFilledAtSigning(step) ? null : step.readonly && typeof value === "string" ? printedText(step, value, values_locale) : value,
  error: fault === null ? null : { code: fault.code, message: fault.message },
});

/** A value that is already in the document. Later signers see who entered it. */
const presentOther = ({ step, slug, entered, locale }: FinalValue, recipients: readonly Recipient[]) => ({
  label: step.name,
  type: step.type,
  areas: areasOf(step),
  options: step.options === null ? null : [...step.options],
  value: "mark" in entered ? null : isTick(step) ? entered.text === "true" : printedText(step, entered.text, locale),
  mark_sha256: "mark" in entered ? entered.mark.sha256 : null,
  // A value that the sender locked is the sender's, no matter who signed.
  name: step.readonly ? null : (recipients.find((one) => one.slug === slug)?.name ?? null),
});

/** Each mark once, by its hash: the same initials can be on every page. */
function marksOf(others: readonly FinalValue[]) {
  const marks = others.flatMap(({ entered }) => ("mark" in entered ? [entered.mark] : []));
  return [...new Map(marks.map((mark) => [mark.sha256, mark])).values()].map((mark) => ({ sha256: mark.sha256, mark: presentMark(mark) }));
}

function presentMark(mark: AdoptedMark | null) {
  if (mark === null) return null;
  const value = signatureValue(mark);
  switch (value.kind) {
    case "uploaded":
      return { kind: value.kind, png: Buffer.from(value.png).toString("base64") };
    case "typed":
      return { kind: value.kind, text: value.text, font: value.font };
    case "drawn":
      return { kind: value.kind, w: value.w, h: value.h, strokes: value.strokes.map((stroke) => stroke.map((point) => [...point])) };
  }
}

/** For the console, whose builder shows the signing page with it. */
export function presentPreview({ prepared, you, filled, others, values_locale, logo }: Previewed, texts: Texts, lang?: string) {
  const { name, sender, message, people, pages, documents, fields, maker_roles, default_locale, branding } = prepared;
  const signs = you.kind === "signer";
  return {
    name,
    sender,
    message: messageFor(message, you),
    recipient: { name: you.name, role: you.role ?? "", kind: you.kind },
    signers: Math.max(people.filter(({ kind }) => kind === "signer").length, 1),
    disclosure: signs ? currentText(texts, "disclosure", lang) : null,
    agreement: signs && you.role !== null && maker_roles.includes(you.role) ? currentText(texts, "agreement", lang) : null,
    intent: signs ? currentText(texts, "intent", lang) : null,
    pages: pages.map(({ w_pt, h_pt }, index) => ({ n: index + 1, w: w_pt, h: h_pt })),
    documents: [...documents],
    fields: filled.steps.map((step) => presentField(step, filled, { fields, values_locale })),
    others: others.map((final) => presentOther(final, [])),
    progress: progressOf(filled),
    default_locale,
    branding: { ...branding, ...(logo !== null && { logo: Buffer.from(logo).toString("base64") }) },
  };
}

export const presentIdentity = ({ state, valid_until, attempts_left, level, steps }: Identity) => ({
  state,
  valid_until: isoOrNull(valid_until),
  attempts_left,
  level,
  steps: steps.map(presentStep),
});

export const presentMethod = ({ method, state, links_only }: ShownMethod) => ({
  method,
  state,
  ...(links_only && { links_only: true as const }),
});

export const presentStep = ({ method, state, attempts_left, valid_until, hint }: IdentityStep) => ({
  method,
  state,
  attempts_left,
  valid_until: isoOrNull(valid_until),
  hint,
});

export const presentStarted = ({ challenge_id, expires_at, sent_to, resend_after }: Started) => ({
  challenge_id,
  expires_at: iso(expires_at),
  sent_to,
  resend_after: isoOrNull(resend_after),
});

export const presentAsked = ({ challenge_id, expires_at, questions, attempts_left }: Asked) => ({
  challenge_id,
  expires_at: iso(expires_at),
  questions: questions.map(({ question_no, question }) => ({ id: question_no, text: question })),
  attempts_left,
});

export const presentSaved = (filled: Filled) => ({
  revision: filled.draft.revision,
  progress: progressOf(filled),
  errors: filled.steps.flatMap(({ step, fault }) =>
    fault === null || fault.code === "required" ? [] : [{ field_id: step.field_id, code: fault.code, message: fault.message }],
  ),
});

export const presentActed = <S extends "approved" | "confirmed">(status: S, { acted_at, envelope_status }: Acted) => ({
  status,
  acted_at: iso(acted_at),
  envelope_status,
});

export const presentCompleted = ({ signed_at, envelope_status, signed, total }: Completed) => ({
  status: "signed" as const,
  signed_at: iso(signed_at),
  envelope_status,
  signed,
  total,
});
