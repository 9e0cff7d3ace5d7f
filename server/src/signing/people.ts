import { sharedFonts, undrawableIn } from "@countersign/pdf/fit";
import type { Detail } from "../shared/problems.ts";
import { isActing, type RecipientKind } from "./submission.ts";

/** A person of an envelope, or a place for one in a template, where name and address may still be open. */
export interface Person {
  readonly kind: RecipientKind;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: string | null;
  readonly step: number | null;
}

/** A mistake about one person. */
export interface Misfit {
  readonly index: number;
  readonly part: keyof Person;
  readonly code: Detail["code"];
  readonly message: string;
}

const UNIQUE = "must be unique (upper and lower case count as equal)";

/**
 * What does not fit: two people with the same address or role, roles that the kind has or lacks, steps that only some have, and names that
 * cannot be written under a signature. All mistakes at once.
 */
export function misfitsOf(people: readonly Person[]): Misfit[] {
  const isStepped = people.some((one) => isActing(one) && one.step !== null);
  return [
    ...people.flatMap(({ name }, index): Misfit[] => {
      const message = name === null ? null : undrawableIn(name, sharedFonts());
      return message === null ? [] : [{ index, part: "name", code: "invalid_value", message }];
    }),
    ...repeated(people, "email"),
    ...repeated(people, "role"),
    ...people.flatMap(({ kind, role }, index): Misfit[] => {
      if (kind === "signer" && role === null) return [{ index, part: "role", code: "required", message: "is required for a signer" }];
      if ((kind !== "viewer" && kind !== "cc") || role === null) return [];
      return [{ index, part: "role", code: "conflict", message: `a ${kind} has no fields and no role` }];
    }),
    ...people.flatMap((one, index): Misfit[] => {
      if (!isStepped || !isActing(one) || one.step !== null) return [];
      return [{ index, part: "step", code: "step_missing", message: "is required, because others have a step" }];
    }),
  ];
}

function repeated(people: readonly Person[], part: "email" | "role"): Misfit[] {
  const seen = new Set<string>();
  return people.flatMap((person, index): Misfit[] => {
    const key = person[part]?.trim().toLowerCase();
    if (key === undefined) return [];
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen ? [{ index, part, code: "duplicate", message: UNIQUE }] : [];
  });
}
