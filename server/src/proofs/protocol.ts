/** The site that passkeys belong to. */
export interface PasskeySite {
  /** the host name that browsers bind a passkey to */
  readonly rp_id: string;
  /** the origin of the pages that use it */
  readonly origin: string;
}

/** What `navigator.credentials.create` returned, by `PublicKeyCredential.toJSON`. Bytes are base64url. */
export interface RegistrationResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string; readonly transports?: readonly string[] };
}

/** What `navigator.credentials.get` returned, in the same form. */
export interface AssertionResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null;
  };
}

export type PasskeyAlgorithm = "ES256" | "EdDSA" | "RS256";

export interface PasskeyKey {
  /** DER-encoded */
  readonly spki: Uint8Array;
  readonly algorithm: PasskeyAlgorithm;
  /** how often the authenticator said that it has signed; 0 if it does not count */
  readonly sign_count: number;
}

export interface RegisteredPasskey extends PasskeyKey {
  readonly credential_id: string;
  readonly backed_up: boolean;
}

/** `why` is for the log. It may contain what the caller sent. */
export type Checked<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly why: string };

/** What a password is made of; `own`: words that belong to the person or their organizations. */
export type PasswordPart = "own" | "word" | "year" | "repeat" | "sequence" | "character";

/** Whether an attacker would guess the password soon, and why. */
export type Judgement =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: "breached" }
  | { readonly ok: false; readonly why: "guessable"; readonly parts: readonly PasswordPart[] };

/** A job for a thread. */
export type Task =
  | { readonly kind: "judge"; readonly text: string; readonly own: readonly string[]; readonly breached_file: string | null }
  | { readonly kind: "hash"; readonly text: string }
  | { readonly kind: "verify"; readonly stored: string; readonly text: string }
  | { readonly kind: "register"; readonly site: PasskeySite; readonly challenge: string; readonly given: RegistrationResponse }
  | {
      readonly kind: "log_in";
      readonly site: PasskeySite;
      readonly challenge: string;
      readonly given: AssertionResponse;
      readonly passkey: PasskeyKey;
    };

/** What the thread returns for each kind of job. */
export interface Answers {
  readonly judge: Judgement;
  readonly hash: string;
  readonly verify: boolean;
  readonly register: Checked<RegisteredPasskey>;
  readonly log_in: Checked<{ readonly sign_count: number }>;
}

export type Answer = Answers[Task["kind"]];

/** The result of a thread, or why it failed. */
export type Report = { readonly answer: Answer } | { readonly failure: string };
