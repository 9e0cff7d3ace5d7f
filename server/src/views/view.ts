import type { Db } from "../db/connect.ts";
import type { Caller } from "../shared/caller.ts";
import type { UserId, ViewId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { hasPermission } from "../shared/scopes.ts";

export interface ViewDeps {
  readonly db: Db;
  /** the parameters of the list of envelopes */
  readonly parameters: readonly string[];
}

/** A saved list of envelopes. */
export interface View {
  readonly view_id: ViewId;
  /** null: shared with every member */
  readonly user_id: UserId | null;
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly position: number;
}

export interface ViewChange {
  readonly name?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly shared?: boolean;
  readonly position?: number;
}

/** Of a person, and again of those that are shared. */
export const MAX_VIEWS = 100;
const MAX_PARAMETERS = 20;
const MAX_VALUE = 200;

/** The person whose views these are. Endpoints of views admit no one else. */
export function personOf({ session }: Caller): UserId {
  if (session === null) throw new Problem("session_required");
  return session.user_id;
}

/** Throws 403 for a member who can only look. */
export function refuseSharing({ session }: Caller): void {
  if (session === null || !hasPermission(session.role, "envelopes:write")) throw new Problem("role_too_low");
}

/** Texts by the names of parameters, as an address has them. Views that were saved earlier keep what they have. */
export function queryOf(parameters: readonly string[], given: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(given);
  if (entries.length > MAX_PARAMETERS) throw invalidField("query", "too_long", `must have at most ${MAX_PARAMETERS} parameters`);
  for (const [name, value] of entries) {
    if (typeof value !== "string") throw invalidField(`query.${name}`, "invalid_type", "must be a text");
    if (name.length > MAX_VALUE || value.length > MAX_VALUE) {
      throw invalidField(`query.${name}`, "too_long", `must have at most ${MAX_VALUE} characters`);
    }
  }
  const unknown = entries.map(([name]) => name).filter((name) => !parameters.includes(name));
  if (unknown.length > 0) {
    const message = `is not a parameter of the list of envelopes; these are: ${parameters.join(", ")}`;
    const details = unknown.map((name) => ({ location: "body", field: `query.${name}`, code: "unknown_field", message }) as const);
    throw new Problem("invalid_request", "unknown parameters of a view", { details });
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
