import { Type } from "typebox";
import { PageTextView, presentText, widthOf } from "../documents/pages.ts";
import { acting, type Endpoint, endpoint, reading, serving } from "../http/endpoint.ts";
import { CodeMailView } from "../http/shapes.ts";
import { invalidField } from "../shared/problems.ts";
import { refuseUnknownZone } from "../shared/refuse-unknown-zone.ts";
import { acceptAgreement } from "./builtin/accept-agreement.ts";
import { type Approval, approveDocument } from "./builtin/approve-document.ts";
import { recipientOf } from "./builtin/ceremony.ts";
import { completeSigning } from "./builtin/complete-signing.ts";
import { confirmReading } from "./builtin/confirm-reading.ts";
import { declineSigning } from "./builtin/decline-signing.ts";
import { finishLater } from "./builtin/finish-later.ts";
import { type Acceptance, giveConsent, withdrawConsent } from "./builtin/give-consent.ts";
import { handOut } from "./builtin/hand-out.ts";
import { handOutCertificate } from "./builtin/hand-out-certificate.ts";
import { handOutDisclosure } from "./builtin/hand-out-disclosure.ts";
import { handOutPaper } from "./builtin/hand-out-paper.ts";
import { lookAgain } from "./builtin/look-again.ts";
import { openSigning } from "./builtin/open-signing.ts";
import { requestPaper } from "./builtin/request-paper.ts";
import { checkUploads, type FieldsSaved, saveFields } from "./builtin/save-fields.ts";
import { previewPage, readPage, showPage } from "./builtin/show-page.ts";
import * as examples from "./examples.ts";
import { answerChallenge } from "./identity/answer-challenge.ts";
import { answerQuestions } from "./identity/kba/answer-questions.ts";
import { askQuestions } from "./identity/kba/ask-questions.ts";
import { hashQuestions } from "./identity/kba/partner-questions.ts";
import { resetQuestions, setQuestions } from "./identity/kba/set-questions.ts";
import { type MethodName, methodNames } from "./identity/method.ts";
import { Authentication, hashRequirements } from "./identity/requirement.ts";
import { type Required, resetIdentity, setRequirements } from "./identity/set-requirements.ts";
import { startChallenge } from "./identity/start-challenge.ts";
import { lookUpCodeMail } from "./identity/store.ts";
import { noteMismatch } from "./noting-mismatch.ts";
import {
  presentActed,
  presentAsked,
  presentCompleted,
  presentIdentity,
  presentMethod,
  presentOpened,
  presentSaved,
  presentStarted,
  presentStep,
} from "./present.ts";
import {
  AgreementBody,
  AgreementView,
  AnswersBody,
  ApproveBody,
  ApprovedView,
  CodeBody,
  CompleteBody,
  CompletedView,
  ConfirmBody,
  ConfirmedView,
  ConsentBody,
  ConsentView,
  DeclinedView,
  FieldsBody,
  IdentityStepView,
  IdentityView,
  KbaSignerView,
  LinkSentView,
  OpenedView,
  OpenQuery,
  PageQuery,
  PaperView,
  ProgressView,
  Questions,
  QuestionsView,
  RequiredSignerView,
  ResetSignerView,
  SavedView,
  StartedView,
} from "./shapes.ts";
import type { Recipient, SigningDeps } from "./submission.ts";

// Enough for a reason. Long texts do not belong in a record that is kept for years.
const MAX_REASON_CHARACTERS = 500;

const ofToken = {
  access: { widget: "sign" },
  params: { envelope_id: "envelope" },
  missing: "envelope_not_found",
} as const;
const ofPage = {
  access: { widget: "sign", counts: "page" },
  params: { envelope_id: "envelope", page: "number" },
  missing: "page_not_found",
} as const;

const lookProblems = [
  "envelope_ended",
  "not_your_turn",
  "identity_required",
  "identity_expired",
  "identity_unavailable",
  "signer_locked",
] as const;
const stepProblems = [
  "envelope_ended",
  "not_your_turn",
  "identity_required",
  "identity_unavailable",
  "signer_locked",
  "read_only",
] as const;
const documentProblems = ["document_unavailable", "pdf_busy", "record_mismatch"] as const;
const taskProblems = [
  ...lookProblems,
  "read_only",
  "not_your_task",
  "recipient_has_acted",
  "mailed_link_required",
  "signing_stale",
  "record_mismatch",
] as const;
const actProblems = [...lookProblems, "already_signed", "read_only", "not_your_task"] as const;

/**
 * The endpoints of the signing page, which uses the token that it was opened with, and those with which the sender manages identity
 * questions.
 */
export function signingEndpoints(deps: SigningDeps): Endpoint[] {
  return [
    ...lookingAt(deps),
    ...showingWho(deps),
    ...methodNames.flatMap((method) => enteringCode(deps, method)),
    ...followingCode(deps),
    ...agreeing(deps),
    ...signing(deps),
    ...keepingPapers(deps),
    ...settingQuestions(deps),
    ...requiringMethods(deps),
  ];
}

function lookingAt(deps: SigningDeps): Endpoint[] {
  return [
    acting({
      name: "open_signing",
      summary: "Open the signing page",
      path: "/embed/sign/:envelope_id",
      ...ofToken,
      query: OpenQuery,
      answer: [200, OpenedView],
      problems: ["envelope_ended", "record_mismatch"],
      examples: { answer: examples.opened },
      run: async (who, { query }) => presentOpened(await openSigning(deps, who), who.holder, deps.texts, query.lang),
    }),
    acting({
      name: "get_signing_progress",
      summary: "Get what has changed since the page was opened",
      description: "For a page that stays open: it asks every few seconds. An envelope that has ended is an answer here, not a problem.",
      path: "/embed/sign/:envelope_id/progress",
      ...ofToken,
      answer: [200, ProgressView],
      examples: { answer: examples.progress },
      run: (who) => lookAgain(deps, who),
    }),
    serving({
      name: "get_signing_page",
      summary: "Get a page of the document as an image",
      path: "/embed/sign/:envelope_id/pages/:page",
      ...ofPage,
      query: PageQuery,
      types: ["image/png", "image/webp"],
      problems: [...lookProblems, ...documentProblems, "consent_required", "already_signed", "read_only"],
      run: async (who, { params, query }) => {
        const wanted = { page: Number(params.page), width_px: widthOf(query.w) };
        if (query.timezone !== undefined) refuseUnknownZone("timezone", query.timezone);
        const { mime, bytes } =
          query.values === undefined
            ? await showPage(deps, who, wanted)
            : await previewPage(deps, who, { ...wanted, lang: query.lang, zone: query.timezone });
        return { type: mime, bytes };
      },
    }),
    acting({
      name: "get_signing_page_text",
      summary: "Get the text of a page",
      path: "/embed/sign/:envelope_id/pages/:page/text",
      ...ofPage,
      answer: [200, PageTextView],
      problems: [...lookProblems, ...documentProblems],
      examples: {
        answer: {
          page: 1,
          blocks: ["Lease", "between the landlord and the tenant"],
          places: [
            { top: 0.09, is_heading: true },
            { top: 0.12, is_heading: false },
          ],
          has_text: true,
        },
      },
      run: async (who, { params }) => presentText(await readPage(deps, who, Number(params.page))),
    }),
    serving({
      name: "get_signing_document",
      summary: "Download the document in its current state",
      path: "/embed/sign/:envelope_id/document",
      ...ofToken,
      types: ["application/pdf"],
      problems: [...lookProblems, ...documentProblems, "document_not_ready"],
      run: (who) => handOut(deps, who),
    }),
    serving({
      name: "get_signing_completion_certificate",
      summary: "Download the completion certificate",
      path: "/embed/sign/:envelope_id/completion-certificate",
      ...ofToken,
      types: ["application/pdf"],
      problems: [...lookProblems, ...documentProblems, "read_only", "envelope_wrong_status", "document_not_ready"],
      run: (who) => handOutCertificate(deps, who),
    }),
  ];
}

function showingWho(deps: SigningDeps): Endpoint[] {
  return [
    acting({
      name: "get_identity_questions",
      summary: "Get the identity questions of the signer",
      path: "/embed/sign/:envelope_id/kba",
      ...ofToken,
      answer: [200, QuestionsView],
      problems: [...stepProblems, "record_mismatch"],
      examples: { answer: examples.questions },
      run: async (who) => presentAsked(await askQuestions(deps, who)),
    }),
    endpoint({
      name: "answer_identity_questions",
      summary: "Answer the identity questions",
      method: "POST",
      path: "/embed/sign/:envelope_id/kba",
      ...ofToken,
      body: AnswersBody,
      answer: [200, IdentityView],
      problems: [...stepProblems, "challenge_over", "passwords_busy"],
      // No Idempotency-Key: a repeated request finds its challenge answered, and an answer could be guessed from a stored fingerprint.
      idempotent: false,
      examples: { request: examples.answers, answer: examples.passed },
      prepare: (who, { body }) => answerQuestions.judge(deps, who, body),
      run: async (who, _input, judged) => presentIdentity(await answerQuestions.record(deps, who, judged)),
    }),
    endpoint({
      name: "give_signing_consent",
      summary: "Give or withdraw consent to sign electronically",
      method: "POST",
      path: "/embed/sign/:envelope_id/consent",
      ...ofToken,
      body: ConsentBody,
      answer: [200, ConsentView],
      problems: [...actProblems, "document_not_rendered"],
      examples: { request: examples.consent, answer: { accepted: true, accepted_at: "2026-01-15T09:01:00.000Z" } },
      run: async (who, { body: { accepted, ...given } }) => {
        if (accepted) return { accepted, accepted_at: (await giveConsent(deps, who, acceptanceOf(given))).toISOString() };
        await withdrawConsent(deps, who);
        return { accepted, accepted_at: null };
      },
    }),
  ];
}

const codeWords = {
  email_code: { start: "Request a code by e-mail", answer: "Enter the code from the e-mail" },
  access_code: { start: "Begin to enter the access code", answer: "Enter the access code" },
} as const;

/** The two endpoints of a method, for each of `methodNames`. */
function enteringCode(deps: SigningDeps, method: MethodName): Endpoint[] {
  const path = `/embed/sign/:envelope_id/identity/${method}` as const;
  return [
    endpoint({
      name: `start_${method}`,
      summary: codeWords[method].start,
      description:
        "The challenge can be answered for ten minutes, in the same signing session. A repeated request before `resend_after` returns the same challenge and sends nothing.",
      method: "POST",
      path: `${path}/start`,
      ...ofToken,
      answer: [200, StartedView],
      problems: [...stepProblems, "challenge_over", "mailed_link_required", "record_mismatch", "passwords_busy", "rate_limited"],
      idempotent: false,
      examples: {
        answer: method === "email_code" ? examples.started : { ...examples.started, sent_to: null, resend_after: null },
      },
      run: async (who) => presentStarted(await startChallenge(deps, who, method)),
    }),
    endpoint({
      name: `answer_${method}`,
      summary: codeWords[method].answer,
      description: "A wrong code is an answer with the state `required` and one attempt less.",
      method: "POST",
      path: `${path}/answer`,
      ...ofToken,
      body: CodeBody,
      answer: [200, IdentityStepView],
      problems: [...stepProblems, "challenge_over", "mailed_link_required", "passwords_busy"],
      // No Idempotency-Key: a code could be guessed from a stored fingerprint.
      idempotent: false,
      examples: {
        request: { challenge_id: examples.started.challenge_id, code: "481516" },
        answer: { ...examples.passedStep, method, hint: method === "email_code" ? examples.passedStep.hint : null },
      },
      prepare: (who, { body }) => answerChallenge.judge(deps, who, method, { challenge_id: body.challenge_id, given: body.code }),
      run: async (who, _input, judged) => presentStep(await answerChallenge.record(deps, who, method, judged)),
    }),
  ];
}

function followingCode(deps: SigningDeps): Endpoint[] {
  return [
    reading({
      name: "get_email_code",
      summary: "Get whether the e-mail with the code has left",
      description: "For a page that asks for the code of this signing session.",
      path: "/embed/sign/:envelope_id/identity/email_code",
      ...ofToken,
      answer: [200, CodeMailView],
      problems: ["read_only"],
      examples: { answer: { state: "queued" } },
      run: async (who, _input, read) => {
        const asked = { slug: recipientOf(who), method: deps.identityMethods.email_code };
        return { state: await lookUpCodeMail(read, who, asked) };
      },
    }),
  ];
}

function agreeing(deps: SigningDeps): Endpoint[] {
  return [
    endpoint({
      name: "accept_signing_agreement",
      summary: "Agree that the document is a transferable record",
      method: "POST",
      path: "/embed/sign/:envelope_id/agreement",
      ...ofToken,
      body: AgreementBody,
      answer: [200, AgreementView],
      problems: [...actProblems, "consent_required", "agreement_not_needed"],
      examples: { request: examples.agreement, answer: { accepted_at: "2026-01-15T09:01:30.000Z" } },
      run: async (who, { body }) => ({ accepted_at: (await acceptAgreement(deps, who, body)).toISOString() }),
    }),
  ];
}

function acceptanceOf({ disclosure_version, disclosure_sha256, rendered_pages }: Partial<Acceptance>): Acceptance {
  const required = (field: string) => invalidField(field, "required", "is required to accept");
  if (disclosure_version === undefined) throw required("disclosure_version");
  if (disclosure_sha256 === undefined) throw required("disclosure_sha256");
  if (rendered_pages === undefined) throw required("rendered_pages");
  return { disclosure_version, disclosure_sha256, rendered_pages };
}

function signing(deps: SigningDeps): Endpoint[] {
  return [
    endpoint({
      name: "save_signing_fields",
      summary: "Save field values and adopt a signature",
      method: "PUT",
      path: "/embed/sign/:envelope_id/fields",
      ...ofToken,
      body: FieldsBody,
      answer: [200, SavedView],
      problems: [...actProblems, "consent_required", "pdf_busy", "record_mismatch"],
      examples: { request: examples.fields, answer: { revision: 4, progress: { done: 2, total: 3 }, errors: [] } },
      prepare: (who, { body }) => checkUploads(deps, who, body as FieldsSaved),
      run: async (who, { body }, marks) => presentSaved(await saveFields(deps, who, body as FieldsSaved, marks)),
    }),
    endpoint({
      name: "complete_signing",
      summary: "Sign the document",
      method: "POST",
      path: "/embed/sign/:envelope_id/complete",
      ...ofToken,
      body: CompleteBody,
      answer: [200, CompletedView],
      problems: [...actProblems, "consent_required", "agreement_required", "document_not_rendered", "signing_stale", "record_mismatch"],
      examples: { request: examples.complete, answer: examples.completed },
      failed: (who, error) => noteMismatch(deps, who.org, error),
      run: async (who, { body: { timezone, ...body } }) =>
        presentCompleted(await completeSigning(deps, who, { ...body, ...(timezone !== undefined && { timezone }) })),
    }),
    endpoint({
      name: "approve_document",
      summary: "Approve the document",
      description: "For approvers. Their required fields must be filled in.",
      method: "POST",
      path: "/embed/sign/:envelope_id/approve",
      ...ofToken,
      body: ApproveBody,
      answer: [200, ApprovedView],
      problems: [...taskProblems],
      examples: { request: { state_sha256: examples.complete.state_sha256 }, answer: examples.approved },
      failed: (who, error) => noteMismatch(deps, who.org, error),
      run: async (who, { body }) => presentActed("approved", await approveDocument(deps, who, body as Approval)),
    }),
    endpoint({
      name: "confirm_reading",
      summary: "Confirm that you have read the document",
      description: "For viewers. Page 1 must have been served in the same signing session.",
      method: "POST",
      path: "/embed/sign/:envelope_id/confirm",
      ...ofToken,
      body: ConfirmBody,
      answer: [200, ConfirmedView],
      problems: [...taskProblems, "document_not_rendered"],
      examples: { request: { state_sha256: examples.complete.state_sha256 }, answer: examples.confirmed },
      failed: (who, error) => noteMismatch(deps, who.org, error),
      run: async (who, { body }) => presentActed("confirmed", await confirmReading(deps, who, body)),
    }),
    endpoint({
      name: "decline_signing",
      summary: "Decline to sign, or reject the document",
      description: "For signers and approvers. An approver must give a reason.",
      method: "POST",
      path: "/embed/sign/:envelope_id/decline",
      ...ofToken,
      body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: MAX_REASON_CHARACTERS })) }),
      answer: [200, DeclinedView],
      problems: ["envelope_ended", "already_signed", "recipient_has_acted", "not_your_task", "read_only"],
      examples: {
        request: { reason: "The price is not what we agreed" },
        answer: { envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41", status: "declined", declined_at: "2026-01-15T09:03:00.000Z" },
      },
      run: async (who, { params, body }) => {
        const declined_at = await declineSigning(deps, who, body.reason ?? null);
        return { envelope_id: params.envelope_id, status: "declined", declined_at: declined_at.toISOString() } as const;
      },
    }),
  ];
}

function keepingPapers(deps: SigningDeps): Endpoint[] {
  return [
    serving({
      name: "get_signing_disclosure",
      summary: "Download the disclosure",
      path: "/embed/sign/:envelope_id/disclosure",
      ...ofToken,
      query: OpenQuery,
      types: ["application/pdf"],
      problems: ["envelope_ended", "pdf_busy"],
      run: (who, { query }) => handOutDisclosure(deps, who, query.lang),
    }),
    endpoint({
      name: "request_signing_paper",
      summary: "Ask to sign on paper",
      method: "POST",
      path: "/embed/sign/:envelope_id/paper",
      ...ofToken,
      answer: [200, PaperView],
      problems: [...actProblems],
      examples: { answer: { requested_at: "2026-01-15T09:02:00.000Z" } },
      run: async (who) => ({ requested_at: (await requestPaper(deps, who)).toISOString() }),
    }),
    serving({
      name: "get_signing_paper",
      summary: "Download the document to sign on paper",
      path: "/embed/sign/:envelope_id/paper",
      ...ofToken,
      types: ["application/pdf"],
      problems: [...actProblems, ...documentProblems, "paper_not_requested"],
      run: (who) => handOutPaper(deps, who),
    }),
    endpoint({
      name: "finish_signing_later",
      summary: "Mail the signing link again",
      method: "POST",
      path: "/embed/sign/:envelope_id/finish-later",
      ...ofToken,
      answer: [200, LinkSentView],
      problems: ["envelope_ended", "not_your_turn", "already_signed", "recipient_has_acted", "recipient_without_mail", "read_only"],
      examples: { answer: { sent_to: "ann@example.com" } },
      prepare: (who) => finishLater.count(deps, who),
      run: (who) => finishLater.mail(deps, who),
    }),
  ];
}

const ofSigner = {
  access: { anyScope: ["envelopes:write", "esign:write"] },
  params: { envelope_id: "envelope", slug: "slug" },
  missing: "signer_not_found",
} as const;

function settingQuestions(deps: SigningDeps): Endpoint[] {
  return [
    endpoint({
      name: "set_identity_questions",
      summary: "Set the identity questions of a signer",
      description:
        "Replaces the questions that the signer must answer before they can see the document. Answers are stored as hashes and never shown again. The envelope must have kba_required, and the signer must not have signed yet. Setting questions does not unlock a locked signer; use reset_identity_questions for that.",
      resource: "Signers",
      sdk: "envelopes.signers.identityQuestions.replace",
      method: "PUT",
      path: "/partner/envelopes/:envelope_id/signers/:slug/kba",
      ...ofSigner,
      body: Type.Object({ questions: Questions }),
      answer: [200, KbaSignerView],
      problems: ["envelope_ended", "kba_not_required", "signer_signed", "passwords_busy"],
      examples: { request: { questions: examples.setQuestions }, answer: { ...examples.kbaSigner, questions: 2 } },
      prepare: ({ org }, { body }) => hashQuestions({ proofs: deps.proofs, org }, body.questions, "questions"),
      run: async (caller, { params }, questions) => presentKba(await setQuestions(deps, caller, params, questions), questions.length),
    }),
    endpoint({
      name: "reset_identity_questions",
      summary: "Reset the identity attempts of a signer",
      description: "Unlocks a signer who gave too many wrong answers and starts counting attempts again. The questions stay the same.",
      resource: "Signers",
      sdk: "envelopes.signers.identityQuestions.reset",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/signers/:slug/kba/reset",
      ...ofSigner,
      answer: [200, ResetSignerView],
      problems: ["envelope_ended", "kba_not_required"],
      examples: { answer: examples.kbaSigner },
      run: async (caller, { params }) => presentSigner(await resetQuestions(deps, caller, params)),
    }),
  ];
}

function requiringMethods(deps: SigningDeps): Endpoint[] {
  return [
    endpoint({
      name: "set_signer_identity",
      summary: "Set how a signer must prove who they are",
      description:
        "Replaces the codes that a person must enter before they can see the document; an empty list requires none. If the organization demands an identity level (`min_identity_level` of `/org/security`), a code by e-mail is added where that reaches it; otherwise the answer is 422. For everyone who acts and has not acted yet. A code that they entered before must be entered again. A locked person stays locked; use reset_signer_identity for that. Identity questions are set apart from this.",
      resource: "Signers",
      sdk: "envelopes.signers.identity.replace",
      method: "PUT",
      path: "/partner/envelopes/:envelope_id/signers/:slug/identity",
      ...ofSigner,
      body: Type.Object({ authentication: Authentication }),
      answer: [200, RequiredSignerView],
      problems: ["envelope_ended", "signer_signed", "passwords_busy"],
      examples: {
        request: { authentication: [{ method: "email_code" }, { method: "access_code", code: "blue-harbour" }] },
        answer: { ...examples.kbaSigner, authentication: examples.requiredMethods },
      },
      prepare: ({ org }, { body }) =>
        hashRequirements(
          { methods: deps.identityMethods, mailsCodes: deps.mailsCodes(org) },
          { proofs: deps.proofs, org },
          body.authentication,
          "authentication",
        ),
      run: async (caller, { params }, required) => presentRequired(await setRequirements(deps, caller, params, required)),
    }),
    endpoint({
      name: "reset_signer_identity",
      summary: "Let a signer try again to prove who they are",
      description:
        "Unlocks a person after too many wrong codes or answers and starts counting attempts again. What is required stays the same.",
      resource: "Signers",
      sdk: "envelopes.signers.identity.reset",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/signers/:slug/identity/reset",
      ...ofSigner,
      answer: [200, RequiredSignerView],
      problems: ["envelope_ended"],
      examples: { answer: { ...examples.kbaSigner, authentication: examples.requiredMethods } },
      run: async (caller, { params }) => presentRequired(await resetIdentity(deps, caller, params)),
    }),
  ];
}

const presentRequired = ({ signer, methods }: Required) => ({
  ...presentSigner(signer),
  authentication: methods.map(presentMethod),
});
const presentSigner = ({ email, slug, status }: Recipient) => ({ email, slug, status });
const presentKba = (signer: Recipient, questions: number) => ({ ...presentSigner(signer), questions });
