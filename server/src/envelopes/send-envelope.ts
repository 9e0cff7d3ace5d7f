import { appendAll, appendAudit } from "../audit/append-audit.ts";
import type { Customer } from "../customers/customer.ts";
import { noteRecipients } from "../customers/note-recipients.ts";
import { findCustomer } from "../customers/store.ts";
import type { Tx } from "../db/sql.ts";
import { firstPages } from "../documents/first-pages.ts";
import type { Pages } from "../documents/pages.ts";
import { asPdfProblem } from "../documents/pdf-problems.ts";
import { readStored } from "../documents/read-stored.ts";
import type { Warning } from "../documents/warnings.ts";
import { appendEvent } from "../events/append-event.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { reachesPeople } from "../mail/message.ts";
import type { Caller } from "../shared/caller.ts";
import { DAY_MS } from "../shared/durations.ts";
import { emailKey } from "../shared/email.ts";
import { type EnvelopeId, newId, type OrgId, type SubmissionId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { type Detail, invalidField, Problem } from "../shared/problems.ts";
import { newSlug, type Slug } from "../shared/slugs.ts";
import type { Hashing } from "../signing/identity/kba/answers.ts";
import { type HashedQuestion, insertQuestions } from "../signing/identity/kba/kba-store.ts";
import { hashesOf, hashQuestions } from "../signing/identity/kba/partner-questions.ts";
import type { Able } from "../signing/identity/method.ts";
import { atLeast } from "../signing/identity/minimum.ts";
import { hashRequirements, type Requirement } from "../signing/identity/requirement.ts";
import { requireOf } from "../signing/identity/set-requirements.ts";
import { sentHashes } from "../signing/proven-record.ts";
import type { SigningProvider } from "../signing/provider.ts";
import { valueFrom } from "../signing/provider-answer.ts";
import { insertSubmission, listRecipients } from "../signing/store.ts";
import { atTurn, auditedRecipient, isActing, isSigner, type Recipient } from "../signing/submission.ts";
import type { BlobName } from "../storage/blob-store.ts";
import { keepBlob } from "../storage/store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { keyFields } from "../templates/key-fields.ts";
import { type Accepted, acceptanceOf, type Certification, recordAcceptance } from "./certification.ts";
import { type Choices, type Chosen, chosenOf } from "./choices.ts";
import { chooseRecipients, refuseUndrawable, refuseUnfillableGroups, refuseUnfinished, withoutSignature } from "./choose-recipients.ts";
import { type Combined, combineDocuments, SIGNATURE_PAGE, signatureFields } from "./combine-documents.ts";
import { documentPath } from "./document.ts";
import {
  asSent,
  type EnvelopeDocument,
  type EnvelopeField,
  findFields,
  findSentFields,
  freezeDocuments,
  giveRole,
  insertCombined,
  insertDocument,
  insertFields,
  insertPrepared,
  type ListedDocument,
  listDocuments,
  pdfSize,
} from "./document-store.ts";
import { type Envelope, type EnvelopeDeps, moves, routeOf } from "./envelope.ts";
import { refuseUnknownMakers } from "./maker.ts";
import { nextReminder } from "./next-reminder.ts";
import { invite, shareCopies } from "./notify.ts";
import { inSteps, type PlannedRecipient, planRecipients } from "./plan-recipients.ts";
import { type GivenRecipients, recipientsOf, type SendingRecipient } from "./recipient-input.ts";
import type { SendingSigner } from "./signer-input.ts";
import { findSigningEnvelope, type SigningEnvelope } from "./signing-envelope-store.ts";
import { findEnvelope, listMemberLocales, lockRow, moveEnvelope, wrongStatus } from "./store.ts";
import { writeWords } from "./words-store.ts";

export interface SendRequest extends Choices {
  readonly signers?: readonly SendingSigner[];
  readonly recipients?: readonly SendingRecipient[];
  readonly certification?: Certification;
}

/** Everything that was prepared before the transaction, from the envelope as it was then. */
export interface PreparedSend {
  readonly envelope: Envelope;
  readonly document: ListedDocument;
  readonly recipients: readonly PlannedRecipient[];
  readonly chosen: Chosen;
  readonly certification: Certification | null;
  /** the PDF that signers will see, if it differs from the stored one */
  readonly appended: Appended | null;
  /** the same for several documents */
  readonly combined: Combined | null;
  readonly documents: readonly EnvelopeDocument[];
  /** the questions of each recipient, in the order of the request; null for a person without questions */
  readonly questions: readonly (readonly HashedQuestion[] | null)[];
  /** the codes that the sender requires of each recipient, in the order of the request */
  readonly required: readonly RequiredOf[];
  readonly submission_id: SubmissionId;
  /** of each recipient, in the order of the request */
  readonly slugs: readonly Slug[];
  readonly warnings: readonly Warning[];
}

interface RequiredOf {
  /** where the request has them */
  readonly field: string;
  readonly codes: readonly Requirement[];
}

interface Appended {
  /** the signatures of a signed upload that are lost when it is drawn on */
  readonly signatures_removed: number;
  readonly pdf: BlobName;
  readonly pages: Pages;
  readonly fields: readonly EnvelopeField[];
}

async function prepareSend(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  request: SendRequest,
  unchanged: (now: Envelope) => void,
): Promise<PreparedSend> {
  const { org } = caller;
  const { envelope, documents, fields: placed, customer, signing } = await readDraft(deps, caller, envelope_id);
  // Before the provider is called. The binding check is under the lock, when the envelope is saved.
  unchanged(envelope);
  if (!(moves.send.from as readonly string[]).includes(envelope.status)) {
    throw envelope.status === "pending" ? new Problem("envelope_without_document") : wrongStatus("send", envelope.status);
  }
  const [document] = documents;
  if (document === undefined) throw new Problem("envelope_without_document");
  const fields = inOneDocument(placed, documents);
  const named = documents.flatMap(({ roles }) => roles);
  const given = chooseRecipients(recipientsOf(request), envelope.signers, customer, fields, named);
  if (signing.require_mailed_link) refuseLinks(given);
  const { recipients, signing_order } = planRecipients(given.people, orderFor(envelope, request, given));
  refuseUnable(deps.provider, recipients, signing_order, documents);
  const signers = inSteps(recipients).flatMap((one) => (one.kind === "signer" && one.role !== null ? [{ ...one, role: one.role }] : []));
  const { record_type, maker_roles } = envelope;
  refuseUnknownMakers(maker_roles, { record_type, roles: signers.map(({ role }) => role) });
  const chosen = { ...chosenFor(envelope, request), signing_order };
  refuseUnfinished(fields);
  refuseUnfillableGroups(fields);
  refuseUndrawable(fields, { pages: documents.flatMap(({ pages }) => pages) });
  const certification = acceptanceOf(deps, request.certification, envelope.auto_vault_enabled);
  if (deps.provider.name === "none") throw new Problem("provider_not_configured");
  const questions = await questionsOf({ proofs: deps.proofs, org: caller.org }, envelope, recipients, given.field, request);
  const required = await requiredOf(deps, caller.org, recipients, given, request);
  withMinimum(deps, org, recipients, required, signing);
  const unplaced = withoutSignature(signers, fields);
  const isOne = documents.length === 1;
  const appended = isOne ? await appendPages(deps, caller, document, unplaced) : null;
  const combined = isOne ? null : await combineDocuments(deps, org, documents, unplaced);
  const added = combined === null ? (appended?.fields ?? []) : addedTo(combined);
  const { submission_id, slugs: ofSigners } = valueFrom(
    await deps.provider.createSubmission(org, {
      envelope_id,
      name: envelope.envelope_name,
      document: { sha256: combined?.pdf.sha256 ?? appended?.pdf.sha256 ?? document.pdf_sha256 },
      fields: [...fields, ...added].map((field) => ({ ...field, role: field.role ?? signers[0]?.role ?? "" })),
      signers,
      signing_order,
      expires_in_days: chosen.expires_in_days,
    }),
  );
  const slugs = recipients.map((one) => {
    const place = signers.findIndex(({ email }) => email === one.email);
    return place < 0 ? newSlug() : (ofSigners[place] ?? missingSlug());
  });
  const warnings = [...warningsOf(envelope, recipients, questions), ...lostSignatures(combined ?? appended)];
  const frozen = { document, documents, appended, combined };
  return { envelope, ...frozen, recipients, chosen, certification, questions, required, submission_id, slugs, warnings };
}

/** The fields with their pages counted through all documents, as the sent document has them. */
export function inOneDocument(
  fields: readonly EnvelopeField[],
  documents: readonly Pick<EnvelopeDocument, "pages">[],
): readonly EnvelopeField[] {
  const first = firstPages(documents.map(({ pages }) => pages.length));
  return fields.map((field) => asSent(field, first[field.document_no - 1] ?? 1));
}

const addedTo = ({ signaturePage }: Combined): readonly EnvelopeField[] =>
  (signaturePage?.fields ?? []).map((field) => asSent(field, signaturePage?.first_page ?? 1));

/** A link that the sender hands over would open a page on which this organization lets no one act. */
function refuseLinks({ field, people }: GivenRecipients): void {
  const details = people.flatMap(({ delivery }, index): Detail[] =>
    delivery === "link"
      ? [
          {
            location: "body",
            field: `${field}[${index}].delivery`,
            code: "mailed_link_required",
            message: "your organization accepts only links in our e-mails",
          },
        ]
      : [],
  );
  if (details.length > 0) throw new Problem("invalid_request", "handed-over links", { details });
}

/** What the signing provider cannot do is refused before it is asked. */
function refuseUnable(
  { capabilities }: SigningProvider,
  recipients: readonly PlannedRecipient[],
  order: Chosen["signing_order"],
  documents: readonly EnvelopeDocument[],
): void {
  const isAble = recipients.every(({ kind }) => capabilities.kinds.includes(kind)) && (capabilities.steps || order !== "steps");
  if (!isAble || (documents.length > 1 && !capabilities.documents)) throw new Problem("provider_cannot");
}

/** The order of the draft is about the people of the draft: others without steps sign one after the other, unless the request says how. */
function orderFor(
  envelope: Envelope,
  { signing_order, signers, recipients }: SendRequest,
  { people }: GivenRecipients,
): Chosen["signing_order"] {
  if (signing_order !== undefined) return signing_order;
  const isOther = signers !== undefined || recipients !== undefined;
  const isStepped = people.some((person) => isActing(person) && typeof person.step === "number");
  return isOther && !isStepped && envelope.signing_order === "steps" ? "sequential" : envelope.signing_order;
}

/** The values of the request, otherwise those of the draft. */
function chosenFor(envelope: Envelope, request: SendRequest): Chosen {
  const chosen = { ...envelope, ...chosenOf(request) };
  const { message, mail_subject, signing_order, expires_in_days } = chosen;
  const { remind_every_days, remind_first_after_days, remind_last_days_before } = chosen;
  return { message, mail_subject, signing_order, expires_in_days, remind_every_days, remind_first_after_days, remind_last_days_before };
}

/** Hashes the answers. Nothing else of the request's questions is passed on. */
async function questionsOf(
  hashing: Hashing,
  { kba_required }: Envelope,
  recipients: readonly PlannedRecipient[],
  field: GivenRecipients["field"],
  request: SendRequest,
): Promise<(readonly HashedQuestion[] | null)[]> {
  const given: readonly Pick<SendingRecipient, "email" | "kba">[] = request.recipients ?? request.signers ?? [];
  const asked = given.findIndex(({ kba }) => kba !== undefined);
  if (asked >= 0 && !kba_required) {
    throw invalidField(`${field}[${asked}].kba`, "conflict", "the envelope does not require identity questions. Set kba_required first");
  }
  const hashed: (readonly HashedQuestion[] | null)[] = [];
  for (const { email, kind } of recipients) {
    const index = given.findIndex((person) => person.email === email);
    const questions = given[index]?.kba?.questions;
    if (questions !== undefined && kind === "cc") throw invalidField(`${field}[${index}].kba`, "conflict", "a cc answers no questions");
    hashed.push(questions === undefined ? null : await hashQuestions(hashing, questions, `${field}[${index}].kba.questions`));
  }
  return hashed;
}

/** Hashes the codes. Throws 422 for what cannot be required here, and for an access code that the request does not name. */
async function requiredOf(
  deps: EnvelopeDeps,
  org: OrgId,
  recipients: readonly PlannedRecipient[],
  { field, people }: GivenRecipients,
  request: SendRequest,
): Promise<PreparedSend["required"]> {
  const named = request.recipients ?? request.signers;
  if (named === undefined) refuseLostCodes({ field, people });
  const given: readonly Pick<SendingRecipient, "email" | "authentication">[] = named ?? people;
  const required: RequiredOf[] = [];
  for (const { email, kind } of recipients) {
    const index = given.findIndex((person) => person.email === email);
    const authentication = given[index]?.authentication ?? [];
    const place = `${field}[${index}].authentication`;
    if (authentication.length > 0 && kind === "cc") throw invalidField(place, "conflict", "a cc enters no codes");
    const codes = await hashRequirements(ableTo(deps, org), { proofs: deps.proofs, org }, authentication, place);
    // People of the draft are not in the request.
    required.push({ field: named === undefined ? field : place, codes });
  }
  return required;
}

/** A draft keeps that an access code is asked for, and not the code. Sent without it, the person would be asked for less than the sender chose. */
function refuseLostCodes({ field, people }: GivenRecipients): void {
  const details = people.flatMap(({ email, authentication = [] }): Detail[] => {
    if (!authentication.some(({ method }) => method === "access_code")) return [];
    const message = `the draft asks ${email} for an access code, which it does not keep. Name everyone in \`recipients\`, with their \`authentication\``;
    return [{ location: "body", field, code: "required", message }];
  });
  if (details.length > 0) throw new Problem("invalid_request", "access codes of the draft", { details });
}

/** What is asked of each person: what the sender requires, and what the organization demands of everyone who acts. Throws 422 where it demands more. */
function withMinimum(
  deps: EnvelopeDeps,
  org: OrgId,
  recipients: readonly PlannedRecipient[],
  required: PreparedSend["required"],
  { identity_policy: policy, kba_required, form }: Pick<SigningEnvelope, "identity_policy" | "kba_required" | "form">,
): (readonly Requirement[])[] {
  const demanded = { policy, kba_required, of_form: form !== null };
  return required.map(({ field, codes }, index) =>
    recipients[index]?.kind === "cc" ? codes : atLeast(ableTo(deps, org), codes, demanded, { field }),
  );
}

const ableTo = ({ identityMethods: methods, mail }: EnvelopeDeps, org: OrgId): Able => ({ methods, mailsCodes: reachesPeople(mail, org) });

interface Draft {
  readonly envelope: Envelope;
  readonly documents: readonly ListedDocument[];
  readonly fields: readonly EnvelopeField[];
  readonly customer: Customer | null;
  readonly signing: Pick<SigningEnvelope, "require_mailed_link" | "identity_policy" | "kba_required" | "form">;
}

function readDraft(deps: EnvelopeDeps, { org }: Caller, envelope_id: EnvelopeId): Promise<Draft> {
  return deps.db.tx(org, async (tx) => {
    const envelope = await findEnvelope(tx, org, envelope_id);
    const { customer_id } = envelope;
    return {
      envelope,
      documents: await listDocuments(tx, org, envelope_id),
      fields: await findFields(tx, org, envelope_id),
      customer: customer_id === null ? null : await findCustomer(tx, org, customer_id),
      signing: await findSigningEnvelope(tx, org, envelope_id),
    };
  });
}

/** A person who must answer questions cannot act without any, so the requirement is never silently dropped. */
function warningsOf({ kba_required }: Envelope, recipients: readonly PlannedRecipient[], questions: PreparedSend["questions"]): Warning[] {
  const acting = recipients.flatMap((one, index) => (isActing(one) ? [questions[index] ?? null] : []));
  const without = acting.filter((set) => set === null).length;
  if (!kba_required || without === 0) return [];
  const [people, act] = recipients.every(({ kind }) => kind === "signer") ? ["signers", "sign"] : ["recipients", "act"];
  const who =
    without === acting.length ? `${people.slice(0, 1).toUpperCase()}${people.slice(1)}` : `${without} of ${acting.length} ${people}`;
  return [
    {
      code: "kba_material_missing",
      message: `${who} must answer identity questions, but none are set. They cannot ${act} until questions are set`,
    },
  ];
}

/** Signing here draws on the document, which invalidates its existing signatures. The uploaded version keeps them. */
function lostSignatures(frozen: Pick<Appended, "signatures_removed"> | null): Warning[] {
  const lost = frozen?.signatures_removed ?? 0;
  if (lost === 0) return [];
  const message = `The uploaded document has ${lost} digital signature(s). It is sent without them, because signing changes the pages`;
  return [{ code: "signatures_removed", message }];
}

/** Adds a signature page for signers without a signature field. A signed upload is never drawn on, so a clean version is made first. */
async function appendPages(
  deps: EnvelopeDeps,
  { org }: Caller,
  document: EnvelopeDocument,
  signers: readonly { readonly name: string; readonly role: string }[],
): Promise<Appended | null> {
  if (signers.length === 0 && !document.byte_for_byte) return null;
  const turn = { key: org, priority: "interactive", give_up_bytes: true } as const;
  let bytes = await readStored(deps, org, document.pdf_sha256, "document_unavailable");
  let { pages } = document;
  let signatures_removed = 0;
  if (document.byte_for_byte) {
    const cleaned = await deps.pdf.ingest(bytes, { tags: "discard" }, turn).catch(asPdfProblem);
    ({ bytes, pages, signatures: signatures_removed } = cleaned);
  }
  if (signers.length === 0) return { pdf: await storeBlob(deps.storage, org, bytes), pages, fields: [], signatures_removed };
  const asked = signers.map(({ name, role }) => ({ signer: role, label: `${name} (${role})` }));
  const prepared = await deps.pdf.prepare(bytes, { signers: asked }, turn).catch(asPdfProblem);
  const more = prepared.pages.slice(pages.length).map((page) => ({ ...page, has_text: true, scan_dpi: null }));
  const fields = signatureFields(prepared.areas, 1);
  return { pdf: await storeBlob(deps.storage, org, prepared.bytes), pages: [...pages, ...more], fields, signatures_removed };
}

/** What a batch does first and last in the transaction that sends. */
export interface OfSend {
  readonly begin: (tx: Tx) => Promise<void>;
  readonly finish: (tx: Tx) => Promise<void>;
}

export interface Sent {
  readonly envelope: Envelope;
  readonly recipients: readonly Recipient[];
  readonly certification: Accepted | null;
  readonly warnings: readonly Warning[];
}

/**
 * Saves the move, the submission and its recipients, the frozen document, the acceptance, the first invitations, the entries and the event.
 */
function saveSend(
  deps: EnvelopeDeps,
  caller: Caller,
  prepared: PreparedSend,
  unchanged: (now: Envelope) => void,
  batch?: OfSend,
): Promise<Sent> {
  const { org } = caller;
  const { envelope: before, submission_id, slugs, warnings } = prepared;
  const { envelope_id } = before;
  const { signing_order } = prepared.chosen;
  return deps.db.tx(org, async (tx) => {
    await batch?.begin(tx);
    const now = await lockRow(tx, org, envelope_id);
    unchanged(now);
    await moveEnvelope(tx, org, envelope_id, "send", sentColumns(tx, caller, prepared));
    // The prepared data is only valid for the envelope as it was read.
    if (now.updated_at.getTime() !== before.updated_at.getTime()) throw new Problem("envelope_changed");
    await freezeDocument(tx, caller, prepared);
    const chosen = await listMemberLocales(
      tx,
      org,
      prepared.recipients.map(({ email }) => email),
    );
    const named = prepared.recipients.map((one, index) => {
      return { ...one, locale: one.locale ?? chosen.get(emailKey(one.email)) ?? null, slug: slugs[index] ?? missingSlug() };
    });
    await insertSubmission(tx, org, { submission_id, envelope_id, provider: deps.provider.name, signing_order, recipients: named });
    await setQuestions(deps, tx, caller, envelope_id, named, prepared.questions);
    const certification =
      prepared.certification === null ? null : await recordAcceptance(deps, tx, org, caller, envelope_id, prepared.certification);
    const envelope = await findEnvelope(tx, org, envelope_id);
    const recipients = await listRecipients(tx, org, envelope_id);
    const signing = await findSigningEnvelope(tx, org, envelope_id);
    // The organization may demand more than when the send was prepared.
    for (const [index, set] of withMinimum(deps, org, prepared.recipients, prepared.required, signing).entries()) {
      const person = recipients.find(({ slug }) => slug === slugs[index]);
      if (set.length > 0 && person !== undefined) await requireOf(tx, caller, envelope_id, person, set);
    }
    await invite(deps, tx, org, envelope, atTurn(recipients), { first: true, recipients });
    const hashes = sentHashes(await findSentFields(tx, org, envelope_id), recipients);
    const sent = { ...sentData(prepared, envelope, recipients, signing.default_locale), ...hashes };
    await appendAll(tx, org, envelope_id, [
      ...(certification === null ? [] : [{ type: "certification.accepted", by: caller, data: { ...certification } } as const]),
      { type: "document.prepared", by: caller, data: preparedData(prepared) },
      { type: "envelope.sent", by: caller, data: sent },
    ]);
    // After the entry that names them.
    await shareCopies(deps, tx, org, envelope, recipients);
    await enqueue(tx, "signing.draw-pages", { org_id: org, envelope_id });
    const sent_at = tx.now.toISOString();
    await writeWords(tx, org, envelope_id);
    await noteRecipients(tx, org, prepared.recipients);
    await appendEvent(tx, org, {
      type: "envelope.sent",
      envelope_id,
      data: { envelope_id, sent_at, submission_id, ...routeOf(before) },
    });
    await batch?.finish(tx);
    return { envelope, recipients: await listRecipients(tx, org, envelope_id), certification, warnings };
  });
}

function sentColumns(tx: Tx, caller: Caller, { chosen, submission_id }: PreparedSend) {
  const expires_at = new Date(tx.now.getTime() + chosen.expires_in_days * DAY_MS);
  return {
    ...chosen,
    submission_id,
    sent_at: tx.now,
    sent_by: caller.actor.id,
    expires_at,
    next_reminder_at: nextReminder({ ...chosen, sent_at: tx.now, expires_at }, tx.now),
  };
}

async function freezeDocument(tx: Tx, { org }: Caller, prepared: PreparedSend): Promise<void> {
  const { envelope, document, appended, combined, recipients } = prepared;
  const { envelope_id } = envelope;
  const first = inSteps(recipients).find(({ kind }) => kind === "signer");
  if (first?.role != null) await giveRole(tx, org, envelope_id, first.role);
  if (combined !== null) return freezeCombined(tx, org, prepared, combined);
  if (appended === null) {
    const sha256 = document.pdf_sha256;
    await freezeDocuments(tx, org, envelope_id, [{ document_no: 1, first_page: 1, pdf_sha256: sha256, pages: document.pages }]);
    return insertPrepared(tx, org, envelope_id, { sha256, size: document.pdf_size }, sha256);
  }
  const { pdf, pages } = appended;
  await keepBlob(tx, org, pdf.sha256);
  const added_pages = pages.length - document.pages.length;
  await freezeDocuments(tx, org, envelope_id, [{ document_no: 1, first_page: 1, pdf_sha256: pdf.sha256, pages, added_pages }]);
  await insertFields(tx, org, envelope_id, keyFields(appended.fields, await findFields(tx, org, envelope_id)));
  await insertPrepared(tx, org, envelope_id, appended.pdf, document.pdf_sha256);
}

/** The documents as they are in the combined one, that one as document 0, and the signature page. */
async function freezeCombined(tx: Tx, org: OrgId, { envelope, documents }: PreparedSend, combined: Combined): Promise<void> {
  const { envelope_id, envelope_name: name } = envelope;
  const { pdf, pages, signaturePage } = combined;
  // Bytes that a row refers to are safe from the sweep. Another document with the same bytes may have released them.
  const known = new Set(documents.map(({ pdf_sha256 }) => pdf_sha256));
  const cleaned = combined.documents.map(({ pdf_sha256 }) => pdf_sha256).filter((sha256) => !known.has(sha256));
  for (const sha256 of new Set([pdf.sha256, ...cleaned])) await keepBlob(tx, org, sha256);
  await freezeDocuments(tx, org, envelope_id, combined.documents);
  const made = { content_type: "application/pdf", byte_for_byte: false } as const;
  const file = ({ sha256, size }: BlobName) => ({ hash: sha256, size, pdf_sha256: sha256 });
  await insertDocument(tx, org, envelope_id, {
    ...made,
    ...file(pdf),
    document_id: newId("document", tx.now.getTime()),
    document_no: 0,
    first_page: 1,
    name,
    path: documentPath(org, envelope_id, name),
    pages,
    roles: [...new Set(documents.flatMap(({ roles }) => roles))],
  });
  if (signaturePage !== null) {
    await keepBlob(tx, org, signaturePage.pdf.sha256);
    await insertDocument(tx, org, envelope_id, {
      ...made,
      ...file(signaturePage.pdf),
      document_id: newId("document", tx.now.getTime()),
      document_no: signaturePage.document_no,
      first_page: signaturePage.first_page,
      is_signature_page: true,
      name: SIGNATURE_PAGE,
      path: documentPath(org, envelope_id, SIGNATURE_PAGE),
      pages: signaturePage.pages,
      roles: [],
    });
    await insertFields(tx, org, envelope_id, keyFields(signaturePage.fields, await findFields(tx, org, envelope_id)));
  }
  for (const { document_no, pdf_sha256: sha256 } of combined.documents) {
    const before = documents.find((one) => one.document_no === document_no)?.pdf_sha256 ?? null;
    await insertPrepared(tx, org, envelope_id, { sha256, size: await pdfSize(tx, org, sha256) }, before, document_no);
  }
  if (signaturePage !== null) await insertPrepared(tx, org, envelope_id, signaturePage.pdf, null, signaturePage.document_no);
  await insertCombined(tx, org, envelope_id, pdf);
  await insertPrepared(tx, org, envelope_id, pdf, pdf.sha256);
}

async function setQuestions(
  deps: EnvelopeDeps,
  tx: Tx,
  caller: Caller,
  envelope_id: EnvelopeId,
  recipients: readonly (PlannedRecipient & { readonly slug: Slug })[],
  questions: PreparedSend["questions"],
): Promise<void> {
  for (const [index, { slug, email: user_email, role }] of recipients.entries()) {
    const set = questions[index] ?? null;
    if (set === null) continue;
    const set_no = await insertQuestions(deps, tx, caller.org, slug, set);
    const data = { role, user_email, set: set_no, questions_sha256: hashesOf(set) };
    await appendAudit(tx, caller.org, { type: "kba.set", by: caller, envelope_id, data });
  }
}

function preparedData({ appended, document, documents, combined }: PreparedSend) {
  if (combined !== null) {
    const { sha256 } = combined.pdf;
    const { signatures_removed, pages } = combined;
    return { sha256, parent_sha256: sha256, pages: pages.length, signatures_removed, documents: partsData(documents, combined) };
  }
  const sha256 = appended?.pdf.sha256 ?? document.pdf_sha256;
  const signatures_removed = appended?.signatures_removed ?? 0;
  return { sha256, parent_sha256: document.pdf_sha256, pages: (appended?.pages ?? document.pages).length, signatures_removed };
}

/** What the audit trail says about each document, for everyone who compares a part with the whole. */
function partsData(documents: readonly EnvelopeDocument[], { documents: frozen, signaturePage }: Combined) {
  const parts = frozen.map(({ document_no, pdf_sha256: sha256, first_page, pages }) => {
    const name = documents.find((one) => one.document_no === document_no)?.name ?? "";
    return { document_no, name, sha256, first_page, pages: pages.length };
  });
  if (signaturePage === null) return parts;
  const { document_no, first_page, pdf, pages } = signaturePage;
  const last = { document_no, name: SIGNATURE_PAGE, sha256: pdf.sha256, first_page, pages: pages.length, is_signature_page: true };
  return [...parts, last];
}

function sentData(
  { appended, combined, document, submission_id }: PreparedSend,
  envelope: Envelope,
  recipients: readonly Recipient[],
  values_locale: Locale,
) {
  return {
    submission_id,
    prepared_sha256: combined?.pdf.sha256 ?? appended?.pdf.sha256 ?? document.pdf_sha256,
    signature_pages:
      combined === null
        ? appended === null
          ? 0
          : appended.pages.length - document.pages.length
        : (combined.signaturePage?.pages.length ?? 0),
    signing_order: envelope.signing_order,
    kba_required: envelope.kba_required,
    values_locale,
    expires_at: envelope.expires_at?.toISOString() ?? null,
    ...(envelope.maker_roles.length > 0 && { maker_roles: [...envelope.maker_roles] }),
    signers: recipients.filter(isSigner).map(({ email, name, role }) => ({ email, name, role })),
    recipients: recipients.map(auditedRecipient),
  };
}

/** Ends a submission at the provider that was not recorded here. */
async function discardSend(deps: EnvelopeDeps, caller: Caller, { submission_id, envelope }: PreparedSend): Promise<void> {
  const { submission_id: recorded } = await deps.db.tx(caller.org, (tx) => findEnvelope(tx, caller.org, envelope.envelope_id));
  if (recorded !== submission_id) await deps.provider.cancel(caller.org, submission_id);
}

function missingSlug(): never {
  throw new Error("the provider returned fewer slugs than there are signers");
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const sendEnvelope = { prepare: prepareSend, save: saveSend, discard: discardSend };
