import type { EnvelopeId, KeyId, MessageId, OrgId, SessionId, UserId } from "./ids.ts";
import type { Role, Scope } from "./scopes.ts";
import type { Slug } from "./slugs.ts";

/** Who acts. Ids only: names and addresses belong into the data of an audit entry, where they can be erased. */
export type Actor =
  | { readonly kind: "key"; readonly id: KeyId }
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "system"; readonly id: "system" }
  | { readonly kind: "signer"; readonly id: Slug }
  // Has no id that could be kept for ever: the e-mail address is in the data of the entry.
  | { readonly kind: "viewer"; readonly id: "viewer" };

/** Where a request came from. IP address and user agent are evidence. */
export interface Origin {
  readonly ip: string;
  readonly user_agent: string;
  readonly request_id: string;
  /** of the command line alone: the login name of the person at it */
  readonly operator?: string;
}

/** An authenticated request, as operations see it: there is no request object below the edge. */
export interface Caller extends Origin {
  readonly org: OrgId;
  readonly actor: Actor;
  readonly scopes: readonly Scope[];
  /** null for a key and for a widget's token */
  readonly session: { readonly session_id: SessionId; readonly user_id: UserId; readonly role: Role } | null;
}

/** A caller with a console session: key management and org administration. */
export type Member = Caller & { readonly session: NonNullable<Caller["session"]> };

export const widgets = ["sign", "vault"] as const;
export type Widget = (typeof widgets)[number];

/** How a signing link reached whoever uses it. `shared`: sent before links had a secret of their own, so API keys could read it too. */
export interface LinkUse {
  readonly kind: "mailed" | "handed_over" | "shared";
  /** of the mail that carried it */
  readonly message_id: MessageId | null;
  /** when a mail server accepted that mail; null while that is not recorded */
  readonly mail_sent_at: Date | null;
  /** the key or person that it was shown to */
  readonly issued_by: string | null;
}

/** What a widget's token says of its holder. */
export interface TokenHolder {
  readonly envelope_id: EnvelopeId;
  readonly user_email: string;
  /** null: the address is no signer's, so its owner may look and do nothing */
  readonly slug: Slug | null;
  readonly credential: "embed_token" | "email_link";
  /** the link that the token was made for; null for an embed token */
  readonly link: LinkUse | null;
  readonly token_expires_at: Date;
  /** of the part that is signed: which token it is, for what is counted or kept by it. It opens nothing */
  readonly token_sha256: string;
}

/** A caller with the token of a widget: it speaks for one address and one envelope. */
export type WidgetCaller = Caller & {
  readonly holder: TokenHolder & {
    /** what the page called this sitting; it opens nothing, and ties together what was done in it */
    readonly signing_session: string;
  };
};

/**
 * Where an act of the service itself comes from. `program` is what audit entries show as user agent, `task` as request id. The command
 * line adds its operator.
 */
export const systemOrigin = (program: string, task: string): Origin => ({ ip: "127.0.0.1", user_agent: program, request_id: task });

/** The service itself as the author of audit entries. The only place where an actor of this kind is made. */
export const asSystem = <O extends Origin>(from: O): O & { readonly actor: Actor } => ({
  ...from,
  actor: { kind: "system", id: "system" },
});

/** The service itself as the caller of an operation. */
export const systemCaller = (org: OrgId, program = "countersign cli", task = "cli"): Caller => ({
  org,
  scopes: [],
  session: null,
  ...asSystem(systemOrigin(program, task)),
});
