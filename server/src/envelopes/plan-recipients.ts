import { invalidField } from "../shared/problems.ts";
import { type Delivery, isActing, type RecipientKind, type SigningOrder } from "../signing/submission.ts";
import type { Envelope } from "./envelope.ts";
import type { DraftRecipient, RecipientInput } from "./recipient-input.ts";

/** A person with everything that the request left out. */
export interface PlannedRecipient {
  readonly kind: RecipientKind;
  readonly email: string;
  readonly name: string;
  readonly role: string | null;
  readonly step: number | null;
  readonly locale: RecipientInput["locale"];
  readonly message: string | null;
  readonly delivery: Delivery;
}

export interface Plan {
  /** in the order of the request */
  readonly recipients: readonly PlannedRecipient[];
  readonly signing_order: SigningOrder;
}

/**
 * Gives everyone a step and closes gaps between steps. Without steps in the request, the signing order decides. `steps`: some people act
 * at the same time and others after them; where all steps are equal or all differ, the order has its usual name.
 */
export function planRecipients(people: readonly RecipientInput[], order: SigningOrder): Plan {
  const acting = people.filter(isActing);
  const isStepped = acting.some(({ step }) => typeof step === "number");
  if (order === "steps" && !isStepped) throw invalidField("signing_order", "step_missing", "steps needs recipients with a step");
  let turn = 0;
  const wanted = people.map((person): number | null => {
    if (!isActing(person) || isStepped) return person.step ?? null;
    turn++;
    return order === "sequential" ? turn : 1;
  });
  const known = [...new Set(wanted.filter((step) => step !== null))].sort((a, b) => a - b);
  const recipients = people.map(({ kind, email, name, role, locale, message, delivery }, index): PlannedRecipient => {
    const step = wanted[index] ?? null;
    return {
      kind,
      email,
      name,
      role: role ?? null,
      step: step === null ? null : known.indexOf(step) + 1,
      locale: locale ?? null,
      message: message == null || message === "" ? null : message,
      delivery: delivery ?? "email",
    };
  });
  return { recipients, signing_order: isStepped ? orderOf(recipients.filter(isActing), order) : order };
}

/** As it is now: people of a sent envelope may have been added, moved or removed. */
export function orderNow({ recipients, signing_order }: Pick<Envelope, "recipients" | "signing_order">): SigningOrder {
  const acting = recipients.filter(isActing);
  return acting.length === 0 ? signing_order : orderOf(acting, signing_order);
}

function orderOf(acting: readonly Pick<PlannedRecipient, "step">[], order: SigningOrder): SigningOrder {
  const steps = new Set(acting.map(({ step }) => step));
  // One person acts alone, in whatever order.
  if (acting.length === 1) return order === "steps" ? "sequential" : order;
  if (steps.size === 1) return "parallel";
  return steps.size === acting.length ? "sequential" : "steps";
}

/** As a draft keeps them: gaps between steps are closed if the request has steps for those who act. */
export function withoutGaps(people: readonly DraftRecipient[]): DraftRecipient[] {
  if (!people.some((person) => isActing(person) && typeof person.step === "number")) return [...people];
  const { recipients } = planRecipients(people, "sequential");
  return people.map((person, index) => ({ ...person, step: recipients[index]?.step ?? null }));
}

/** In the order in which they act; within a step as the request has them. Those who only get the result come last. */
export function inSteps<T extends { readonly step: number | null }>(recipients: readonly T[]): T[] {
  return [...recipients].sort((a, b) => (a.step ?? Infinity) - (b.step ?? Infinity));
}
