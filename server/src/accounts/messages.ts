import type { Words } from "../mail/message.ts";
import { oneLine } from "../mail/plain-text.ts";
import { writeLetter } from "../mail/write-letter.ts";
import type { Factor } from "./factor-store.ts";

/** Messages about accounts. */

export function emailCodeMail(code: string): Words {
  return writeLetter({
    kind: "email_code",
    // Not in the subject: phones show it on a locked screen.
    subject: "Your Countersign verification code",
    opening: ["Enter this code on your account page to verify this e-mail address:", code, "The code works for 10 minutes."],
    closing: ["If you did not request a code, ignore this message and do not share the code."],
  });
}

export function enrolmentCodeMail(code: string): Words {
  return writeLetter({
    kind: "enrollment_code",
    // Not in the subject: phones show it on a locked screen.
    subject: "Your code to set up a second factor",
    opening: [
      "Your organization requires a second factor to log in to Countersign. To set it up, enter this code on the page where you began:",
      code,
      "The code works for 10 minutes.",
    ],
    closing: [
      "If you are not setting up a second factor, someone knows your password. Do not share the code, and choose a new password at once.",
    ],
  });
}

export function passwordResetMail(url: string): Words {
  return writeLetter({
    kind: "password_reset",
    subject: "Reset your Countersign password",
    opening: ["We received a request to reset the password for this e-mail address."],
    link: { lead: "Choose a new password within 1 hour", button: "Choose a new password", url },
    closing: ["If you did not request this, ignore this message. Your password stays the same."],
  });
}

export function emailChangeMail(email: string, url: string): Words {
  return writeLetter({
    kind: "email_change",
    subject: "Confirm your new e-mail address",
    opening: [
      `The owner of the Countersign account ${oneLine(email)} asked to use this e-mail address from now on. The account keeps its old address until you open the link.`,
    ],
    link: { lead: "The link works once, for 1 hour", button: "Confirm e-mail address", url },
    closing: ["If this account is not yours, ignore this message. Nothing changes."],
  });
}

export function addressInUseMail(): Words {
  return writeLetter({
    kind: "address_in_use",
    subject: "Your e-mail address was entered for another account",
    opening: [
      "Someone asked to use this e-mail address for their Countersign account. Your account already has this address, so nothing changes.",
      "If you have two accounts and want to use this address with the other one, first change the address of this account.",
    ],
    closing: ["You do not need to do anything. The other person was not told that the address has an account."],
  });
}

export function emailChangedMail(email: string, url: string): Words {
  return writeLetter({
    kind: "email_changed",
    subject: "The e-mail address of your Countersign account was changed",
    opening: [
      `Your account now has the address ${oneLine(email)}. Messages about your account go there, and you log in with it.`,
      "If this was you, you do not need to do anything.",
    ],
    link: {
      lead: "If this was not you, take the account back. All its sessions end, and you get a link to choose a new password",
      button: "Undo change",
      url,
    },
    closing: [
      "The link works once, for 7 days.",
      "It also removes the password, and the passkeys, authenticator apps and recovery codes that were added since the change was requested. A message then tells you what was removed and what is left.",
    ],
  });
}

export interface TakenBack {
  readonly requested_at: Date;
  readonly removed: readonly Pick<Factor, "kind" | "name">[];
  readonly kept: readonly Pick<Factor, "kind" | "name" | "created_at">[];
  /** how many recovery codes were removed */
  readonly codes: number;
  readonly hadPassword: boolean;
  readonly sessions: number;
  readonly browsers: number;
}

export function emailChangeUndoneMail({ requested_at, removed, kept, codes, hadPassword, sessions, browsers }: TakenBack): Words {
  const named = ({ kind, name }: Pick<Factor, "kind" | "name">): string => `${kinds[kind]} “${oneLine(name)}”`;
  const count = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${n} ${many}`);
  const gone = [...removed.map(named), ...(codes > 0 ? ["all recovery codes"] : []), ...(hadPassword ? ["the password"] : [])];
  const none = removed.length === 0 ? ["No second factor was added since the change was requested."] : [];
  const left = kept.map((factor) => `${named(factor)} (added ${clock.format(factor.created_at)} UTC)`);
  return writeLetter({
    kind: "email_change_undone",
    subject: "Your Countersign account has its old e-mail address again",
    opening: [
      `The change that was requested on ${clock.format(requested_at)} UTC was undone with the link in our message. You log in with this address again.`,
      ...(gone.length > 0 ? [`Removed from your account: ${gone.join(", ")}.`] : []),
      ...none,
      `${count(sessions, "session", "sessions")} ended, and ${count(browsers, "known browser was", "known browsers were")} forgotten.`,
      left.length === 0
        ? "Your account has no second factor."
        : `Still on your account: ${left.join(", ")}. Remove any that you do not know.`,
      "Another message has a link to choose a new password. You can request one at any time on the log-in page.",
    ],
    closing: [
      "What was done in your organizations meanwhile, such as new API keys and invitations, is not reversed. Ask an admin to look at the activity since then.",
    ],
  });
}

export function passwordChangedMail(how: "reset link" | "signed in"): Words {
  const way = how === "reset link" ? "with a link that was made for it" : "in a session of yours, on the account page";
  return writeLetter({
    kind: "password_changed",
    subject: "Password of your Countersign account changed",
    opening: [`Your account got a new password, ${way}. All your sessions ended.`],
    closing: ["If this was not you, request a link for a new password on the log-in page at once, and tell your admin."],
  });
}

export function passwordRemovedMail(): Words {
  return writeLetter({
    kind: "password_removed",
    subject: "Password removed from your Countersign account",
    opening: [
      "Your account has no password any more. From now on you log in with a passkey.",
      "If you lose your passkeys, request a link for a new password on the log-in page, and use it with one of your recovery codes.",
    ],
    closing: [
      "If this was not you, request a link for a new password on the log-in page at once, and remove the passkeys that you do not know.",
    ],
  });
}

export function knownBrowserMail(url: string): Words {
  return writeLetter({
    kind: "known_browser",
    subject: "Log in to Countersign with a new browser",
    opening: [
      "To log in with a browser that you have not used before, open this link in that browser. You still need your password.",
      "We send this link when someone requests it on the log-in page, or when a log-in with a new browser is refused after many failed attempts. Browsers that you have used before still work.",
    ],
    link: { lead: "The link works once, for 1 hour", button: "Confirm browser", url },
    closing: ["If you are not trying to log in, ignore this message. Your password stays the same."],
  });
}

interface LogInNotice {
  readonly at: Date;
  readonly ip: string;
  readonly browser: string;
  readonly url: string;
}

const clock = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

export function newDeviceMail({ at, ip, browser, url }: LogInNotice): Words {
  return writeLetter({
    kind: "new_device",
    subject: "New log-in to your Countersign account",
    opening: [
      "Someone logged in to your account from a browser or location that we have not seen before.",
      `Time: ${clock.format(at)} UTC`,
      `IP address: ${ip}`,
      `Browser: ${browser}`,
      "If this was you, you do not need to do anything.",
    ],
    link: { lead: "If this was not you, end that session and get a link to choose a new password", button: "This was not me", url },
    closing: ["The link works once, for 7 days."],
  });
}

const REPORT = "If this was not you, reset your password at once and end the sessions that you do not know, on your account page.";

const kinds = { totp: "authenticator app", passkey: "passkey" } as const;

export function factorAddedMail(kind: keyof typeof kinds, name: string): Words {
  const then =
    kind === "totp"
      ? "From now on, your password alone does not log in: you also need a code of the app, or another of your factors."
      : "It logs in without your password. From now on, your password alone does not log in.";
  return writeLetter({
    kind: "factor_added",
    subject: "Second factor added to your Countersign account",
    opening: [
      `The ${kinds[kind]} “${oneLine(name)}” was added to your account. ${then}`,
      "Keep your recovery codes where you find them without your devices.",
    ],
    // A new password does not remove the factor, so its owner cannot get into the account with one.
    closing: [
      `If this was not you, ask the operator of your installation at once to remove the ${kinds[kind]} from your account. Then choose a new password.`,
    ],
  });
}

export function factorRemovedMail(kind: keyof typeof kinds, name: string, left: number): Words {
  const then =
    left === 0
      ? "Your password alone now logs in, and your recovery codes no longer work."
      : "Logging in still needs another of your factors.";
  return writeLetter({
    kind: "factor_removed",
    subject: "Second factor removed from your Countersign account",
    opening: [`The ${kinds[kind]} “${oneLine(name)}” was removed from your account. ${then}`],
    closing: [REPORT],
  });
}

/** `due`: by when; null: from now on. */
export function factorRequiredMail(org_name: string, due: Date | null, url: string): Words {
  const org = oneLine(org_name);
  const when =
    due === null
      ? "You have none yet, so the next time you work in this organization you are asked to add one first."
      : `You have none yet. Add one by ${clock.format(due)} UTC. After that, you can do nothing else in this organization until you have added one.`;
  return writeLetter({
    kind: "factor_required",
    subject: `${org} requires a second factor to log in`,
    opening: [`${org} requires a second factor of all its members: an authenticator app on your phone, or a passkey.`, when],
    link: { lead: "Add one on your account page, under “Two-step log-in”", button: "Open your account", url },
    closing: ["You get this message because you are a member of this organization."],
  });
}

/** `by`: the operator, or the person with a link that an admin requested. */
export function factorsResetMail(by: "operator" | "link", hasPassword: boolean): Words {
  return writeLetter({
    kind: "factors_reset",
    subject: "Second factors removed from your Countersign account",
    opening: [
      by === "operator"
        ? "The operator of your installation removed the second factors and recovery codes of your account and ended your sessions."
        : "The second factors and recovery codes of your account were removed with a link from an e-mail and your password. Your sessions ended.",
      `${hasPassword ? "Your password alone now logs in." : "You have no password. Request a link to set one on the log-in page."} Then add an authenticator app or a passkey again on your account page.`,
    ],
    closing: ["If you did not ask for this, reset your password and tell your operator at once."],
  });
}

/** The link itself is not in it: it is printed for the operator, who gives it to the person. */
export function resetLinkPrintedMail(): Words {
  return writeLetter({
    kind: "reset_link_printed",
    subject: "Link for a new Countersign password",
    opening: [
      "The operator of your installation printed a link with which a new password can be set for your account. It works once, for an hour.",
    ],
    closing: ["If you did not ask for this, tell your operator at once."],
  });
}

export function factorResetMail(org_name: string, url: string): Words {
  return writeLetter({
    kind: "factor_reset_link",
    subject: "Remove the second factors from your Countersign account",
    opening: [
      `An admin of ${oneLine(org_name)} requested this, so that you can log in without your authenticator apps, passkeys and recovery codes.`,
    ],
    link: { lead: "Open the link within 1 hour. You need your password", button: "Remove second factors", url },
    closing: ["If you did not ask for this, ignore this message and tell your admin. Your second factors stay."],
  });
}

export function sessionsEndedMail(org_name: string): Words {
  const org = oneLine(org_name);
  return writeLetter({
    kind: "sessions_ended",
    subject: `You were signed out of ${org}`,
    opening: [`An admin of ${org} ended sessions of yours in this organization. Log in again to continue.`],
    closing: ["If you do not know why, ask your admin."],
  });
}

export function recoveryCodeUsedMail(left: number): Words {
  const remain = left === 1 ? "1 recovery code is left." : `${left} recovery codes are left.`;
  return writeLetter({
    kind: "recovery_code_used",
    subject: "Recovery code used for your Countersign account",
    opening: ["A recovery code was used in place of your second factor.", `${remain} You can make new ones on your account page.`],
    closing: [REPORT],
  });
}
