import type { AccountDeps } from "../accounts/account.ts";
import type { FencedFetch } from "../outbound/make-fenced-fetch.ts";
import type { ConnectionId, OrgId, UserId } from "../shared/ids.ts";
import type { Role } from "../shared/scopes.ts";

export interface SsoDeps extends AccountDeps {
  /** in local mode, providers can be reached without TLS */
  readonly localMode: boolean;
  readonly fetch: FencedFetch;
}

export interface RoleRule {
  /** of the claim */
  readonly value: string;
  readonly role: Role;
}

export interface ConnectionSettings {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  /** null: roles are given by hand after the first log-in */
  readonly role_claim: string | null;
  readonly role_map: readonly RoleRule[];
  readonly default_role: Role | null;
  readonly trust_email: boolean;
  readonly required_acr: string | null;
  readonly required_amr: readonly string[] | null;
  readonly max_hours: number;
  readonly provision: "off" | "create";
}

export const connectionStates = ["draft", "active", "disabled"] as const;

export interface Connection extends ConnectionSettings {
  readonly connection_id: ConnectionId;
  readonly client_secret_enc: Buffer;
  readonly state: (typeof connectionStates)[number];
  readonly tested_at: Date | null;
  readonly tested_by: UserId | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const CONNECTIONS_PER_ORG = 3;

export const secretContext = (org: OrgId, connection_id: ConnectionId): string => `sso secret ${org} ${connection_id}`;

/** Whether the provider must say how the person proved who they are. Then its word counts as a second factor. */
export const demandsStrength = ({ required_acr, required_amr }: ConnectionSettings): boolean =>
  required_acr !== null || (required_amr !== null && required_amr.length > 0);
