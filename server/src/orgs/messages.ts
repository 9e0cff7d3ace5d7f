import type { Words } from "../mail/message.ts";
import { oneLine } from "../mail/plain-text.ts";
import { writeLetter } from "../mail/write-letter.ts";

/** Messages about accounts and invitations. */

export function invitationMail(org_name: string, url: string): Words {
  const org = oneLine(org_name);
  return writeLetter({
    kind: "invitation",
    subject: `Invitation to join ${org} on Countersign`,
    opening: [`You have been invited to join ${org} on Countersign.`],
    link: { lead: "Accept the invitation within 7 days", button: "Accept invitation", url },
    closing: ["If you did not expect this message, you can ignore it."],
  });
}

export function emailCodeMail(code: string): Words {
  return writeLetter({
    kind: "email_code",
    // Not in the subject: phones show it on a locked screen.
    subject: "Your Countersign verification code",
    opening: ["Enter this code on your account page to verify this e-mail address:", code, "The code works for 10 minutes."],
    closing: ["If you did not request a code, ignore this message and do not share the code."],
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

/** A message to admins with a given text, whose paragraphs are separated by blank lines. */
export function adminNotice({ kind, subject, text }: { readonly kind: string; readonly subject: string; readonly text: string }): Words {
  return writeLetter({ kind, subject, opening: text.trim().split(/\n{2,}/), closing: [] });
}
