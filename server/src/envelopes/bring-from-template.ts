import { findCustomer } from "../customers/store.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { Template } from "../templates/template.ts";
import { changeDraft } from "./change-envelope.ts";
import { reminderColumns } from "./choices.ts";
import { peopleOf } from "./create-envelope.ts";
import type { Envelope } from "./envelope.ts";
import { planRecipients, withoutGaps } from "./plan-recipients.ts";
import { keptRecipients, type RecipientInput } from "./recipient-input.ts";
import type { EnvelopeColumns } from "./store.ts";

// Of a draft whose sender chose nothing.
const STANDARD_DAYS = 30;

/**
 * What a template brings to a draft besides its documents and fields: its people, if the draft has none, and the choices that the draft
 * leaves open. Identity questions and the vault are for the whole envelope, so one template that requires them is enough.
 */
export async function bringFromTemplate(
  tx: Tx,
  caller: Caller,
  draft: Envelope,
  template: Template,
  roles: readonly string[],
): Promise<void> {
  const { defaults, maker_roles } = template;
  const { message, mail_subject, expires_in_days, reminders } = defaults;
  const people = draft.signers.length > 0 ? [] : await peopleFor(tx, caller, draft, template, roles);
  const order = draft.signing_order === "sequential" ? (defaults.signing_order ?? "sequential") : draft.signing_order;
  const makers = maker_roles.filter((role) => roles.includes(role) && !draft.maker_roles.includes(role));
  const columns: EnvelopeColumns = {
    ...(draft.message === null && message !== undefined && { message }),
    ...(draft.mail_subject === null && mail_subject !== undefined && { mail_subject }),
    ...(draft.expires_in_days === STANDARD_DAYS && expires_in_days !== undefined && { expires_in_days }),
    ...(draft.remind_every_days === null && reminders !== undefined && reminderColumns(reminders)),
    ...(defaults.kba_required === true && !draft.kba_required && { kba_required: true }),
    ...(defaults.auto_vault_enabled === true && !draft.auto_vault_enabled && { auto_vault_enabled: true }),
    ...(draft.record_type === "transferable_record" && makers.length > 0 && { maker_roles: [...draft.maker_roles, ...makers] }),
    ...(people.length > 0 && {
      signers: JSON.stringify(keptRecipients(withoutGaps(people))),
      signing_order: planRecipients(people, order).signing_order,
    }),
  };
  if (Object.keys(columns).length > 0) await changeDraft(tx, caller, draft, {}, undefined, columns);
}

/** The customer takes the place of the only open signer, as in an envelope that is made from the template. */
async function peopleFor(
  tx: Tx,
  { org }: Caller,
  { customer_id }: Envelope,
  template: Template,
  roles: readonly string[],
): Promise<RecipientInput[]> {
  const customer = customer_id === null ? null : await findCustomer(tx, org, customer_id);
  const given = { customer_email: customer?.email ?? "", customer_name: customer?.name ?? "" };
  // A customer without an address or a name cannot be written to.
  return peopleOf(template, roles, given).filter(({ email, name }) => email !== "" && name !== "");
}
