// Recipients who do not sign: who they are, and what the record says that they did.

import type { SessionFacts } from "../facts.ts";
import type { RecipientFacts } from "../facts-2.ts";
import { methodWords } from "../identity-methods.ts";
import { askedIn } from "../rules/2/identity-results.ts";
import { credentialName } from "./credentials.ts";
import type { Block, Cell, Words } from "./document.ts";
import { capitalized, clock, passWords, quiet } from "./wording.ts";

interface Printing {
  readonly org: { readonly name: string };
  /** known names of users, by ID */
  readonly people: Readonly<Record<string, string>>;
}

const KINDS: Readonly<Record<RecipientFacts["kind"], string>> = { approver: "Approver", viewer: "Viewer", cc: "Gets a copy" };

/** Empty if everyone signs. */
export function recipientBlocks(recipients: readonly RecipientFacts[], printing: Printing): Block[] {
  if (recipients.length === 0) return [];
  return [
    { kind: "heading", level: 1, text: "Other recipients" },
    {
      kind: "table",
      columns: [
        { head: "Person", share: 130 },
        { head: "Task", share: 80 },
        { head: "What the record says", share: 145 },
        { head: "Identified by", share: 132 },
      ],
      rows: recipients.map((one) => rowOf(one, printing)),
    },
  ];
}

function rowOf(one: RecipientFacts, printing: Printing): Cell[] {
  const visit = one.sessions.at(-1);
  return [
    [{ text: one.name, look: "strong" }, quiet(one.email), ...(one.role === null ? [] : [small(one.role)])],
    [KINDS[one.kind], ...(one.step === null ? [] : [small(`Step ${one.step}`)])],
    didWords(one),
    visit === undefined ? [quiet("not opened")] : [...visitWords(visit, printing), ...codeWords(one, visit)],
  ];
}

const small = (text: string): Words => ({ text, look: "small", tone: "quiet" });
const second = (time: string): string => `${clock(time).slice(0, 19)} UTC`;

const DID: Readonly<Record<string, string>> = {
  approved: "Approved the document",
  confirmed: "Confirmed that they have read the document",
  declined: "Rejected the document",
  rejected: "Rejected the document",
  delivered: "May see the result",
  notified_of_step: "An e-mail with access to the document was queued for them",
  notified_of_result: "An e-mail with access to the signed document was queued for them",
};

function didWords({ kind, status, acted_at, sessions }: RecipientFacts): Words[] {
  const did = DID[status];
  const none = kind === "cc" ? "Nothing was asked of this person" : sessions.length > 0 ? "Opened the page and did not act" : "Did not act";
  return [did ?? none, ...(acted_at === null ? [] : [small(second(acted_at))])];
}

/** The codes that were required, as far as the person entered them in the visit. */
function codeWords(person: RecipientFacts, visit: SessionFacts): Words[] {
  const { identity = [] } = person;
  const { session } = visit;
  return askedIn(person, visit).map((method) => {
    const last = identity.findLast((one) => one.method === method && one.session === session);
    if (last?.passed !== true) return small(`Required and not passed: ${methodWords(method)}`);
    return small(capitalized(`${passWords(last)}, ${second(last.at)}`));
  });
}

function visitWords(visit: SessionFacts, { org, people }: Printing): Words[] {
  const named = credentialName(visit, { org }, people);
  return [named.slice(0, 1).toUpperCase() + named.slice(1), small(`IP address ${visit.ip}`)];
}
