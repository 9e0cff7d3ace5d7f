import type { ConnectionId, EnvelopeId, KeyId, MessageId, OrgId, PersonId, SessionId, UserId } from "./ids.ts";
import { hasPermission, type Role, type Scope } from "./scopes.ts";
import type { Slug } from "./slugs.ts";

/** Who performs an action. Only ids: names and addresses belong in the data of an audit entry, where they can be erased. */
export type Actor =
  | { readonly kind: "key"; readonly id: KeyId }
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "system"; readonly id: "system" }
  | { readonly kind: "signer"; readonly id: Slug }
  // An approver, a viewer or a person who gets a copy.
  | { readonly kind: "recipient"; readonly id: Slug }
  // A viewer has no permanent id. The e-mail address is in the data of the entry.
  | { readonly kind: "viewer"; readonly id: "viewer" }
  // A person who acts for a party. The party is in the data of the entry.
  | { readonly kind: "person"; readonly id: PersonId }
  // Another installation, by its id among the remote vaults of the organization.
  | { readonly kind: "vault"; readonly id: string };

/** Where a request came from. IP address and user agent are evidence. */
export interface Origin {
  readonly ip: string;
  readonly user_agent: string;
  readonly request_id: string;
  /** only for the command line: the login name of its user */
  readonly operator?: string;
  /** only in a sandbox: a program acts with an operation for tests. Entries say so */
  readonly by_test?: true;
}

/** An authenticated caller, as operations see it. Operations never see the HTTP request. */
export interface Caller extends Origin {
  readonly org: OrgId;
  readonly actor: Actor;
  readonly scopes: readonly Scope[];
  /** null for a key and for a widget token */
  readonly session: {
    readonly session_id: SessionId;
    readonly user_id: UserId;
    readonly role: Role;
    /** its user must set up a second factor before anything else */
    readonly limited?: "enroll";
    /** the connection of single sign-on that it began with. It is confined to its organization and cannot change the account */
    readonly sso?: ConnectionId;
  } | null;
}

/** The member whose records alone the caller may see; null: every record of the organization. */
export const keeperOf = ({ session }: Pick<Caller, "session">): UserId | null => (session?.role === "custodian" ? session.user_id : null);

/** A key that prepares drafts for people to send, and does nothing else with envelopes. */
export const isDrafter = ({ scopes }: Pick<Caller, "scopes">): boolean =>
  scopes.includes("drafts:write") && !scopes.includes("envelopes:write");

/** A slug identifies a signer in links, so members who cannot send do not see it, and neither do keys that only draft. */
export const maySeeSlugs = ({ session, scopes }: Pick<Caller, "session" | "scopes">): boolean =>
  session === null
    ? !isDrafter({ scopes }) || scopes.includes("envelopes:read") || scopes.includes("esign:write")
    : hasPermission(session.role, "envelopes:write");

/** A caller with a console session, for key management and administration. */
export type Member = Caller & { readonly session: NonNullable<Caller["session"]> };

export const widgets = ["sign", "vault"] as const;
export type Widget = (typeof widgets)[number];

/** How a signing link reached its user. `shared`: sent before links had secrets, so API keys could read it too. */
export interface LinkUse {
  readonly kind: "mailed" | "handed_over" | "shared";
  /** the e-mail that contained it */
  readonly message_id: MessageId | null;
  /** when a mail server accepted that e-mail; null if that is not recorded */
  readonly mail_sent_at: Date | null;
  /** the key or user that it was shown to */
  readonly issued_by: string | null;
}

/** The claims of a widget token. */
export interface TokenHolder {
  readonly envelope_id: EnvelopeId;
  readonly user_email: string;
  /** null: the address is not a recipient's, so access is read-only */
  readonly slug: Slug | null;
  readonly credential: "embed_token" | "email_link";
  /** the link that the token was created for; null for an embed token */
  readonly link: LinkUse | null;
  readonly token_expires_at: Date;
  /** hash of the token's signed part, to identify the token in counters and caches. It gives no access */
  readonly token_sha256: string;
}

/** A caller with a widget token, which is valid for one address and one envelope. */
export type WidgetCaller = Caller & {
  readonly holder: TokenHolder & {
    /** the page's id for this visit. It gives no access and groups what was done in the visit */
    readonly signing_session: string;
  };
};

/** A person who acts for parties, with a session of theirs. A person has no organization, because parties of several can name the same person. */
export interface PersonCaller extends Origin {
  readonly actor: Extract<Actor, { kind: "person" }>;
  readonly person: {
    readonly person_id: PersonId;
    readonly email: string;
    /** what the session began with */
    readonly began_with: "code" | "passkey";
    readonly expires_at: Date;
    /** identifies the session. It gives no access */
    readonly token_hash: Uint8Array;
  };
}

/**
 * Where an act of the service itself comes from. `program` is what audit entries show as user agent, `task` as request id. The command
 * line adds its `operator`.
 */
export const systemOrigin = (program: string, task: string): Origin => ({ ip: "127.0.0.1", user_agent: program, request_id: task });

/** The service itself, as an actor. */
export const SYSTEM_ID = "system";

/** The service itself as the author of audit entries. The only place where an actor of this kind is made. */
export const asSystem = <O extends Origin>(from: O): O & { readonly actor: Actor } => ({
  ...from,
  actor: { kind: "system", id: SYSTEM_ID },
});

/** The service itself as the caller of an operation. */
export const systemCaller = (org: OrgId, program = "countersign cli", task = "cli"): Caller => ({
  org,
  scopes: [],
  session: null,
  ...asSystem(systemOrigin(program, task)),
});

/** The same person as the actor in one organization. They have none of its scopes: what they may do, the operation checks. */
export const callerIn = (org: OrgId, { actor, ip, user_agent, request_id }: PersonCaller): Caller => ({
  org,
  actor,
  ip,
  user_agent,
  request_id,
  scopes: [],
  session: null,
});
