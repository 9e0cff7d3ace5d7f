import { writeLetter } from "../letter.ts";
import type { Words } from "../message.ts";
import { type EnvelopeFacts, named, utc } from "./envelope.ts";

/** Messages to signers. They name the document and its sender, never the other signers. */

export interface SigningFacts extends EnvelopeFacts {
  readonly url: string;
  readonly expires_at: Date;
}

const DO_NOT_FORWARD = "This link is for you only. Anyone who opens it can act in your name, so do not forward this message.";

const signBy = ({ url, expires_at }: SigningFacts) => ({
  lead: `Read and sign it by ${utc(expires_at)}`,
  button: "Read and sign",
  url,
});

const unexpected = (org: string) => `If you did not expect this message, ignore it, or ask ${org} before you open the link.`;

export function invitationToSign(facts: SigningFacts & { readonly message: string | null }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_invitation",
    subject: `${org} asks you to sign: ${name}`,
    opening: [`${org} has sent you a document to read and sign: ${name}`],
    quote: facts.message === null ? null : { by: `${org} writes:`, text: facts.message },
    link: signBy(facts),
    closing: [DO_NOT_FORWARD, unexpected(org)],
  });
}

export function yourTurnToSign(facts: SigningFacts & { readonly message: string | null }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_turn",
    subject: `Your turn to sign: ${name}`,
    opening: [`It is your turn to sign a document from ${org}: ${name}`],
    quote: facts.message === null ? null : { by: `${org} writes:`, text: facts.message },
    link: signBy(facts),
    closing: [DO_NOT_FORWARD, unexpected(org)],
  });
}

export function reminderToSign(facts: SigningFacts): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_reminder",
    subject: `Reminder to sign: ${name}`,
    opening: [`${org} is still waiting for your signature on a document: ${name}`],
    link: signBy(facts),
    closing: [DO_NOT_FORWARD, "If you do not want to sign, you can decline on the same page. You will then get no more reminders."],
  });
}

/** To a signer whose address or name the sender has corrected. The earlier link is revoked. */
export function correctedSigner(facts: SigningFacts): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_corrected",
    subject: `New signing link: ${name}`,
    opening: [
      `${org} has corrected your details on a document that is waiting for your signature: ${name}`,
      "Your earlier link no longer works. Use this one instead.",
    ],
    link: signBy(facts),
    closing: [DO_NOT_FORWARD, unexpected(org)],
  });
}

/** To a signer who requested a new link on the page that opens when a link has no valid secret. */
export function newLinkForSigner(facts: SigningFacts): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_link",
    subject: `Your signing link: ${name}`,
    opening: [`Here is the new link that you requested. ${org} sent you this document: ${name}`],
    link: signBy(facts),
    closing: [DO_NOT_FORWARD, "If you did not request a new link, you can ignore this message."],
  });
}

/** To a signer who has already signed and requested a new link. */
export function newLinkToCopy(facts: EnvelopeFacts & { readonly copy_url: string }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_copy_link",
    subject: `Your document link: ${name}`,
    opening: [`Here is the new link that you requested. You signed this document from ${org}: ${name}`],
    link: { lead: "Read or download it", button: "Open document", url: facts.copy_url },
    closing: [DO_NOT_FORWARD, "If you did not request a new link, you can ignore this message."],
  });
}

export function completedForSigner(facts: EnvelopeFacts & { readonly copy_url: string }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_completed",
    subject: `Everyone has signed: ${name}`,
    opening: [`Everyone has signed this document from ${org}: ${name}`],
    link: { lead: "Read or download your copy", button: "Open your copy", url: facts.copy_url },
    closing: ["Please keep a copy for your records.", DO_NOT_FORWARD],
  });
}

export function voidedForSigner(facts: EnvelopeFacts & { readonly reason: string | null }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_voided",
    subject: `Voided: ${name}`,
    opening: [`${org} has voided a document that was sent to you: ${name}`],
    quote: facts.reason === null ? null : { by: `${org} gave this reason:`, text: facts.reason },
    closing: ["It can no longer be signed. You do not need to do anything."],
  });
}

/** To the other signers. Only the sender learns who declined and why. */
export function declinedForSigner(facts: EnvelopeFacts): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_declined",
    subject: `Declined: ${name}`,
    opening: [`A signer has declined a document that ${org} sent you: ${name}`],
    closing: ["It can no longer be signed. You do not need to do anything."],
  });
}

export function expiredForSigner(facts: EnvelopeFacts & { readonly expired_at: Date }): Words {
  const [org, name] = [named(facts.org_name), named(facts.envelope_name)];
  return writeLetter({
    kind: "signing_expired",
    subject: `Expired: ${name}`,
    opening: [
      `Not everyone signed this document from ${org} in time: ${name}`,
      `It expired on ${utc(facts.expired_at)} and can no longer be signed.`,
    ],
    closing: [`If you still want to sign it, ask ${org} to send it again.`],
  });
}
