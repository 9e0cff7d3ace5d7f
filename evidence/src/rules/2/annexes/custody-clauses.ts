// Who keeps the copy, for whom they say that they keep it, and what limits its use.

import type { ActFacts, Facts2 } from "../../../facts-2.ts";
import { counted, dateOf, entriesOf } from "../../1/checks/wording.ts";
import { attested, proven } from "../checks/check.ts";
import { effectiveRows, memberOf, partyInDocument } from "../control.ts";
import type { Finding } from "./annex.ts";
import { brokenTrail, byChecks, found, NOT_STORED, notShown, seqsOf, seqsOfAct, type Told } from "./clause.ts";

const custodianOf = ({ permissions }: Facts2) => permissions.find(({ state }) => state === "active");

/** Where the copy is kept, and by whom. */
export function keptBy(told: Told): Finding {
  const { facts } = told;
  const { copy, org } = facts;
  if (copy === null) return notShown(NOT_STORED, NOT_STORED);
  const custodian = custodianOf(facts);
  const fact =
    custodian === undefined
      ? "No custodian is on record."
      : `The custodian on record is the user ${custodian.user_id} of ${org.name}, since ${custodian.activated_at ?? "an unknown time"}.`;
  const designations = facts.acts.filter(({ kind, document }) => isOfCustodian(kind, document, custodian?.user_id ?? null));
  const custody = ["custody.assigned", "custody.accepted"].flatMap((type) => entriesOf(facts, type));
  const own = custody.filter(({ said }) => memberOf(said, "permission_id") === custodian?.permission_id);
  const entries = [
    ...seqsOf(facts, "chain.imported", "vault.stored", "vault.exported", "vault.transferred"),
    ...own.map(({ seq }) => seq),
    ...designations.flatMap((act) => seqsOfAct(facts, act)),
  ];
  return byChecks(told, ["custodian"], fact, entries);
}

const isOfCustodian = (kind: string, document: ActFacts["document"], user_id: string | null): boolean =>
  ["designate_custodian", "move_custody"].includes(kind) && user_id !== null && memberOf(document.user, "user_id") === user_id;

/** The latest statement of the present custodian that they hold the record for the present assignee. */
export function acknowledgment(told: Told): Finding {
  const { facts } = told;
  const acts = facts.acts.filter(({ kind }) => kind === "acknowledge_control");
  const entries = acts.flatMap((act) => seqsOfAct(facts, act));
  const custodian = custodianOf(facts)?.user_id ?? null;
  const assignee = effectiveRows(facts).at(-1);
  const isPresent = ({ document: { user, present_party } }: ActFacts) =>
    memberOf(user, "user_id") === custodian &&
    assignee !== undefined &&
    memberOf(present_party, "party_id") === assignee.party_id &&
    memberOf(present_party, "name") === assignee.party.name;
  const act = acts.findLast(isPresent);
  if (act === undefined || custodian === null) {
    const none = "No statement of the present custodian that they hold the record for the present assignee is on record.";
    const earlier =
      acts.length === 0 ? "" : ` ${counted(acts.length, "statement names", "statements name")} another custodian or assignee.`;
    return notShown(`${none}${earlier}`, "No act acknowledge_control that names both took effect.", entries);
  }
  const [approval] = act.approvals;
  const said = `${memberOf(act.document.user, "name") ?? custodian}, the custodian, stated in ${act.act_id} that they hold the record for ${assignee?.party.name}`;
  const fact = `${said}. The custodian is a member of ${facts.org.name}, which deposited the record.`;
  const how = approval === undefined ? "No confirmation is recorded" : `${approval.email} confirmed it by ${methods[approval.method]}`;
  return found(fact, attested(`${how}; the statement rests on the log-in of this service alone.`), seqsOfAct(facts, act));
}

const methods: Readonly<Record<ActFacts["approvals"][number]["method"], string>> = {
  passkey: "passkey",
  code: "a mailed code",
  session: "log-in",
  key: "API key",
  vault_key: "a key of another installation",
};

/** This service asks only the custodian who already keeps the record. */
export const acknowledgedBefore = (): Finding =>
  notShown(
    "This service records statements of the custodian who keeps the record. It records none that was made before that person received it.",
    "There is no such act.",
  );

/** Limits that the service puts on the use of the copy. */
export function limitsOfUse(told: Told): Finding {
  const { facts } = told;
  const { copy } = facts;
  if (copy === null) return notShown(NOT_STORED, NOT_STORED);
  const placed = seqsOf(facts, "vault.hold_placed");
  const released = seqsOf(facts, "vault.hold_released");
  const holds = `${counted(placed.length, "legal hold was", "legal holds were")} placed and ${released.length} ended`;
  const fact = `The record is to be kept until ${dateOf(copy.retention_until)}. On record: ${holds}.`;
  const entries = [...seqsOf(facts, "vault.stored", "vault.retention_extended"), ...placed, ...released];
  return found(fact, attested("Retention and holds are enforced by this service."), entries);
}

/** Pledges that stand, and shares of others. */
export function sharedPowers(told: Told): Finding {
  const { facts } = told;
  const released = facts.acts.filter(({ kind }) => kind === "release_pledge");
  const isStanding = (pledge: ActFacts) =>
    !released.some((act) => act.entry_seq > pledge.entry_seq && partyInDocument(act) === partyInDocument(pledge));
  const pledges = facts.acts.filter((act) => act.kind === "pledge" && isStanding(act));
  const shares = facts.acts.filter(({ kind }) => kind === "participate");
  const entries = [...pledges, ...shares, ...released].flatMap((act) => seqsOfAct(facts, act));
  const sentences = [
    ...pledges.map((act) => `${nameIn(act)} holds a pledge by ${act.act_id}; while it stands, this service asks ${nameIn(act)} too.`),
    ...shares.map((act) => `${nameIn(act)} has a share of ${shareIn(act)} % by ${act.act_id}.`),
  ];
  const before =
    facts.origin === undefined ? [] : ["Pledges and shares at an earlier vault do not move with a record; its acts are in origin/."];
  const none = facts.origin === undefined ? "No pledge and no share of another party is on record." : "None is on record at this vault.";
  const fact = [...(sentences.length === 0 ? [none] : sentences), ...before].join(" ");
  const broken = brokenTrail(told);
  if (broken !== null) return notShown(fact, broken, entries);
  if (before.length > 0) return found(fact, attested("What parties agreed when the record moved is not recorded here."), entries);
  return found(fact, proven("The audit trail names every act that took effect."), entries);
}

const nameIn = ({ document }: ActFacts): string => memberOf(document.party, "name") ?? "A party";
const shareIn = ({ document }: ActFacts): string => (Number(document.share_bp ?? 0) / 100).toFixed(2);
