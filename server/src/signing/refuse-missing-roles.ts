import { type Detail, Problem } from "../shared/problems.ts";

/** 422 for each name that is not one of the roles, at its place in the list that the request gave. */
export function refuseMissingRoles(names: readonly string[], roles: readonly string[], at: Pick<Detail, "location" | "field">): void {
  const message = roles.length === 0 ? "is no role: the document has none" : `is no role here; the roles are: ${roles.join(", ")}`;
  const details = names.flatMap((role, index): Detail[] =>
    roles.includes(role) ? [] : [{ ...at, field: `${at.field}[${index}]`, code: "unknown_role", message }],
  );
  if (details.length > 0) throw new Problem("unknown_roles", `${details.length} roles`, { details });
}
