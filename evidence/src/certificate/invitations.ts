// What became of the messages that brought a signer a link, from the entries of the chain. A mail server's acceptance is not delivery:
// only the mail provider reports that, if it reports at all.

import type { Json } from "../canonical.ts";
import type { SignerFacts } from "../facts.ts";
import { isInviting } from "../mail-evidence.ts";
import type { Link } from "../verify-chain.ts";
import type { Words } from "./document.ts";
import { NOT_RECORDED, quiet, toWords, utc } from "./wording.ts";

type Members = Readonly<Record<string, Json | undefined>>;

const sentences: Readonly<Record<string, (said: Members) => string>> = {
  "mail.accepted": ({ code }) => `Accepted by mail server${typeof code === "number" ? ` (${code})` : ""}`,
  "mail.failed": ({ code, stage }) =>
    `Not sent: ${typeof code === "number" ? `mail server answered ${code}` : "no answer of a mail server"}${stageOf(stage)}`,
  "mail.delivered": () => "Delivered, as the mail provider reports",
  "mail.bounced": () => "Bounced, as the mail provider reports",
  "mail.complained": () => "Marked as unwanted by the recipient, as the mail provider reports",
};

const stageOf = (stage: Json | undefined): string => (typeof stage === "string" ? ` (${toWords(stage)})` : "");

/** One line for each thing that is recorded about the messages with a link for this signer. */
export function invitationLines(signer: SignerFacts, links: readonly Link[]): Words[] {
  const used = new Set(signer.sessions.flatMap(({ message_id }) => (message_id === undefined ? [] : [message_id])));
  const recorded = links.filter((link) => {
    const { message_id, kind, to } = membersOf(link);
    if (!Object.hasOwn(sentences, link.entry.type)) return false;
    return used.has(String(message_id)) || (isInviting(kind) && isSame(to, signer.email));
  });
  const settled = new Set(recorded.map((link) => membersOf(link).message_id));
  return [
    ...signer.sessions.flatMap(({ message_id, mail_sent_at }) =>
      message_id === undefined || settled.has(message_id) ? [] : [settledEarlier(mail_sent_at ?? null)],
    ),
    ...recorded.map((link) => `${sentences[link.entry.type]?.(membersOf(link))} ${utc(link.entry.at)}`),
    ...(used.size === 0 && recorded.length === 0 ? [NOT_RECORDED] : []),
  ];
}

// Before entries about mail existed, the time of the acceptance was recorded when the link was used.
const settledEarlier = (mail_sent_at: string | null): Words =>
  mail_sent_at === null ? quiet("Queued; no mail server is recorded to have accepted it") : `Accepted by mail server ${utc(mail_sent_at)}`;

const isSame = (to: Json | undefined, email: string | null): boolean =>
  typeof to === "string" && email !== null && to.toLowerCase() === email.toLowerCase();

const membersOf = ({ data }: Link): Members => Object(data?.data ?? {}) as Members;
