import { writeLetter } from "../mail/letter.ts";
import type { Words } from "../mail/message.ts";
import { oneLine } from "../mail/plain-text.ts";

/** The words of this feature's mail. */

export function invitationMail(org_name: string, url: string): Words {
  const org = oneLine(org_name);
  return writeLetter({
    kind: "invitation",
    subject: `You are invited to ${org} on Countersign`,
    opening: [`You have been invited to join ${org} on Countersign.`],
    link: { lead: "Accept within 7 days", button: "Accept the invitation", url },
    closing: ["If you did not expect this, do nothing."],
  });
}

export function emailCodeMail(code: string): Words {
  return writeLetter({
    kind: "email_code",
    // Not in the subject: phones show it on a locked screen.
    subject: "Your Countersign verification code",
    opening: ["Enter this code on your account page to verify this e-mail address:", code, "It works for 10 minutes."],
    closing: ["If you did not ask for a code, do nothing and give it to no one."],
  });
}

export function passwordResetMail(url: string): Words {
  return writeLetter({
    kind: "password_reset",
    subject: "Reset your Countersign password",
    opening: ["We received a request to reset the password of this address."],
    link: { lead: "Choose a new password within 1 hour", button: "Choose a new password", url },
    closing: ["If you did not ask for this, do nothing. Your password stays the same."],
  });
}

export function knownBrowserMail(url: string): Words {
  return writeLetter({
    kind: "known_browser",
    subject: "Log in to Countersign with a new browser",
    opening: [
      "To log in with a browser that you have not used before, open this link in that browser. You still need your password.",
      "We send this link when it was requested on the log-in page, or when a log-in with a new browser was refused because of many failed attempts. Browsers that you have used before still work.",
    ],
    link: { lead: "The link works once, for 1 hour", button: "Use this browser", url },
    closing: ["If you are not trying to log in, do nothing. Your password stays the same."],
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
      "Your account was used to log in from a browser or place that we have not seen before.",
      `Time: ${clock.format(at)} UTC`,
      `IP address: ${ip}`,
      `Browser: ${browser}`,
      "If this was you, there is nothing to do.",
    ],
    link: { lead: "If this was not you, end that session and get a link for a new password", button: "This was not me", url },
    closing: ["The link works once, for 7 days."],
  });
}

/** A notice whose words come from elsewhere: paragraphs with an empty line between them. */
export function adminNotice({ kind, subject, text }: { readonly kind: string; readonly subject: string; readonly text: string }): Words {
  return writeLetter({ kind, subject, opening: text.trim().split(/\n{2,}/), closing: [] });
}
