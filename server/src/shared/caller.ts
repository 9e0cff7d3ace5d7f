import type { KeyId, OrgId, SessionId, UserId } from "./ids.ts";
import type { Role, Scope } from "./scopes.ts";

/** Who acts. Ids only: names and addresses belong into the data of an audit entry, where they can be erased. */
export type Actor =
  | { readonly kind: "key"; readonly id: KeyId }
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "system"; readonly id: "system" };

export const SYSTEM: Actor = { kind: "system", id: "system" };

/** Where a request came from. IP address and user agent are evidence. */
export interface Origin {
  readonly ip: string;
  readonly user_agent: string;
  readonly request_id: string;
}

/** An authenticated request, as operations see it: there is no request object below the edge. */
export interface Caller extends Origin {
  readonly org: OrgId;
  readonly actor: Actor;
  readonly scopes: readonly Scope[];
  /** null for a key */
  readonly session: { readonly session_id: SessionId; readonly user_id: UserId; readonly role: Role } | null;
}

/** A caller with a console session: key management and org administration. */
export type Member = Caller & { readonly session: NonNullable<Caller["session"]> };

/** The command line acts as the system, from this machine. */
export function systemCaller(org: OrgId): Caller {
  return { org, actor: SYSTEM, scopes: [], session: null, ip: "127.0.0.1", user_agent: "countersign cli", request_id: "cli" };
}
