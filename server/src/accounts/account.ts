import type { Db } from "../db/connect.ts";
import type { MailDeps } from "../mail/message.ts";
import type { ProofPool } from "../proofs/pool.ts";
import type { PasskeySite } from "../proofs/protocol.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../shared/durations.ts";
import type { ConnectionId, OrgId, SessionId, UserId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Role } from "../shared/scopes.ts";
import type { DerivedKeys } from "../shared/secrets.ts";
import type { LogInLane } from "./log-in-lane.ts";
import type { VisitorQueue } from "./visitor-queue.ts";

export interface AccountDeps {
  readonly db: Db;
  readonly keys: DerivedKeys;
  readonly mail: MailDeps;
  readonly proofs: ProofPool;
  readonly logInLane: LogInLane;
  readonly visitorQueue: VisitorQueue;
  readonly publicUrl: string;
  /** what passkeys belong to */
  readonly site: PasskeySite;
}

export interface Org {
  readonly org_id: OrgId;
  readonly name: string;
}

export interface User {
  readonly user_id: UserId;
  readonly email: string;
  readonly name: string;
}

/** What only the person sees of their account. */
export interface OwnDetails extends User {
  readonly email_verified: boolean;
  /** null: the person chose none */
  readonly locale: Locale | null;
  /** false: passkeys alone log in */
  readonly has_password: boolean;
}

/** What confirms the owner of an address: a link or code that was only mailed to it, the operator, or an identity provider. */
export type Proof = "mail" | "operator" | "sso";

export interface Membership extends Org {
  readonly role: Role;
  /** the organization that it is a sandbox of; absent or null for every other one */
  readonly sandbox_of?: OrgId | null;
}

/** How a session began. `sso:` and a connection: an identity provider vouched for the person, and only in the session's organization. */
export type Via = "password" | "passkey" | `sso:${ConnectionId}`;

export interface Session {
  readonly session_id: SessionId;
  readonly user_id: UserId;
  readonly ip: string;
  readonly user_agent: string;
  readonly created_at: Date;
  readonly last_used_at: Date;
  readonly expires_at: Date;
}

export const TOKEN_SECONDS = 15 * MINUTE_SECONDS;
export const REFRESH_IDLE_SECONDS = DAY_SECONDS;
export const SESSION_SECONDS = 7 * DAY_SECONDS;
export const EMAIL_CODE_SECONDS = 10 * MINUTE_SECONDS;
export const RESET_SECONDS = HOUR_SECONDS;
export const SESSION_CALLS_PER_MINUTE = 300;

export function after(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
