import type { Instrument, RecordType } from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import { provisionCustomer } from "../customers/provision-customer.ts";
import { holdCustomer } from "../customers/store.ts";
import type { Tx } from "../db/sql.ts";
import { appendEvent } from "../events/append-event.ts";
import type { Caller } from "../shared/caller.ts";
import {
  type BatchId,
  type CustomerId,
  type EnvelopeId,
  type FormId,
  newId,
  type OrgId,
  type TemplateId,
  type UserId,
} from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { rolesOf } from "../signing/field.ts";
import { listDocuments as listTemplateDocuments, type TemplateDocument } from "../templates/document-store.ts";
import { allRoles } from "../templates/role.ts";
import { findTemplate, findFields as findTemplateFields } from "../templates/store.ts";
import type { Template } from "../templates/template.ts";
import { type Choices, chosenOf } from "./choices.ts";
import { declaredOf } from "./declared.ts";
import { documentPath } from "./document.ts";
import { copyTemplate, prefill } from "./document-store.ts";
import { type Envelope, type EnvelopeDeps, routeOf, type SecuredParty } from "./envelope.ts";
import { refuseStranger } from "./give-owner.ts";
import { refuseUnknownMakers } from "./maker.ts";
import { planRecipients, withoutGaps } from "./plan-recipients.ts";
import { type Prefilled, readKeyed, readPrefilled } from "./prefilled.ts";
import {
  type DraftRecipient,
  keptRecipients,
  type RecipientInput,
  recipientsOf,
  refuseUnfitRecipients,
  refuseUnknownRecipientRoles,
  rolesOfSigners,
} from "./recipient-input.ts";
import { giveTags } from "./set-tags.ts";
import type { SignerInput } from "./signer-input.ts";
import { findEnvelope, insertEnvelope } from "./store.ts";

export interface EnvelopeRequest extends Choices {
  readonly envelope_name: string;
  readonly customer_email: string;
  readonly customer_name: string;
  readonly template_id?: TemplateId;
  readonly external_id?: string;
  readonly prefilled_data?: Readonly<Record<string, unknown>>;
  readonly secured_party?: SecuredParty;
  readonly record_type?: RecordType;
  readonly instrument?: Instrument;
  readonly maker_roles?: readonly string[];
  readonly signers?: readonly SignerInput[];
  readonly recipients?: readonly DraftRecipient[];
  readonly kba_required?: boolean;
  readonly auto_vault_enabled?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly owner_user_id?: UserId;
}

/** What made the envelope, other than a request for one. */
export interface MadeBy {
  /** the public form on which a visitor started it */
  readonly form_id?: FormId;
  readonly batch?: OfBatch;
}

/** What a batch adds to an envelope that it creates. */
export interface OfBatch {
  readonly batch_id: BatchId;
  /** values by the key of the field */
  readonly values: Readonly<Record<string, string>>;
  /** comes first in the transaction */
  readonly begin: (tx: Tx, envelope_id: EnvelopeId) => Promise<void>;
}

/** Pending without a template. With one, it has the template's document and fields and is ready to send. */
export function createEnvelope(
  deps: Pick<EnvelopeDeps, "db">,
  caller: Caller,
  request: EnvelopeRequest,
  { form_id, batch }: MadeBy = {},
): Promise<Envelope> {
  const { org } = caller;
  const { template_id, prefilled_data = {} } = request;
  const named = recipientsOf(request);
  if (named !== undefined) refuseUnfitRecipients(named, "body");
  const declared = declaredOf(request);
  if (template_id === undefined) readPrefilled(prefilled_data, []);
  return deps.db.tx(org, async (tx) => {
    const envelope_id = newId("envelope", tx.now.getTime());
    await batch?.begin(tx, envelope_id);
    const { fields, template, documents } = template_id === undefined ? NO_TEMPLATE : await usableTemplate(tx, org, template_id);
    const roles = rolesOf(fields);
    const given = named ?? { field: "recipients", people: template === null ? [] : peopleOf(template, roles, request) };
    const defaults = template?.defaults ?? {};
    const { auto_vault_enabled = defaults.auto_vault_enabled ?? false, kba_required = defaults.kba_required ?? false } = request;
    const { signing_order } = planRecipients(given.people, request.signing_order ?? defaults.signing_order ?? "sequential");
    refuseUnknownRecipientRoles(given, { named: roles, placed: [] }, "body");
    const maker_roles = makersOf(request, template?.maker_roles ?? [], roles, given.people);
    const values = batch === undefined ? readPrefilled(prefilled_data, fields) : readKeyed(batch.values, fields);
    if (request.owner_user_id !== undefined) await refuseStranger(tx, org, request.owner_user_id);
    const { customer, created } = await customerOf(tx, org, request, form_id !== undefined);
    const customer_id = customer === null || created ? (customer?.customer_id ?? null) : await holdCustomer(tx, org, customer.customer_id);
    await insertEnvelope(tx, org, {
      envelope_id,
      envelope_name: request.envelope_name,
      status: template_id === undefined ? "pending" : "preparing",
      customer_id,
      external_id: request.external_id ?? null,
      template_id: template_id ?? null,
      form_id,
      signers: keptRecipients(withoutGaps(given.people)),
      auto_vault_enabled,
      kba_required,
      custom: request.metadata ?? null,
      secured_party: request.secured_party === undefined ? null : keptParty(request.secured_party),
      maker_roles,
      ...declared,
      ...chosenOf({ ...defaults, ...request }),
      signing_order,
      created_by: caller.actor.id,
      owner_user_id: request.owner_user_id,
      batch_id: batch?.batch_id,
    });
    if (template_id !== undefined) {
      await fillFromTemplate(tx, org, envelope_id, { template_id, documents, name: request.envelope_name, values });
    }
    if (request.tags !== undefined) await giveTags(tx, org, envelope_id, request.tags);
    await recordCreated(tx, caller, envelope_id, {
      customer_id,
      external_id: request.external_id ?? null,
      form_id: form_id ?? null,
      batch_id: batch?.batch_id ?? null,
      data: {
        ...(form_id !== undefined && { origin: "form", form_id }),
        template_id: template_id ?? null,
        is_upload: false,
        auto_vault_enabled,
        kba_required,
        customer_created: created,
        ...(batch !== undefined && { batch_id: batch.batch_id }),
        ...declared,
      },
    });
    return findEnvelope(tx, org, envelope_id);
  });
}

/**
 * The people that a template names. If one place of a signer is open, the customer takes it, as in an envelope without people. Other open
 * places stay for the sender to fill.
 */
export function peopleOf(
  template: Template,
  roles: readonly string[],
  { customer_email, customer_name }: Pick<EnvelopeRequest, "customer_email" | "customer_name">,
): RecipientInput[] {
  if (template.role_rows.length === 0) return [];
  const places = allRoles(template.role_rows, roles);
  const open = places.filter(({ kind, email }) => kind === "signer" && email === null);
  const isNamed = places.some(({ email }) => email !== null && email.toLowerCase() === customer_email.toLowerCase());
  return places.flatMap(({ name, email, ...place }): RecipientInput[] => {
    if (email !== null && name !== null) return [{ ...place, name, email }];
    const isCustomers = open.length === 1 && place.role === open[0]?.role && place.kind === "signer" && !isNamed;
    return isCustomers ? [{ ...place, name: customer_name, email: customer_email }] : [];
  });
}

/** A visitor of a form cannot choose between several customers with their address, and must not learn of them: then there is none. */
async function customerOf(tx: Tx, org: OrgId, { customer_email: email, customer_name: name }: EnvelopeRequest, mayHaveNone: boolean) {
  try {
    return await provisionCustomer(tx, org, { email, name });
  } catch (error) {
    if (mayHaveNone && error instanceof Problem && error.code === "several_customers") return { customer: null, created: false };
    throw error;
  }
}

const NO_TEMPLATE = { fields: [], template: null, documents: [] } as const;

/** Those of the request, otherwise those of the template that its fields still name. */
function makersOf(
  { maker_roles, record_type = "other" }: EnvelopeRequest,
  ofTemplate: readonly string[],
  roles: string[],
  people: readonly RecipientInput[],
) {
  const known = [...new Set([...roles, ...rolesOfSigners(people)])];
  if (maker_roles !== undefined) refuseUnknownMakers(maker_roles, { record_type, roles: known });
  if (maker_roles !== undefined) return [...maker_roles];
  return record_type === "transferable_record" ? ofTemplate.filter((role) => roles.includes(role)) : [];
}

export async function usableTemplate(tx: Tx, org: OrgId, template_id: TemplateId) {
  const template = await findTemplate(tx, org, template_id);
  if (template.archived_at !== null) throw new Problem("template_archived");
  if (template.document_sha256 === null) throw new Problem("template_without_document");
  const documents = await listTemplateDocuments(tx, org, template_id);
  return { template, documents, fields: await findTemplateFields(tx, org, template_id) };
}

interface Filling {
  readonly template_id: TemplateId;
  readonly documents: readonly TemplateDocument[];
  readonly name: string;
  readonly values: readonly Prefilled[];
}

async function fillFromTemplate(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { template_id, documents, name: ofEnvelope, values }: Filling,
): Promise<void> {
  const copied = documents.map(({ document_no, name: ofDocument }) => {
    // The only document is called as the envelope is.
    const name = documents.length === 1 ? ofEnvelope : ofDocument;
    const document_id = newId("document", tx.now.getTime());
    return { from_no: document_no, document_id, document_no, name, path: documentPath(org, envelope_id, name) };
  });
  await copyTemplate(tx, org, envelope_id, { template_id, documents: copied });
  await prefill(tx, org, envelope_id, values);
}

/** Listed member by member, so that nothing else of the request is stored. */
export function keptParty({ name, role, address, email, identifier }: SecuredParty): SecuredParty {
  return {
    name,
    ...(role !== undefined && { role }),
    ...(address !== undefined && { address }),
    ...(email !== undefined && { email }),
    ...(identifier !== undefined && { identifier }),
  };
}

interface Created {
  readonly customer_id: CustomerId | null;
  readonly external_id: string | null;
  readonly form_id?: FormId | null;
  readonly batch_id?: BatchId | null;
  readonly data: Parameters<typeof appendAudit>[2]["data"];
}

/** Records the first entry of its chain and the event. */
export async function recordCreated(
  tx: Tx,
  caller: Caller,
  envelope_id: EnvelopeId,
  { customer_id, external_id, form_id = null, batch_id = null, data }: Created,
): Promise<void> {
  await appendAudit(tx, caller.org, { type: "envelope.created", by: caller, envelope_id, data: { customer_id, ...data } });
  await appendEvent(tx, caller.org, {
    type: "envelope.created",
    envelope_id,
    data: { envelope_id, ...routeOf({ customer_id, external_id, form_id, batch_id }) },
  });
}
