import type { OrgId } from "../shared/ids.ts";
import type { Field } from "./field.ts";

/**
 * What a provider made of a call. rejected: it heard us and said no, so the same call will fail again. unreachable: nobody knows
 * whether it heard us. `reason` is for our log.
 */
export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "not_configured" };

export interface NewCounterpart {
  readonly name: string;
  readonly external_id: string | null;
  /** the cleaned PDF */
  readonly document: Uint8Array;
  readonly fields: readonly Field[];
}

/** Called outside any transaction. Never throws for what the provider does. */
export interface SigningProvider {
  readonly name: string;
  createTemplate(org: OrgId, template: NewCounterpart): Promise<Outcome<{ readonly provider_template_id: number }>>;
  /** add: besides those it has. replace: instead of them. */
  placeFields(org: OrgId, provider_template_id: number, fields: readonly Field[], how: "add" | "replace"): Promise<Outcome<null>>;
  /** A counterpart that is gone already is `done`. */
  removeTemplate(org: OrgId, provider_template_id: number): Promise<Outcome<null>>;
}
