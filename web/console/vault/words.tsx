import type {
  Compliance,
  ComplianceGrade,
  ComplianceStanding,
  CustodyTransferStatus,
  RecordType,
  VaultCopyState,
  VaultedEnvelope,
} from "@countersign/client/types";
import { Chip, type Tone } from "../parts/chip.tsx";
import type { Origin } from "./api.ts";

const states: Record<VaultCopyState, readonly [Tone, string]> = {
  active: ["good", "In the vault"],
  escrowed: ["waiting", "Being exported"],
  exported: ["plain", "Exported"],
  tampered: ["bad", "Tampered"],
  destroying: ["waiting", "Being destroyed"],
  destroyed: ["plain", "Destroyed"],
  transferred: ["plain", "Released to another vault"],
  papering: ["waiting", "Being replaced by paper"],
  papered: ["plain", "Replaced by paper"],
};

export const stateWords = (state: VaultCopyState): string => states[state][1];

export function StateChip({ state }: { state: VaultCopyState }) {
  const [tone, words] = states[state];
  return <Chip tone={tone}>{words}</Chip>;
}

export const originWords: Record<Origin, string> = {
  signed_here: "Signed with this service",
  electronic_signed: "Signed electronically elsewhere",
  paper_upload: "Signed on paper, scanned",
};

export const recordTypeWords: Record<RecordType, string> = {
  chattel_paper: "Chattel paper",
  transferable_record: "Transferable record",
  other: "Other",
};

type Result = Pick<VaultedEnvelope, "score" | "proven_score" | "standing">;

const standings: Record<ComplianceStanding, readonly [Tone, string]> = {
  proven: ["good", "Proven"],
  attested: ["caution", "Attested"],
  not_passed: ["bad", "Not passed"],
  left: ["plain", "Left the vault"],
  destroyed: ["plain", "Destroyed"],
  not_assessed: ["plain", "Not graded"],
};

export const standingWords = (standing: ComplianceStanding): string => standings[standing][1];

const endings: Record<ComplianceStanding, string> = {
  proven: "100 of 100, proven.",
  attested: "100 of 100, attested.",
  not_passed: "not passed.",
  left: "the copy left this vault.",
  destroyed: "the copy was destroyed.",
  not_assessed: "not graded.",
};

/** As on the certificate: "100 of 100, attested. Proven: 38 of 100." Without any legal conclusion. */
export function resultWords({ score, proven_score, standing: found }: Pick<Compliance, "score" | "proven_score" | "standing">): string {
  const standing = found ?? "not_assessed";
  const result = standing === "proven" || standing === "attested" ? endings[standing] : `${score} of 100, ${endings[standing]}`;
  return standing === "proven" || proven_score === null ? result : `${result} Proven: ${proven_score} of 100.`;
}

/**
 * The standing of a record and the points behind it. Green is for records that anyone can recompute, and that have not been damaged since
 * they were evaluated.
 */
export function Standing({ score, proven_score, standing, state }: Result & Pick<VaultedEnvelope, "state">) {
  const [tone, words] = standings[standing];
  return (
    <>
      <Chip tone={state === "tampered" && tone === "good" ? "plain" : tone}>{words}</Chip>
      <span class="points quiet small">
        {score} of 100{proven_score !== null && standing !== "proven" && `, ${proven_score} proven`}
      </span>
    </>
  );
}

export const gradeWords: Record<ComplianceGrade, string> = { proven: "proven", attested: "attested", not_shown: "not shown" };

const transfers: Record<CustodyTransferStatus, readonly [Tone, string]> = {
  pending: ["waiting", "Pending"],
  accepted: ["good", "Accepted"],
  rejected: ["bad", "Rejected"],
  cancelled: ["plain", "Cancelled"],
  expired: ["plain", "Expired"],
};

export const transferWords = (status: CustodyTransferStatus): string => transfers[status][1];

export function TransferChip({ status }: { status: CustodyTransferStatus }) {
  const [tone, words] = transfers[status];
  return <Chip tone={tone}>{words}</Chip>;
}

export const sizeWords = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString()} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
