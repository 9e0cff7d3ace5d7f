import { Type } from "typebox";
import { type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { Assertion, AssertionOptionsView, Registration, RegistrationOptionsView } from "../http/passkey-shapes.ts";
import { about, idOf, iso, named, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import type { OrgId } from "../shared/ids.ts";
import type { AccountDeps } from "./account.ts";
import { answerSignedIn } from "./answer-signed-in.ts";
import { confirmIdentity } from "./confirm-identity.ts";
import * as examples from "./examples.ts";
import { useFactorReset } from "./factor-reset.ts";
import { countRecoveryCodes, listFactors } from "./factor-store.ts";
import { addTotp, confirmFactor, removeFactor, renameFactor, renewRecoveryCodes } from "./factors.ts";
import { finishLogIn } from "./finish-log-in.ts";
import { logInByPasskey } from "./log-in-by-passkey.ts";
import { addPasskey, offerPasskey, startPasskey } from "./passkeys.ts";
import { presentFactor } from "./present.ts";
import { DONE, Done, LinkToken, Mode, Password, SignedInView } from "./shapes.ts";

const FactorName = Type.String({ minLength: 1, maxLength: 60, pattern: "\\S", "x-message": "must not be blank" });
const Code = Type.String({ minLength: 6, maxLength: 6, pattern: "^[0-9]{6}$", "x-message": "must be 6 digits" });
const EmailCode = about(
  Code,
  "Required while an organization requires the user's first factor, as in a `limited` session: the code that was mailed when the factor was created, or printed by the operator",
);
const RecoveryCode = Type.String({ minLength: 1, maxLength: 60 });
const RecoveryCodes = Type.Array(Type.String(), { description: "Ten codes, each of which works once. They are shown only here" });
const proof = {
  code: Type.Optional(about(Code, "Of an authenticator app. Required if you have a second factor, unless `recovery_code` is given")),
  recovery_code: Type.Optional(about(RecoveryCode, "One of the recovery codes, instead of `code`")),
  passkey: Type.Optional(about(Assertion, "What a passkey signed, with the options of POST /auth/passkey/start")),
};

const FactorView = named(
  "Factor",
  Type.Object({
    factor_id: idOf("factor"),
    kind: about(named("FactorKind", Type.Enum(["totp", "passkey"])), "`totp`: an authenticator app"),
    name: Type.String(),
    created_at: Timestamp,
    last_used_at: OptionalTimestamp,
  }),
);
const FactorsView = named(
  "Factors",
  Type.Object({
    factors: Type.Array(FactorView),
    recovery_codes_left: Type.Integer({ description: "How many recovery codes are unused" }),
  }),
);
const NewTotpView = named(
  "NewTotp",
  Type.Object({
    factor_id: idOf("factor"),
    secret: Type.String({ description: "In base32, for an app that cannot scan" }),
    otpauth_url: Type.String({ description: "For a QR code that the app scans" }),
  }),
);
const ConfirmedFactorView = named(
  "ConfirmedFactor",
  Type.Object({ factor_id: idOf("factor"), recovery_codes: Type.Optional(about(RecoveryCodes, "Only for the first factor")) }),
);
const RecoveryCodesView = named("RecoveryCodes", Type.Object({ recovery_codes: RecoveryCodes }));
const ConfirmedView = named(
  "ConfirmedIdentity",
  Type.Object({ confirmed_until: about(Timestamp, "Until then this session can call operations that need a recent confirmation") }),
);

/** Second factors: a person's own, and the second step of a log-in. */
export function factorEndpoints(deps: AccountDeps): Endpoint[] {
  return [
    endpoint({
      name: "finish_log_in",
      summary: "Complete a log-in with a second factor",
      description:
        "Completes a log-in that `POST /auth/login` answered with `second_factor_required`, with a code of an authenticator app, a recovery code or a passkey. Each code works once. A wrong code returns 401 `invalid_code`; the fifth, and a log-in older than 10 minutes, 401 `invalid_login_token`: log in again. After 20 wrong codes in an hour the account returns 429.",
      resource: "Sessions",
      sdk: "sessions.finishLogIn",
      method: "POST",
      path: "/auth/login/second-factor",
      access: "anyone",
      body: Type.Object({
        login_token: Type.String({ minLength: 1, maxLength: 200 }),
        ...proof,
        remember_device: Type.Optional(
          Type.Boolean({
            description:
              "Do not ask for a second factor in this browser again, for as long as the organization allows. Only for browsers, not for `mode: token`",
          }),
        ),
        mode: Mode,
      }),
      answer: [200, SignedInView],
      problems: ["invalid_code", "invalid_login_token", "sso_required", "address_not_allowed", "rate_limited", "passwords_busy"],
      secret: true,
      examples: { request: examples.secondFactor, answer: examples.signedIn },
      run: async (visitor, { body }) => answerSignedIn(deps, await finishLogIn(deps, visitor, body), body.mode),
    }),
    endpoint({
      name: "confirm_identity",
      summary: "Confirm your identity",
      description:
        "Confirms with the password, and with a second factor if you have one, or with a passkey alone, that the caller is still the person who logged in. Operations that need it answer 403 `reauthentication_required` when log-in and the last confirmation were more than 10 minutes ago. The tokens of the session stay the same. A wrong password or code returns 422, and too many attempts return 429.",
      resource: "Sessions",
      sdk: "sessions.confirm",
      method: "POST",
      path: "/auth/confirm",
      access: { session: "any" },
      ownAccount: true,
      // Hashes, and uses several transactions.
      idempotent: false,
      body: Type.Object({ password: Type.Optional(Password), ...proof }),
      answer: [200, ConfirmedView],
      problems: ["passwords_busy"],
      examples: { request: examples.confirmation, answer: examples.confirmed },
      run: async (member, { body }) => ({ confirmed_until: iso(await confirmIdentity(deps, member, body)) }),
    }),
    reading({
      name: "get_factors",
      summary: "Get your second factors",
      description:
        "Returns the caller's second factors and how many recovery codes are unused. Without a factor, the password alone logs in.",
      resource: "Sessions",
      sdk: "me.factors.get",
      path: "/auth/factors",
      access: { session: "any" },
      answer: [200, FactorsView],
      examples: { answer: examples.factors },
      run: async ({ session: { user_id } }, _input, read) => ({
        factors: (await listFactors(read, user_id)).map(presentFactor),
        recovery_codes_left: await countRecoveryCodes(read, user_id),
      }),
    }),
    endpoint({
      name: "add_totp",
      summary: "Add an authenticator app",
      description:
        "Creates the secret of an authenticator app. Show `otpauth_url` as a QR code, then confirm the factor with a code of the app within 15 minutes; until then the factor has no effect. A second call replaces a factor that is not confirmed yet. A person has at most 2.",
      resource: "Sessions",
      sdk: "me.factors.addTotp",
      method: "POST",
      path: "/auth/factors/totp",
      access: { session: "any" },
      ownAccount: true,
      stepUp: true,
      idempotent: false,
      body: Type.Object({ name: Type.Optional(FactorName) }),
      answer: [201, NewTotpView],
      problems: ["too_many_factors"],
      secret: true,
      examples: { request: examples.newTotp, answer: examples.addedTotp },
      run: (member, { body }) => addTotp(deps, member, body.name ?? "Authenticator app"),
    }),
    endpoint({
      name: "start_passkey",
      summary: "Get options to use a passkey",
      description:
        "Returns what a browser needs to ask for a passkey: to log in (`POST /auth/passkey/finish`), for the second step of a log-in, or to confirm who you are. The response is the same for everyone, except for the challenge, which works once, for 5 minutes.",
      resource: "Sessions",
      sdk: "sessions.startPasskey",
      method: "POST",
      path: "/auth/passkey/start",
      access: "anyone",
      body: Type.Object({}),
      answer: [200, AssertionOptionsView],
      problems: ["rate_limited", "passwords_busy"],
      examples: { request: {}, answer: examples.passkeyOptions },
      run: (visitor) => startPasskey(deps, visitor),
    }),
    endpoint({
      name: "log_in_by_passkey",
      summary: "Log in with a passkey",
      description:
        "Starts a session in the organization `org_id`, or in the one that the user used last. A passkey needs neither password nor code. A passkey that is not accepted, and an organization that the user is not in, return the same 401.",
      resource: "Sessions",
      sdk: "sessions.logInByPasskey",
      method: "POST",
      path: "/auth/passkey/finish",
      access: "anyone",
      body: Type.Object({ passkey: Assertion, org_id: Type.Optional(idOf("org")), mode: Mode }),
      answer: [200, SignedInView],
      problems: ["invalid_passkey", "sso_required", "address_not_allowed", "passwords_busy"],
      secret: true,
      examples: { request: { passkey: examples.passkey, mode: "token" }, answer: examples.signedIn },
      run: async (visitor, { body }) => {
        const logged = await logInByPasskey(deps, visitor, { ...body, org_id: body.org_id as OrgId | undefined });
        return answerSignedIn(deps, logged, body.mode);
      },
    }),
    endpoint({
      name: "offer_account_passkey",
      summary: "Get options to make a passkey",
      description:
        "Returns what a browser needs to make a passkey for the caller. The options work once, for 5 minutes. While an organization requires the user's first factor, it also mails the code for `email_code`. A person has at most 10 passkeys.",
      resource: "Sessions",
      sdk: "me.factors.offerPasskey",
      method: "POST",
      path: "/auth/factors/passkeys/start",
      access: { session: "any" },
      ownAccount: true,
      stepUp: true,
      idempotent: false,
      answer: [200, RegistrationOptionsView],
      problems: ["too_many_passkeys"],
      examples: { answer: examples.newPasskeyOptions },
      run: (member) => offerPasskey(deps, member),
    }),
    endpoint({
      name: "add_account_passkey",
      summary: "Add a passkey",
      description:
        "Keeps the public key of a passkey that was made with these options. From then on the passkey logs in, and the password alone does not. The first factor returns ten recovery codes, which are shown only once. While an organization requires that factor of the user, it needs `email_code`, otherwise 403 `email_code_required`, and other sessions of the user there end.",
      resource: "Sessions",
      sdk: "me.factors.addPasskey",
      method: "POST",
      path: "/auth/factors/passkeys",
      access: { session: "any" },
      ownAccount: true,
      stepUp: true,
      idempotent: false,
      body: Type.Object({ credential: Registration, name: Type.Optional(FactorName), email_code: Type.Optional(EmailCode) }),
      answer: [201, ConfirmedFactorView],
      problems: ["too_many_passkeys", "passkey_known", "email_code_required", "passwords_busy"],
      secret: true,
      examples: { request: { credential: examples.newPasskey, name: "Laptop" }, answer: examples.confirmedFactor },
      run: async (member, { body }) => {
        const { factor_id, recovery_codes } = await addPasskey(deps, member, { ...body, name: body.name ?? "Passkey" });
        return { factor_id, ...(recovery_codes !== null && { recovery_codes: [...recovery_codes] }) };
      },
    }),
    endpoint({
      name: "confirm_factor",
      summary: "Confirm a second factor with its first code",
      description:
        "Turns the factor on. From then on, logging in needs a code of one of the caller's factors. The first factor returns ten recovery codes, which are shown only once. A wrong code returns 422. While an organization requires the user's first factor, it needs `email_code`, otherwise 403 `email_code_required`, and other sessions of the user there end.",
      resource: "Sessions",
      sdk: "me.factors.confirm",
      method: "POST",
      path: "/auth/factors/:factor_id/confirm",
      access: { session: "any" },
      ownAccount: true,
      stepUp: true,
      // Counts in a separate transaction. A repeated request fails anyway, because the factor is confirmed.
      idempotent: false,
      params: { factor_id: "factor" },
      missing: "factor_not_found",
      body: Type.Object({ code: Code, email_code: Type.Optional(EmailCode) }),
      answer: [200, ConfirmedFactorView],
      problems: ["email_code_required"],
      secret: true,
      examples: { request: { code: "493027" }, answer: examples.confirmedFactor },
      run: async (member, { params, body }) => {
        const recovery_codes = await confirmFactor(deps, member, params.factor_id, body);
        return { factor_id: params.factor_id, ...(recovery_codes !== null && { recovery_codes: [...recovery_codes] }) };
      },
    }),
    endpoint({
      name: "use_factor_reset",
      summary: "Remove all second factors with a mailed link",
      method: "POST",
      path: "/auth/factors/reset",
      access: "anyone",
      body: Type.Object({ token: LinkToken, password: Password }),
      answer: [200, Done],
      problems: ["invalid_link", "password_missing", "rate_limited", "passwords_busy"],
      run: async (visitor, { body }) => {
        await useFactorReset(deps, visitor, body.token, body.password);
        return DONE;
      },
    }),
    endpoint({
      name: "update_factor",
      summary: "Rename a second factor",
      description: "Changes the name under which the caller knows one of their second factors.",
      resource: "Sessions",
      sdk: "me.factors.update",
      method: "PATCH",
      path: "/auth/factors/:factor_id",
      access: { session: "any" },
      ownAccount: true,
      stepUp: true,
      params: { factor_id: "factor" },
      missing: "factor_not_found",
      body: Type.Object({ name: FactorName }),
      answer: [200, FactorView],
      examples: { request: { name: "Work phone" }, answer: { ...examples.factor, name: "Work phone" } },
      run: async (member, { params, body }) => presentFactor(await renameFactor(deps, member, params.factor_id, body.name)),
    }),
    endpoint({
      name: "remove_factor",
      summary: "Remove a second factor",
      description:
        "Removes one of the caller's second factors. Log-ins that wait for a code end. With the last factor the recovery codes are removed too, and the password alone logs in again. A break-glass admin of an organization that requires single sign-on keeps one: 422 `would_lock_out`.",
      resource: "Sessions",
      sdk: "me.factors.remove",
      method: "DELETE",
      path: "/auth/factors/:factor_id",
      access: { session: "any" },
      ownAccount: true,
      stepUp: true,
      params: { factor_id: "factor" },
      missing: "factor_not_found",
      answer: [200, Done],
      problems: ["would_lock_out"],
      examples: { answer: DONE },
      run: async (member, { params }) => {
        await removeFactor(deps, member, params.factor_id);
        return DONE;
      },
    }),
    endpoint({
      name: "renew_recovery_codes",
      summary: "Replace your recovery codes",
      description: "Returns ten new recovery codes. The previous ones stop working. Returns 409 for a person without a second factor.",
      resource: "Sessions",
      sdk: "me.factors.renewRecoveryCodes",
      method: "POST",
      path: "/auth/recovery-codes",
      access: { session: "any" },
      ownAccount: true,
      stepUp: true,
      // Belongs to a person, not to one organization. A repeated request makes another set, which is then the only one.
      idempotent: false,
      answer: [200, RecoveryCodesView],
      problems: ["factor_missing"],
      secret: true,
      examples: { answer: { recovery_codes: examples.recoveryCodes } },
      run: async (member) => ({ recovery_codes: [...(await renewRecoveryCodes(deps, member))] }),
    }),
  ];
}
