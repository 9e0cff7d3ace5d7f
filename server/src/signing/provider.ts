import type { EnvelopeId, OrgId, SubmissionId } from "../shared/ids.ts";
import type { Slug } from "../shared/slugs.ts";
import type { Field } from "./field.ts";
import type { RecipientKind, SigningOrder } from "./submission.ts";

/**
 * The result of a call to a provider. rejected: the provider refused, so the same call will fail again. unreachable: it is unknown
 * whether the provider received the call. `reason` is for our log.
 */
export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "not_configured" };

export interface NewCounterpart {
  readonly name: string;
  readonly external_id: string | null;
  /** the cleaned PDF, in the blob store */
  readonly document: { readonly sha256: string };
  readonly fields: readonly Field[];
}

export interface NewSubmission {
  readonly envelope_id: EnvelopeId;
  readonly name: string;
  readonly document: { readonly sha256: string };
  readonly fields: readonly Field[];
  /** in signing order */
  readonly signers: readonly { readonly email: string; readonly name: string; readonly role: string }[];
  readonly signing_order: SigningOrder;
  readonly expires_in_days: number;
}

/** Called outside any transaction. Never throws for errors of the provider. */
export interface SigningProvider {
  readonly name: string;
  /** what it cannot do is refused when an envelope is sent */
  readonly capabilities: { readonly kinds: readonly RecipientKind[]; readonly steps: boolean; readonly documents: boolean };
  createTemplate(org: OrgId, template: NewCounterpart): Promise<Outcome<{ readonly provider_template_id: number }>>;
  /** add: keeps the existing fields. replace: removes them. */
  placeFields(org: OrgId, provider_template_id: number, fields: readonly Field[], how: "add" | "replace"): Promise<Outcome<null>>;
  /** A counterpart that no longer exists is `done`. */
  removeTemplate(org: OrgId, provider_template_id: number): Promise<Outcome<null>>;
  /** `slugs`: the id of each signer in links, in signing order. Nothing is sent to the signers; the service mails them itself. */
  createSubmission(
    org: OrgId,
    submission: NewSubmission,
  ): Promise<Outcome<{ readonly submission_id: SubmissionId; readonly slugs: readonly Slug[] }>>;
  /** A submission that has already ended is `done`. */
  cancel(org: OrgId, submission_id: SubmissionId): Promise<Outcome<null>>;
}
