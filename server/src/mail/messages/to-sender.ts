import { writeLetter } from "../letter.ts";
import type { Words } from "../message.ts";
import { type EnvelopeFacts, named, utc } from "./envelope.ts";

/** Notices to whoever sent an envelope. The link leads to the console, where one has to sign in. */

export interface SenderFacts extends EnvelopeFacts {
  readonly url: string;
}

const seeIt = (url: string) => ({ lead: "See the envelope", button: "Open the envelope", url });

export function completedForSender({ envelope_name, url }: SenderFacts): Words {
  const name = named(envelope_name);
  return writeLetter({
    kind: "envelope_completed",
    subject: `Signed by everybody: ${name}`,
    opening: [`Everybody has signed: ${name}`],
    link: seeIt(url),
    closing: [],
  });
}

export function declinedForSender(facts: SenderFacts & { readonly signer_name: string; readonly reason: string | null }): Words {
  const [name, signer] = [named(facts.envelope_name), named(facts.signer_name)];
  return writeLetter({
    kind: "envelope_declined",
    subject: `Declined: ${name}`,
    opening: [`${signer} has declined to sign: ${name}`],
    quote: facts.reason === null ? null : { by: `${signer} gave this reason:`, text: facts.reason },
    link: seeIt(facts.url),
    closing: ["Nobody can sign it any more. To try again, send a new envelope."],
  });
}

export function lockedForSender(facts: SenderFacts & { readonly signer_name: string }): Words {
  const [name, signer] = [named(facts.envelope_name), named(facts.signer_name)];
  return writeLetter({
    kind: "envelope_signer_locked",
    subject: `Questions answered wrongly: ${name}`,
    opening: [`${signer} has answered the questions that show who they are wrongly twice, and can no longer sign: ${name}`],
    link: seeIt(facts.url),
    closing: ["Ask them in another way whether it was them. If so, let them try again there; if not, void the envelope."],
  });
}

export function expiredForSender(facts: SenderFacts & { readonly expired_at: Date }): Words {
  const name = named(facts.envelope_name);
  return writeLetter({
    kind: "envelope_expired",
    subject: `Expired: ${name}`,
    opening: [`Not everybody signed in time: ${name}`, `It expired on ${utc(facts.expired_at)}.`],
    link: seeIt(facts.url),
    closing: ["Nobody can sign it any more. To try again, send a new envelope."],
  });
}

/** The address is named, because that is what has to be put right. */
export function deliveryFailedForSender(facts: SenderFacts & { readonly address: string }): Words {
  const name = named(facts.envelope_name);
  return writeLetter({
    kind: "envelope_delivery_failed",
    subject: `Not delivered: ${name}`,
    opening: [`The mail server refused our message to ${named(facts.address)}, who is to sign: ${name}`],
    link: seeIt(facts.url),
    closing: ["Correct the address there, or give the signer the link in another way."],
  });
}
