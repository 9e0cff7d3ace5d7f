import type { IdentityMethod } from "@countersign/client/types";
import type { IdentityCheck } from "../../prepare/identity.ts";

/** The words of identity checks by codes. A table of another language must have the same members. */
export const en = {
  label: "Identity check",
  choose: "Choose",
  isUnchosen: "must be chosen",
  checks: {
    none: "None",
    email_code: "Code by e-mail",
    access_code: "Access code",
    both: "Code by e-mail and access code",
  } satisfies Record<IdentityCheck, string>,
  hints: {
    none: "No code is asked for. The personal link opens the document, after the identity questions if you ask any.",
    email_code: "Before the person sees the document, we send a code to their address. It proves that they can read mail to it.",
    access_code: "You agree on a code and tell it to the person yourself, for example on the phone. We never send it.",
    both: "We send a code to their address, and you agree on another one, which you tell the person yourself. We never send that one.",
  } satisfies Record<IdentityCheck, string>,
  noMail: "Codes by e-mail need a mail server, which the operator of Countersign sets up.",
  /** What the organization demands, by identity level. */
  demanded: [
    "",
    "Your organization demands identity level 1: a code by e-mail is added for people of whom you ask nothing.",
    "Your organization demands identity level 2: choose an access code, or ask identity questions. A code by e-mail is added.",
  ],
  demandedWithoutMail: [
    "",
    "Your organization demands identity level 1: choose an access code, or ask identity questions.",
    "Your organization demands identity level 2, which needs codes by e-mail.",
  ],
  code: "Access code",
  codeHint: "6 to 64 characters; capital and small letters differ. Write it down or tell it to the person now: we do not show it again.",
  codeAgain: "This draft asks for an access code. Drafts do not keep codes: enter it again, or choose another check.",
  tooShort: "must have at least 6 characters",
  suggest: "Suggest a code",
  copyWhat: "access code",
  isSet: "An access code is set. It is not shown again.",
  other: "Enter another code",
  locks: "Five wrong codes lock the person until you unlock them.",
  methods: { email_code: "code by e-mail", access_code: "access code", kba: "identity questions" } satisfies Record<IdentityMethod, string>,
  required: (methods: readonly string[]) =>
    methods.length === 0 ? "Nothing is required now except the link." : `Required now: ${methods.join(", then ")}.`,
  replaces: "This replaces the codes that were required before. A code that the person entered already must be entered again.",
  set: "Set identity check",
  done: (name: string) => `Identity check set for ${name}.`,
};
