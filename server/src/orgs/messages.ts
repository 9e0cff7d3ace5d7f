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

export function passwordResetMail(url: string): Words {
  return writeLetter({
    kind: "password_reset",
    subject: "Reset your Countersign password",
    opening: ["Somebody asked to reset the password of this address."],
    link: { lead: "Choose a new one within 1 hour", button: "Choose a new password", url },
    closing: ["If it was not you, do nothing: your password stays as it is."],
  });
}

/** A notice whose words come from elsewhere: paragraphs with an empty line between them. */
export function adminNotice({ kind, subject, text }: { readonly kind: string; readonly subject: string; readonly text: string }): Words {
  return writeLetter({ kind, subject, opening: text.trim().split(/\n{2,}/), closing: [] });
}
