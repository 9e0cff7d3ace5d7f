import type { Tx } from "../db/sql.ts";
import { createEnvelope } from "../envelopes/create-envelope.ts";
import { isMember } from "../envelopes/store.ts";
import { reachesPeople } from "../mail/message.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem, problems } from "../shared/problems.ts";
import { fittingFor } from "./create-form.ts";
import { fitSettings } from "./fit-settings.ts";
import { type Form, type FormDeps, hasOtherPart, notOpen, peopleOf, type VisitorInput } from "./form.ts";
import { countOpened, isFullToday, orgOfForm } from "./store.ts";

// A copy whose visitor is not known by their mailbox is soon forgotten.
const UNVERIFIED_DAYS = 1;

/**
 * The visitor's own draft, in a transaction that encloses this one and holds the form's lock: the limits are counted exactly. The
 * envelope's name is the form's, so that no mail has a text that a visitor wrote.
 */
export async function makeCopy(deps: FormDeps, tx: Tx, caller: Caller, form: Form, visitor: VisitorInput): Promise<EnvelopeId> {
  const { form_id, name, template_id, settings, owner_user_id } = form;
  const { org } = caller;
  await refuseClosed(tx, caller, form);
  await refuseUnmailable(deps, tx, org);
  if (hasOtherPart(settings, visitor.email)) throw addressTaken();
  const owner = owner_user_id !== null && (await isMember(tx, org, owner_user_id)) ? owner_user_id : null;
  const request = {
    envelope_name: name,
    customer_email: visitor.email,
    customer_name: visitor.name,
    template_id,
    recipients: peopleOf(settings, visitor),
    // Not as the template has it: visitors act first, and only a sender can accept the vault terms.
    signing_order: "sequential" as const,
    auto_vault_enabled: false,
    ...(!settings.verify_email && { expires_in_days: UNVERIFIED_DAYS }),
    ...(owner !== null && { owner_user_id: owner }),
  };
  const { envelope_id } = await closedIfRefused(() => createEnvelope(deps.envelopes, caller, request, { form_id }));
  await countOpened(tx, org, form_id);
  return envelope_id;
}

/** Visitors prove an identity level with a code by e-mail alone. A draft that cannot be sent would stay, and count. */
async function refuseUnmailable({ envelopes }: FormDeps, tx: Tx, org: OrgId): Promise<void> {
  const { min_identity_level } = await orgOfForm(tx, org);
  if (min_identity_level > 0 && !reachesPeople(envelopes.mail, org)) throw notOpen("no mail server for codes");
}

const addressTaken = (): Problem =>
  new Problem("form_address_taken", "", {
    details: [
      {
        location: "body",
        field: null,
        code: "form_address_taken",
        message: "the address already belongs to another recipient of this document",
      },
    ],
  });

/** Throws what visitors read for a form that takes no more envelopes now. */
export async function refuseClosed(tx: Tx, { org }: Pick<Caller, "org">, form: Form): Promise<void> {
  if (form.state !== "open") throw notOpen(form.state);
  if (await isFullToday(tx, org, form.form_id, form.settings.max_per_day)) throw notOpen("full today");
  // The template may have changed. A draft that cannot be sent would stay.
  await closedIfRefused(async () => fitSettings(form.settings, await fittingFor(tx, org, form.template_id)));
}

/**
 * The visitor can do nothing about a template that was archived or whose fields have changed so that it cannot be sent. The form is not
 * open, and the log has the reason.
 */
export async function closedIfRefused<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { kind } = problems[error.code];
    const isTheirs = error.code === "envelope_wrong_status" || error.code === "envelope_changed";
    if (!isTheirs && (kind === "invalid" || kind === "conflict")) throw notOpen(`cannot be sent: ${error.code}`, error);
    throw error;
  }
}
