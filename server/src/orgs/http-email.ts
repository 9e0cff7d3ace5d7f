import { Type } from "typebox";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { DONE, Done } from "./http-auth.ts";
import type { OrgDeps } from "./org.ts";
import { sendEmailCode, verifyByCode } from "./verify-email.ts";

/** How a person who is signed in proves their e-mail address. */
export function emailEndpoints(deps: OrgDeps): Endpoint[] {
  return [
    endpoint({
      name: "send_email_code",
      summary: "Mail a code of six digits to the caller's own address, which proves it; at most 10 a day",
      method: "POST",
      path: "/auth/email/code",
      access: { role: "viewer" },
      // It counts in a transaction of its own. A repeat mails another code, and the one before works no more.
      idempotent: false,
      answer: [202, Done],
      problems: ["mail_not_set_up", "address_verified"],
      run: async (member) => {
        await sendEmailCode(deps, member);
        return DONE;
      },
    }),
    endpoint({
      name: "verify_email",
      summary: "Verify the caller's address with the code of the mail: 10 minutes, 5 tries",
      method: "POST",
      path: "/auth/email/verify",
      access: { role: "viewer" },
      // A wrong code is counted although the answer is a refusal.
      idempotent: false,
      body: Type.Object({ code: Type.String({ minLength: 6, maxLength: 6, pattern: "^[0-9]{6}$" }) }),
      answer: [200, Type.Object({ email_verified: Type.Literal(true) })],
      problems: ["address_verified"],
      run: async (member, { body }) => {
        await verifyByCode(deps, member, body.code);
        return { email_verified: true } as const;
      },
    }),
  ];
}
