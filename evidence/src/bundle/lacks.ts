import type { Facts, SignerFacts } from "../facts.ts";
import type { Facts2, TimeMark } from "../facts-2.ts";
import { entriesOf } from "../rules/1/checks/wording.ts";
import { milestonesOf } from "../rules/2/chain-facts.ts";
import { designatingAct } from "../rules/2/checks/08-secured-party.ts";
import { approvalOf, effectiveRows } from "../rules/2/control.ts";
import type { Link } from "../verify-chain.ts";

/** What a record does not have, as a reader is told. */
export const lackSentences = {
  fields_not_in_trail: "Places of fields and names of signers were not in the audit trail when this was signed.",
  link_not_separate: "The signing link was also visible to API keys of the organization.",
  no_mail_evidence: "Delivery of the invitation was not recorded.",
  no_external_time: "No external time stamp.",
  no_witness: "No cosignature of a witness.",
  seal_without_validation_data: "The seal has no embedded validation data.",
  sha256_only: "Recorded under one hash algorithm.",
  parties_unconfirmed: "The secured party did not confirm with a credential of its own.",
} as const;

export type LackCode = keyof typeof lackSentences;
export const lackCodes = Object.keys(lackSentences) as LackCode[];
export const isLackCode = (code: unknown): code is LackCode => typeof code === "string" && Object.hasOwn(lackSentences, code);

/** `times`: those of the bundle, which may be more than the facts name. */
export type Described = {
  readonly facts: Facts | Facts2;
  readonly links: readonly Link[];
  readonly times: readonly Pick<TimeMark, "kind" | "valid">[];
};

/** What is missing from this record, from its facts and its chain; always in the same order. */
export function lacksOf(described: Described): LackCode[] {
  return lackCodes.filter((code) => isLacking[code](described));
}

const said = ({ links }: Described, type: string) => entriesOf({ chain: { milestones: milestonesOf(links) } }, type);

const isSignedHere = ({ facts: { source, provider } }: Described): boolean => source === "signed_here" && provider === "builtin";

const hasTime = ({ times }: Described, kind: TimeMark["kind"]): boolean => times.some((mark) => mark.valid && mark.kind === kind);

const sessionOf = ({ sessions, signatures }: SignerFacts) =>
  sessions.find(({ session }) => signatures.some((each) => each.session === session));

/** Whether the party on record confirmed, in whatever way, that the record is assigned to it. What that is worth, check 8 says. */
function isConfirmedByParty(facts: Facts | Facts2): boolean {
  if (facts.type !== "countersign/facts/2") return false;
  const last = effectiveRows(facts).at(-1);
  const act = last === undefined ? undefined : designatingAct(facts, last);
  return act !== undefined && approvalOf(act, last?.party_id ?? null) !== null;
}

const isLacking: Record<LackCode, (described: Described) => boolean> = {
  fields_not_in_trail: (described) =>
    isSignedHere(described) && typeof said(described, "envelope.sent")[0]?.said?.fields_sha256 !== "string",
  link_not_separate: ({ facts }) =>
    facts.signers.some((signer) => {
      const session = sessionOf(signer);
      return session?.credential === "email_link" && session.link_kind !== "mailed" && session.link_kind !== "handed_over";
    }),
  no_mail_evidence: (described) => {
    const accepted = said(described, "mail.accepted").map((entry) => entry.said?.message_id);
    return described.facts.signers.some((signer) => {
      const session = sessionOf(signer);
      return session?.credential === "email_link" && session.link_kind !== "handed_over" && !accepted.includes(session.message_id);
    });
  },
  no_external_time: (described) => !hasTime(described, "token"),
  no_witness: (described) => !hasTime(described, "cosignature"),
  seal_without_validation_data: ({ facts }) => facts.seal?.level !== "B-LT" && facts.seal?.level !== "B-LTA",
  sha256_only: (described) => typeof said(described, "vault.stored")[0]?.said?.sha512 !== "string",
  parties_unconfirmed: ({ facts }) => facts.envelope.secured_party !== null && !isConfirmedByParty(facts),
};
