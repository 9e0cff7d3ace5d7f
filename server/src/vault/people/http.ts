import { Type } from "typebox";
import { acting, type Endpoint, endpoint, reading } from "../../http/endpoint.ts";
import { Assertion, AssertionOptionsView, Registration, RegistrationOptionsView } from "../../http/passkey-shapes.ts";
import { about, CodeMailView, Email, idOf, Label, named, OptionalTimestamp, Timestamp } from "../../http/shapes.ts";
import { addPasskey } from "./add-passkey.ts";
import { followCode } from "./follow-code.ts";
import { logInByCode } from "./log-in-by-code.ts";
import { logInByPasskey, offerLogIn } from "./log-in-by-passkey.ts";
import type { PeopleDeps } from "./person.ts";
import { presentPasskey, presentSession } from "./present.ts";
import { removePasskey } from "./remove-passkey.ts";
import { requestCode } from "./request-code.ts";
import { endSession, listPasskeys } from "./store.ts";

export const Code = named(
  "PersonCode",
  Type.String({ minLength: 8, maxLength: 8, pattern: "^[0-9]{8}$", "x-message": "must be 8 digits" }),
);

const SessionView = named("PersonSession", Type.Object({ token: Type.String(), expires_at: Timestamp }));
const PasskeyView = named(
  "Passkey",
  Type.Object({
    passkey_id: idOf("passkey"),
    credential_id: Type.String(),
    name: Type.String(),
    algorithm: Type.Enum(["ES256", "EdDSA", "RS256"]),
    backed_up: Type.Boolean({ description: "When it was made: synchronized between devices, or otherwise backed up" }),
    created_at: Timestamp,
    last_used_at: OptionalTimestamp,
  }),
);

const Done = named("PersonDone", Type.Object({ done: Type.Literal(true) }));
const DONE = { done: true } as const;
const person = { person: true } as const;

/** The API of the pages for people who act for parties: log-in, and their passkeys. */
export function peopleEndpoints(deps: PeopleDeps): Endpoint[] {
  return [
    endpoint({
      name: "request_person_code",
      summary: "Mail a code to a person who acts for a party",
      description:
        "Mails eight digits to the address if it belongs to a person who acts for a party: for log-in, or with act_id for a decision on that act alone. The response is the same for every address. A code works once, for 10 minutes and 5 attempts; at most 6 codes an hour.",
      method: "POST",
      path: "/p/api/code",
      access: "anyone",
      body: Type.Object({ email: Email, act_id: Type.Optional(about(Type.String({ maxLength: 100 }), "The act that the code is for")) }),
      answer: [202, Done],
      problems: ["codes_unavailable"],
      run: async (visitor, { body }) => {
        await requestCode(deps, visitor, body.email, body.act_id ?? null);
        return DONE;
      },
    }),
    acting({
      name: "get_person_code",
      summary: "Get whether the e-mail with your code for a request has left",
      description:
        "For a page that asks for the code. There is no such answer about a code for log-in: it would tell anyone whether an address belongs to a person who acts for a party.",
      path: "/p/api/code",
      access: person,
      query: Type.Object({ act_id: Type.String({ maxLength: 100 }) }),
      answer: [200, CodeMailView],
      run: async ({ person: { person_id } }, { query }) => ({ state: await followCode(deps, person_id, query.act_id) }),
    }),
    endpoint({
      name: "start_person_session",
      summary: "Log in with a code from an e-mail",
      description: "Starts a session of 30 minutes. It shows the requests of the person's parties, and gives no access to the console.",
      method: "POST",
      path: "/p/api/session",
      access: "anyone",
      body: Type.Object({ email: Email, code: Code }),
      answer: [200, SessionView],
      problems: ["invalid_code", "passwords_busy"],
      secret: true,
      run: async (visitor, { body }) => presentSession(await logInByCode(deps, visitor, body.email, body.code)),
    }),
    endpoint({
      name: "offer_passkey_session",
      summary: "Get options to log in with a passkey",
      method: "POST",
      path: "/p/api/session/passkey-options",
      access: "anyone",
      answer: [200, AssertionOptionsView],
      run: async (visitor) => ({ ...(await offerLogIn(deps, visitor)) }),
    }),
    endpoint({
      name: "start_passkey_session",
      summary: "Log in with a passkey",
      method: "POST",
      path: "/p/api/session/passkey",
      access: "anyone",
      body: Type.Object({ credential: Assertion }),
      answer: [200, SessionView],
      problems: ["invalid_passkey", "passwords_busy"],
      secret: true,
      run: async (visitor, { body }) => presentSession(await logInByPasskey(deps, visitor, body.credential)),
    }),
    endpoint({
      name: "end_person_session",
      summary: "Sign out",
      method: "DELETE",
      path: "/p/api/session",
      access: person,
      answer: [200, Done],
      run: async (who) => {
        await deps.db.system((tx) => endSession(tx, who.person.token_hash));
        return DONE;
      },
    }),
    reading({
      name: "list_passkeys",
      summary: "List your passkeys",
      path: "/p/api/passkeys",
      access: person,
      answer: [200, named("Passkeys", Type.Object({ email: Type.String(), passkeys: Type.Array(PasskeyView) }))],
      run: async (who, _input, read) => ({
        email: who.person.email,
        passkeys: (await listPasskeys(read, who.person.person_id)).map(presentPasskey),
      }),
    }),
    endpoint({
      name: "offer_passkey",
      summary: "Get options to make a passkey",
      description:
        "The first passkey needs a session that began with a code, every further one a session that began with a passkey. The options work for 5 minutes.",
      method: "POST",
      path: "/p/api/passkeys",
      access: person,
      answer: [200, RegistrationOptionsView],
      problems: ["passkey_required", "code_required", "too_many_passkeys"],
      run: async (who) => {
        const { pubKeyCredParams, excludeCredentials, ...options } = await addPasskey.offer(deps, who);
        return { ...options, pubKeyCredParams: [...pubKeyCredParams], excludeCredentials: [...excludeCredentials] };
      },
    }),
    endpoint({
      name: "add_passkey",
      summary: "Add a passkey",
      description:
        "Keeps the public key of a passkey that was made with these options. The person and the other people of their parties get an e-mail.",
      method: "POST",
      path: "/p/api/passkeys/verify",
      access: person,
      body: Type.Object({ credential: Registration, name: Type.Optional(about(Label, "How the person calls it; default: Passkey")) }),
      answer: [201, named("AddedPasskey", Type.Object({ passkey_id: idOf("passkey") }))],
      problems: ["passkey_required", "code_required", "passkey_known", "too_many_passkeys", "passwords_busy"],
      run: async (who, { body }) => ({ passkey_id: await addPasskey.save(deps, who, body.credential, body.name ?? "Passkey") }),
    }),
    endpoint({
      name: "remove_passkey",
      summary: "Remove one of your passkeys",
      description:
        "Needs a session that began with a passkey. Sessions that began with the removed one end. Approvals that were made with it stay valid.",
      method: "DELETE",
      path: "/p/api/passkeys/:passkey_id",
      access: person,
      params: { passkey_id: "passkey" },
      missing: "passkey_not_found",
      answer: [200, Done],
      problems: ["passkey_required"],
      run: async (who, { params }) => {
        await removePasskey(deps, who, params.passkey_id);
        return DONE;
      },
    }),
  ];
}
