import { Problem } from "../shared/problems.ts";

/** Why a person whom the provider vouches for does not get in. Admins find the reason in the audit trail. */
export const refusals = {
  no_email: "the identity provider sent no e-mail address. An admin must add the scope email to the connection",
  email_not_verified: "the identity provider says that it did not verify your e-mail address",
  other_domain: "your e-mail address is not in a domain that the organization has verified",
  no_role: "the identity provider sent no role that the connection knows",
  groups_left_out: "Send app roles instead of groups",
  too_weak: "log in to the identity provider with the method that the organization demands",
  no_second_factor:
    "the organization requires a second factor, and the connection does not ask the provider for one (required_acr or required_amr)",
  not_invited: "ask an admin for an invitation",
  removed: "you are no longer a member of the organization. Ask an admin for an invitation",
  other_subject: "another account of the identity provider already uses this address. An admin must remove the member first",
  other_person: "you logged in to the identity provider as someone else",
  old_log_in: "the identity provider did not ask you to log in again",
} as const;

export type Refusal = keyof typeof refusals;

export function notProvisioned(refusal: Refusal): Problem {
  const detail = { location: "request", field: null, code: "not_provisioned", message: refusals[refusal] } as const;
  return new Problem("not_provisioned", refusal, { details: [detail] });
}
