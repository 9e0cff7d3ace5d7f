import type { ActDocument } from "./document.ts";

const LOST: Readonly<Record<string, string>> = { true: ", none of whose approvers can be reached" };

/** One line that says what is decided, for mails and pages. */
export function summaryOf(document: ActDocument): string {
  const { kind, party, user, share_bp, people, present_party } = document;
  const record = document.batch === null ? `the record “${document.record_name ?? ""}”` : recordsOf(document.batch);
  const name = party?.name ?? "";
  switch (kind) {
    case "designate":
      return `Confirm that ${document.batch === null || document.batch.count === 1 ? record : `each of ${record}`} is assigned to ${name}`;
    case "correct_party":
      return `Correct the secured party of ${record} from ${present_party?.name ?? ""} to ${name}`;
    case "assign":
      return `Assign ${record} ${present_party === null ? "" : `from ${present_party.name} `}to ${name}`;
    case "release":
      return `Release ${record} ${present_party === null ? "" : `from ${present_party.name} `}to ${name}`;
    case "participate":
      return `Give ${name} a share of ${((share_bp ?? 0) / 100).toFixed(2)} % in ${record}`;
    case "pledge":
      return `Pledge ${record} to ${name}`;
    case "release_pledge":
      return `End the pledge of ${name} on ${record}`;
    case "designate_custodian":
      return `Designate ${user?.name ?? ""} as custodian of ${record}`;
    case "move_custody":
      return `Make ${user?.name ?? ""} the custodian of ${record}`;
    case "acknowledge_control":
      return `State that ${user?.name ?? ""} holds ${record} for ${present_party?.name ?? "the organization"}`;
    case "release_hold":
      return `End a legal hold on ${record}`;
    case "transfer_out":
      return `Transfer ${record} to the vault of ${document.vault?.name ?? ""}${hasPledgee(document) ? ", which ends the pledges on it" : ""}`;
    case "export_out":
      return `Hand the original of ${record} over to ${document.recipient?.name ?? ""}, so that it leaves the vault`;
    case "paper_out":
      return `Replace ${record} by paper that ${document.recipient?.name ?? ""} prints, so that the electronic record ends`;
    case "destroy":
      return `Destroy ${record}`;
    case "recover":
      return `Take back ${record}, which was released to another vault that has not confirmed it`;
    case "change_people":
      if (people === null) return `Change who acts for ${name}`;
      return "add" in people
        ? `Let ${people.add.email} ${people.add.rights === "approve" ? "confirm requests" : "see records"} for ${name}${LOST[String(people.approvers_lost)] ?? ""}`
        : `Remove ${people.remove.email} from those who act for ${name}`;
  }
}

const recordsOf = ({ count }: NonNullable<ActDocument["batch"]>): string =>
  count === 1 ? "1 record" : `${count.toLocaleString("en")} records`;

/** A pledge stays with the vault that recorded it, so its holder is told what confirming means. */
const hasPledgee = ({ needs }: ActDocument): boolean => needs.some(({ role }) => role === "pledgee");
