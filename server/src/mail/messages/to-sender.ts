import type { Letter } from "../letter.ts";
import { PLAIN_LOOK } from "../look.ts";
import type { Words } from "../message.ts";
import { writeLetter } from "../write-letter.ts";
import { type EnvelopeFacts, named, utc } from "./envelope.ts";

/** Messages to the sender of an envelope. The link leads to the console and requires a log-in. */

export interface SenderFacts extends EnvelopeFacts {
  readonly url: string;
}

/** With the organization's name above it. Its logo and colours are for the people it writes to. */
const letterTo = ({ org_name }: SenderFacts, letter: Letter): Words =>
  writeLetter({ ...letter, look: { ...PLAIN_LOOK, org_name: named(org_name) } });

const envelopeLink = (url: string) => ({ lead: "View the envelope", button: "Open envelope", url });

export function completedForSender(facts: SenderFacts): Words {
  const name = named(facts.envelope_name);
  return letterTo(facts, {
    kind: "envelope_completed",
    subject: `Everyone has signed: ${name}`,
    opening: [`Everyone has signed: ${name}`],
    link: envelopeLink(facts.url),
    closing: [],
  });
}

/** `rejected`: by an approver, who does not sign. */
export function declinedForSender(
  facts: SenderFacts & { readonly signer_name: string; readonly reason: string | null; readonly rejected?: boolean },
): Words {
  const [name, signer] = [named(facts.envelope_name), named(facts.signer_name)];
  return letterTo(facts, {
    kind: "envelope_declined",
    subject: `${facts.rejected ? "Rejected" : "Declined"}: ${name}`,
    opening: [`${signer} has ${facts.rejected ? "rejected" : "declined to sign"}: ${name}`],
    quote: facts.reason === null ? null : { by: `${signer} gave this reason:`, text: facts.reason },
    link: envelopeLink(facts.url),
    closing: ["This envelope can no longer be signed. To try again, send a new one."],
  });
}

export function lockedForSender(facts: SenderFacts & { readonly signer_name: string }): Words {
  const [name, signer] = [named(facts.envelope_name), named(facts.signer_name)];
  return letterTo(facts, {
    kind: "envelope_signer_locked",
    subject: `Identity check failed: ${name}`,
    opening: [`${signer} gave too many wrong answers in the identity check and is locked out of: ${name}`],
    link: envelopeLink(facts.url),
    closing: [
      "Contact the signer in another way and ask whether it was them. If it was, let them try again from the envelope. If it was not, void the envelope.",
    ],
  });
}

export function paperRequestedForSender(facts: SenderFacts & { readonly signer_name: string }): Words {
  const [name, signer] = [named(facts.envelope_name), named(facts.signer_name)];
  return letterTo(facts, {
    kind: "envelope_paper_requested",
    subject: `Asks to sign on paper: ${name}`,
    opening: [`${signer} asks to sign on paper and got the document to print: ${name}`],
    link: envelopeLink(facts.url),
    closing: [
      `Tell ${signer} where to send the signed paper. The envelope stays open, and ${signer} can still sign electronically. If you accept the paper, void the envelope.`,
    ],
  });
}

/** To a member who has a part in the envelope and gets no link by mail. `is_first`: no one acted before. */
export function yourTurnForMember(facts: SenderFacts & { readonly is_first?: boolean }): Words {
  const name = named(facts.envelope_name);
  return letterTo(facts, {
    kind: "envelope_your_turn",
    subject: `It is your turn: ${name}`,
    opening: [`${facts.is_first === true ? "" : "The people before you have finished. "}It is your turn: ${name}`],
    link: envelopeLink(facts.url),
    closing: [],
  });
}

/** `is_signed`: every signer has signed, and it waits for others. */
export function expiresSoonForSender(
  facts: SenderFacts & { readonly expires_at: Date; readonly waiting: readonly string[]; readonly is_signed?: boolean },
): Words {
  const name = named(facts.envelope_name);
  const waiting = facts.waiting.map((person) => named(person)).join(", ");
  return letterTo(facts, {
    kind: "envelope_expires_soon",
    subject: `Expires soon: ${name}`,
    opening: [
      `Not everyone has ${facts.is_signed === true ? "acted" : "signed"} yet: ${name}`,
      `The envelope expires on ${utc(facts.expires_at)}. These people have not acted: ${waiting}`,
    ],
    link: envelopeLink(facts.url),
    closing: ["You can remind them there. After it has expired, it can no longer be signed."],
  });
}

export function expiredForSender(facts: SenderFacts & { readonly expired_at: Date; readonly is_signed?: boolean }): Words {
  const name = named(facts.envelope_name);
  return letterTo(facts, {
    kind: "envelope_expired",
    subject: `Expired: ${name}`,
    opening: [
      `Not everyone ${facts.is_signed === true ? "acted" : "signed"} in time: ${name}`,
      `The envelope expired on ${utc(facts.expired_at)}.`,
    ],
    link: envelopeLink(facts.url),
    closing: ["This envelope can no longer be signed. To try again, send a new one."],
  });
}

/** The address is named because it may have to be corrected. `task`: what the message was for. */
export function deliveryFailedForSender(
  facts: SenderFacts & {
    readonly signer_name: string;
    readonly address: string;
    /** a signer if missing */
    readonly person?: "signer" | "recipient";
    readonly task: "sign" | "keep a copy";
  },
): Words {
  const { person = "signer" } = facts;
  const [name, signer, address] = [named(facts.envelope_name), named(facts.signer_name), named(facts.address)];
  return letterTo(facts, {
    kind: "envelope_delivery_failed",
    subject: `Not delivered: ${name}`,
    opening: [`We could not deliver our message to ${signer} (${address}), a ${person} of: ${name}`],
    link: envelopeLink(facts.url),
    closing: [WHAT_TO_DO[person][facts.task]],
  });
}

const WHAT_TO_DO = {
  signer: {
    sign: "Check the address. If it is wrong, correct it there and the signer gets a new link. If it is right, give the signer a signing link yourself.",
    "keep a copy": "The signer has signed and has not received a copy. Download the document there and give the signer a copy yourself.",
  },
  recipient: {
    sign: "Check the address. If it is wrong, correct it there and the recipient gets a new link. If it is right, give the recipient a link yourself.",
    "keep a copy": "The recipient has not received a copy. Download the document there and give the recipient a copy yourself.",
  },
} as const;
