import type { Act, ActApproval, ActNeed, ActState, Party } from "@countersign/client/types";

/** Words about acts, for the console and for the page of people who act for parties. */

type NamedParty = Readonly<Pick<Party, "name" | "identifier">>;

/** Whom the document asks, or would ask if someone could answer. */
export interface DocumentNeed extends Readonly<Pick<ActNeed, "role" | "name" | "user_id" | "asked">> {
  /** only for an organization of another installation */
  readonly vault?: { readonly root_sha256: string; readonly org_id: string };
}

/** The members of an act's document that the pages read. The hash is that of the whole document. */
interface ActDocument {
  readonly org_id: string;
  readonly record_name: string | null;
  readonly copy_sha256: string | null;
  readonly reason: string;
  readonly present_party: NamedParty | null;
  readonly party: NamedParty | null;
  readonly share_bp: number | null;
  readonly user: { readonly user_id: string; readonly name: string } | null;
  readonly hold_id: string | null;
  /** only for a transfer to another installation */
  readonly vault?: { readonly name: string; readonly root_sha256: string; readonly org_id: string } | null;
  /** only for an original that leaves the vault */
  readonly recipient?: { readonly name: string; readonly email: string } | null;
  readonly people: PeopleChange | null;
  /** only for an act on many records */
  readonly batch?: { readonly control_batch_id: string; readonly count: number } | null;
  readonly needs?: readonly DocumentNeed[];
}

type PeopleChange =
  | { readonly add: { readonly email: string; readonly name: string; readonly rights: "approve" | "view" }; readonly approvers_lost?: true }
  | { readonly remove: { readonly email: string } };

export const documentOf = ({ document }: Pick<Act, "document">): ActDocument => document as unknown as ActDocument;

export const isOpenAct = ({ state }: Pick<Act, "state">): boolean =>
  state === "proposed" || state === "confirmed" || state === "registering";

/** Two admins confirmed it because no approver of the party can be reached, and its people can object. */
export const isWaiting = ({ state, waits_until }: Pick<Act, "state" | "waits_until">): boolean =>
  state === "confirmed" && waits_until !== null;

/** Why a party was not asked. */
export const notAskedWords = (act: Act): string =>
  act.waits_until !== null || isLost(documentOf(act).people)
    ? "Not asked, because the organization states that none of its approvers can be reached. Its people can object before it takes effect."
    : "Not asked. No one acts for this party, and the control policy does not require it.";

const isLost = (people: PeopleChange | null): boolean => people !== null && "approvers_lost" in people;

export const stateWords: Record<ActState, string> = {
  proposed: "Open",
  confirmed: "Confirmed, not in effect yet",
  registering: "Being registered",
  effective: "In effect",
  refused: "Refused",
  cancelled: "Cancelled",
  expired: "Expired",
  superseded: "Superseded",
};

/** What a state means for those who were asked. */
const stateSentences: Record<ActState, string> = {
  proposed: "Open. It takes effect when everyone who is asked has confirmed.",
  confirmed: "Everyone who is asked has confirmed. The change is not in effect yet.",
  registering: "Everyone who is asked has confirmed. The change takes effect when a registry has accepted it.",
  effective: "Everyone who was asked has confirmed. The change is in effect.",
  refused: "Refused. Nothing has changed.",
  cancelled: "Cancelled by the organization that proposed it. Nothing has changed.",
  expired: "Expired before everyone had confirmed, or before a registry had answered. Nothing has changed.",
  superseded: "Ended without effect, because another change took effect first.",
};

/** The same for one act. An act on many records changes them one after the other, and may skip some. */
export function stateSentence(act: Pick<Act, "state" | "document">): string {
  if ((documentOf(act).batch ?? null) !== null) {
    if (act.state === "confirmed") return "Everyone who is asked has confirmed. The records change one after the other.";
    if (act.state === "effective")
      return "Everyone who was asked has confirmed. The change is in effect for the records that are listed as done.";
    if (act.state === "superseded") return "Ended without effect, because none of the records could be changed.";
  }
  return stateSentences[act.state];
}

/** "1 record", "1,000 records" */
export const recordsWords = (count: number): string => (count === 1 ? "1 record" : `${count.toLocaleString("en")} records`);

const eachOf = (count: number): string => (count === 1 ? recordsWords(1) : `each of ${recordsWords(count)}`);

/** Ends with one full stop, also after a name such as "First Example Bank, N.A." */
export const sentence = (words: string): string => (words.endsWith(".") ? words : `${words}.`);

const roles: Readonly<Record<string, string>> = {
  controller: "Secured party on record",
  assignee: "New secured party",
  pledgee: "Pledgee",
  party: "Named party",
  custodian: "Custodian",
  admin: "Admin who did not propose it",
  approver: "Party that is changed",
  recipient: "Recipient",
};

export const roleWords = (role: string): string => roles[role] ?? role;

const methods: Record<ActApproval["method"], string> = {
  passkey: "with a passkey",
  code: "with a code sent by e-mail",
  session: "in the console",
  key: "with an API key",
  vault_key: "at another installation, which signed the decision",
};

/** "Confirmed by ann@bank.example with a passkey". A refusal has no proof of its own, so it says nothing of one. */
export const decisionWords = ({ decision, email, method }: ActApproval): string =>
  decision === "confirm" ? `Confirmed by ${email} ${methods[method]}` : `Refused by ${email}`;

/** The decision that answers a need. A decision of a party counts for every role in which the party was asked, one of an admin once. */
export function decisionOf({ approvals, needs }: Act, need: ActNeed): ActApproval | undefined {
  if (need.party_id !== null) return approvals.find(({ party_id }) => party_id === need.party_id);
  const before = needs.slice(0, needs.indexOf(need)).filter(({ role, party_id }) => party_id === null && role === need.role).length;
  return approvals.filter(({ role, party_id }) => party_id === null && role === need.role)[before];
}

export const needName = ({ name, role }: ActNeed): string => (name === "" && role === "admin" ? "An admin of the organization" : name);

/** "25.00 %" */
const shareWords = (share_bp: number): string => `${(share_bp / 100).toFixed(2)} %`;

/** "First Example Bank, N.A. (529900ODI3047E2LIV03)" */
export const partyWords = ({ name, identifier }: NamedParty): string => (identifier === null ? name : `${name} (${identifier})`);

/** What the document of an act on a record says that the act is about, as rows of a name and a value. */
export function subjectRows(act: Pick<Act, "document">): readonly (readonly [string, string])[] {
  const { party, share_bp, user, hold_id, vault = null, recipient = null } = documentOf(act);
  const rows: (readonly [string, string])[] = [];
  if (party !== null) rows.push(["Party", partyWords(party)]);
  if (share_bp !== null) rows.push(["Share", shareWords(share_bp)]);
  if (user !== null) rows.push(["Custodian", user.name], ["User ID of the custodian", user.user_id]);
  if (hold_id !== null) rows.push(["Legal hold", hold_id]);
  if (vault !== null) {
    rows.push(["Receiving vault, as the proposer calls it", vault.name]);
    rows.push(["Root of the receiving vault (SHA-256)", vault.root_sha256], ["Organization ID at the receiving vault", vault.org_id]);
  }
  if (recipient !== null) rows.push(["Recipient", recipient.name], ["E-mail address of the recipient", recipient.email]);
  return rows;
}

/** Completes "You confirm for … that". */
export function clauseOf(act: Pick<Act, "kind" | "document">): string {
  const { record_name, party, user, share_bp, vault, recipient, people, present_party, batch = null, needs = [] } = documentOf(act);
  const record = batch === null ? `the record “${record_name ?? ""}”` : eachOf(batch.count);
  const name = party?.name ?? "";
  switch (act.kind) {
    case "designate":
      return `${record} is assigned to ${name}`;
    case "correct_party":
      return `the secured party of ${record} is ${name} and not ${present_party?.name ?? ""}`;
    case "assign":
      return `${record} is assigned${present_party === null ? "" : ` by ${present_party.name}`} to ${name}`;
    case "release":
      return `${record} is released${present_party === null ? "" : ` by ${present_party.name}`} to ${name}`;
    case "participate":
      return `${name} gets a share of ${shareWords(share_bp ?? 0)} in ${record}`;
    case "pledge":
      return `${record} is pledged to ${name}`;
    case "release_pledge":
      return `the pledge of ${name} on ${record} ends`;
    case "designate_custodian":
      return `${user?.name ?? ""} is designated as custodian of ${record}`;
    case "move_custody":
      return `${user?.name ?? ""} becomes the custodian of ${record}`;
    case "acknowledge_control":
      return `${user?.name ?? ""} holds ${record} for ${present_party?.name ?? "the organization"}`;
    case "release_hold":
      return `a legal hold on ${record} ends`;
    // Whether it is taken there, a person there decides.
    case "transfer_out":
      return `${record} is offered for transfer to the vault of ${vault?.name ?? ""}${needs.some(({ role }) => role === "pledgee") ? ", and the pledges on it end when it is released" : ""}`;
    // It leaves when the recipient acknowledges the package.
    case "export_out":
      return `the original of ${record} is packed for ${recipient?.name ?? ""}, and leaves the vault when ${recipient?.email ?? ""} acknowledges it`;
    case "paper_out":
      return `the electronic original of ${record} ends, and ${recipient?.name ?? ""} prints it as paper`;
    case "destroy":
      return `${record} is destroyed`;
    // What the other vault has, no one here can know.
    case "recover":
      return `${record}, which was released to another vault, is the original here again, although that vault may have it too`;
    case "change_people":
      return people === null ? `the people of ${name} change` : peopleClause(people, name);
  }
}

function peopleClause(people: PeopleChange, name: string): string {
  if ("remove" in people) return `${people.remove.email} no longer acts for ${name}`;
  const { email, rights } = people.add;
  return rights === "approve" ? `${email} can confirm requests for ${name}` : `${email} can see the records of ${name}`;
}
