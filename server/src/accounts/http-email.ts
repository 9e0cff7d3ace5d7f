import { Type } from "typebox";
import { type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { about, CodeMailView, Email, named } from "../http/shapes.ts";
import type { AccountDeps } from "./account.ts";
import { confirmEmailChange, requestEmailChange, undoEmailChange } from "./email-change.ts";
import { sendEmailCode, verifyByCode } from "./email-verification.ts";
import * as examples from "./examples.ts";
import { DONE, Done, LinkToken } from "./shapes.ts";
import { lookUpCodeMail } from "./store.ts";

const Verified = named("EmailVerified", Type.Object({ email_verified: Type.Literal(true) }));

const ChangedView = named("EmailChanged", Type.Object({ email: about(Email, "The address of the account from now on") }));

/** How a person who is logged in verifies their e-mail address, and how they change it. */
export function emailEndpoints(deps: AccountDeps): Endpoint[] {
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
      access: { session: "any" },
      ownAccount: true,
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
    reading({
      name: "get_email_code_mail",
      summary: "Get whether the e-mail with your code has left",
      description:
        "For a page that asks for the code of `POST /auth/email/code`, or for the code that adding a first factor takes. Says what became of the message with the caller's latest code.",
      resource: "Sessions",
      sdk: "me.getEmailCode",
      path: "/auth/email/code",
      access: { session: "any" },
      answer: [200, CodeMailView],
      examples: { answer: { state: "sent" } },
      run: async (member, _input, read) => ({ state: await lookUpCodeMail(read, member.session.user_id) }),
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
      access: { session: "any" },
      ownAccount: true,
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
    endpoint({
      name: "request_email_change",
      summary: "Change your e-mail address",
      stepUp: true,
      description:
        "Mails a link to the new address. The account keeps its address until the link is used, within 1 hour; then the old address gets a link that reverses the change for 7 days. The response is the same if the new address has an account: its owner gets a notice, and nothing changes. A new request replaces the one before, and a password reset withdraws it. At most 5 requests a day.",
      resource: "Sessions",
      sdk: "me.changeEmail",
      method: "POST",
      path: "/auth/email",
      access: { session: "any" },
      ownAccount: true,
      // Counts in a separate transaction. A repeated request mails another link, and the previous one stops working.
      idempotent: false,
      body: Type.Object({ new_email: Email }),
      answer: [202, Done],
      problems: ["mail_not_set_up"],
      examples: { request: examples.emailChange, answer: DONE },
      run: async (member, { body }) => {
        await requestEmailChange(deps, member, body.new_email);
        return DONE;
      },
    }),
    endpoint({
      name: "confirm_email_change",
      summary: "Confirm a new e-mail address with a mailed link",
      method: "POST",
      path: "/auth/email/confirm",
      access: "anyone",
      body: Type.Object({ token: LinkToken }),
      answer: [200, ChangedView],
      problems: ["invalid_link", "address_taken"],
      run: async (visitor, { body }) => ({ email: await confirmEmailChange(deps, visitor, body.token) }),
    }),
    endpoint({
      name: "undo_email_change",
      summary: "Reverse a change of an e-mail address with a mailed link",
      method: "POST",
      path: "/auth/email/undo",
      access: "anyone",
      body: Type.Object({ token: LinkToken }),
      answer: [200, ChangedView],
      problems: ["invalid_link", "address_taken"],
      run: async (visitor, { body }) => ({ email: await undoEmailChange(deps, visitor, body.token) }),
    }),
  ];
}
