import { writeLetter } from "../letter.ts";
import type { Words } from "../message.ts";
import { type EnvelopeFacts, named, utc } from "./envelope.ts";

/** Mail to the people who sign. It names the document and who sent it, and nobody else who signs. */

export interface SigningFacts extends EnvelopeFacts {
  readonly url: string;
  readonly expires_at: Date;
}

const KEEP_IT = "The link is meant for you alone: whoever opens it can act in your name. Do not pass this message on.";

const signBy = ({ url, expires_at }: SigningFacts) => ({
  lead: `Read it, and sign it by ${utc(expires_at)}`,
  button: "Read and sign",
  url,
});

const unexpected = (org: string) => `If you did not expect this, do nothing, or ask ${org} before you open the link.`;

export function invitationToSign(facts: SigningFacts & { readonly message: string | null }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_invitation",
    subject: `${org} asks you to sign: ${name}`,
    opening: [`${org} has sent you a document to read and sign: ${name}`],
    quote: facts.message === null ? null : { by: `${org} writes:`, text: facts.message },
    link: signBy(facts),
    closing: [KEEP_IT, unexpected(org)],
  });
}

export function yourTurnToSign(facts: SigningFacts & { readonly message: string | null }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_turn",
    subject: `Your turn to sign: ${name}`,
    opening: [`Everybody who signs before you has signed a document of ${org}: ${name}`, "It is your turn now."],
    quote: facts.message === null ? null : { by: `${org} writes:`, text: facts.message },
    link: signBy(facts),
    closing: [KEEP_IT, unexpected(org)],
  });
}

export function reminderToSign(facts: SigningFacts): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_reminder",
    subject: `Reminder: your signature is missing on ${name}`,
    opening: [`${org} is still waiting for your signature on a document: ${name}`],
    link: signBy(facts),
    closing: [KEEP_IT, "You can also decline to sign on the same page. Then nobody will remind you again."],
  });
}

/** To a signer whose address or name was wrong: the link before this one is dead. */
export function correctedSigner(facts: SigningFacts): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_corrected",
    subject: `A new link to sign: ${name}`,
    opening: [
      `${org} has corrected your details on a document for you to sign: ${name}`,
      "An earlier link no longer works; please use this one.",
    ],
    link: signBy(facts),
    closing: [KEEP_IT, unexpected(org)],
  });
}

/** To a signer who asked for it: the page of a link without its secret offers to send another. */
export function newLinkForSigner(facts: SigningFacts): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_link",
    subject: `Your link to sign: ${name}`,
    opening: [`Here is the new link that you asked for. ${org} sent you this document: ${name}`],
    link: signBy(facts),
    closing: [KEEP_IT, "If you did not ask for a new link, you can ignore this message."],
  });
}

/** The same for a signer who has signed. */
export function newLinkToCopy(facts: EnvelopeFacts & { readonly copy_url: string }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_copy_link",
    subject: `Your link to: ${name}`,
    opening: [`Here is the new link that you asked for. You signed this document of ${org}: ${name}`],
    link: { lead: "Read or download it", button: "Open the document", url: facts.copy_url },
    closing: [KEEP_IT, "If you did not ask for a new link, you can ignore this message."],
  });
}

export function completedForSigner(facts: EnvelopeFacts & { readonly copy_url: string }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_completed",
    subject: `Signed by everybody: ${name}`,
    opening: [`Everybody has signed a document of ${org}: ${name}`],
    link: { lead: "Read or download your copy", button: "Open your copy", url: facts.copy_url },
    closing: ["Please keep a copy for your records.", KEEP_IT],
  });
}

export function voidedForSigner(facts: EnvelopeFacts & { readonly reason: string | null }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_voided",
    subject: `No longer to be signed: ${name}`,
    opening: [`${org} has voided a document that was sent to you: ${name}`],
    quote: facts.reason === null ? null : { by: `${org} gave this reason:`, text: facts.reason },
    closing: ["It can no longer be signed, and you have nothing to do."],
  });
}

/** To the others: who declined, and why, is the sender's to know. */
export function declinedForSigner(facts: EnvelopeFacts): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_declined",
    subject: `Declined, no longer to be signed: ${name}`,
    opening: [`A document of ${org} that was sent to you has been declined: ${name}`],
    closing: ["Nobody can sign it any more, and nothing more is asked of you."],
  });
}

export function expiredForSigner(facts: EnvelopeFacts & { readonly expired_at: Date }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_expired",
    subject: `The time to sign has passed: ${name}`,
    opening: [
      `A document of ${org} was not signed by everybody in time: ${name}`,
      `It expired on ${utc(facts.expired_at)} and can no longer be signed.`,
    ],
    closing: [`If it should still be signed, ask ${org} to send it again.`],
  });
}
