import type { Words } from "../mail/message.ts";
import { oneLine } from "../mail/plain-text.ts";
import { writeLetter } from "../mail/write-letter.ts";

/** Messages about invitations, and to admins. */

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

export function domainProofMail({
  org_name,
  domain,
  url,
}: {
  readonly org_name: string;
  readonly domain: string;
  readonly url: string;
}): Words {
  const org = oneLine(org_name);
  return writeLetter({
    kind: "domain_proof",
    subject: `Does ${domain} belong to ${org}?`,
    opening: [
      `An admin of ${org} on Countersign says that the domain ${domain} belongs to this organization.`,
      `If you confirm it, ${org} can let people with addresses in ${domain} log in with its own identity provider.`,
    ],
    link: { lead: "Confirm within 24 hours, if you run this domain and agree", button: "Confirm domain", url },
    closing: ["If you do not know this organization, ignore this message. Nothing changes."],
  });
}

/** A message to admins with a given text, whose paragraphs are separated by blank lines. */
export function adminNotice({ kind, subject, text }: { readonly kind: string; readonly subject: string; readonly text: string }): Words {
  return writeLetter({ kind, subject, opening: text.trim().split(/\n{2,}/), closing: [] });
}
