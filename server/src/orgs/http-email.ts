import { Type } from "typebox";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { named } from "../http/shapes.ts";
import { sendEmailCode, verifyByCode } from "./email-verification.ts";
import * as examples from "./examples.ts";
import { DONE, Done } from "./http-auth.ts";
import type { OrgDeps } from "./org.ts";

const Verified = named("EmailVerified", Type.Object({ email_verified: Type.Literal(true) }));

/** How a person who is logged in verifies their e-mail address. */
export function emailEndpoints(deps: OrgDeps): Endpoint[] {
  return [
    endpoint({
      name: "send_email_code",
      summary: "Mail a code that verifies your address",
      description:
        "Mails a six-digit code to the caller's own address, at most 10 times a day. Enter it with `POST /auth/email/verify` within 10 minutes; a new code replaces the previous one. Returns 409 if the address is already verified or no mail server is configured.",
      resource: "Sessions",
      sdk: "me.sendEmailCode",
      method: "POST",
      path: "/auth/email/code",
      access: { role: "custodian" },
      // Counts in a separate transaction. A repeated request mails another code, and the previous one stops working.
      idempotent: false,
      answer: [202, Done],
      problems: ["mail_not_set_up", "address_verified"],
      examples: { answer: DONE },
      run: async (member) => {
        await sendEmailCode(deps, member);
        return DONE;
      },
    }),
    endpoint({
      name: "verify_email",
      summary: "Verify your e-mail address with a code",
      description:
        "Verifies the caller's address with the six-digit code that was mailed to it. A code works for 10 minutes and 5 attempts. An account with a verified address can join other organizations.",
      resource: "Sessions",
      sdk: "me.verifyEmail",
      method: "POST",
      path: "/auth/email/verify",
      access: { role: "custodian" },
      // A wrong code is counted even though the request fails.
      idempotent: false,
      body: Type.Object({ code: Type.String({ minLength: 6, maxLength: 6, pattern: "^[0-9]{6}$", "x-message": "must be 6 digits" }) }),
      answer: [200, Verified],
      problems: ["address_verified"],
      examples: { request: examples.verification, answer: { email_verified: true } },
      run: async (member, { body }) => {
        await verifyByCode(deps, member, body.code);
        return { email_verified: true } as const;
      },
    }),
  ];
}
