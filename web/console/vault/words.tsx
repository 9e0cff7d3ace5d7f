import type { Compliance, ComplianceCheck, CustodyTransferStatus, VaultCopyState } from "@countersign/client/types";
import { Chip, type Tone } from "../parts/chip.tsx";
import type { Origin } from "./api.ts";

const states: Record<VaultCopyState, readonly [Tone, string]> = {
  active: ["good", "In the vault"],
  escrowed: ["waiting", "Being exported"],
  exported: ["plain", "Exported"],
  tampered: ["bad", "Tampered"],
  destroyed: ["plain", "Destroyed"],
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

/** The result of an evaluation, without any legal conclusion. */
export const scoreWords = (score: number, passed: boolean): string => `${score} of 100, ${passed ? "passed" : "not passed"}`;

/** What the score rests on. Green is for records that anyone can recompute. */
export function standingWords({ standing, proven_score }: Pick<Compliance, "standing" | "proven_score">): string {
  if (standing === "not_assessed") return "Not graded yet: evaluate again";
  return proven_score === null ? "" : `Proven: ${proven_score} of 100`;
}

export function Score({ score, passed }: { score: number; passed: boolean }) {
  return <span class={passed ? "score good" : "score bad"}>{scoreWords(score, passed)}</span>;
}

export const checkNames: Record<ComplianceCheck, string> = {
  single_authoritative_copy: "One authoritative copy",
  tamper_evident_record: "Tamper-evident record",
  custodian: "Custodian",
  signatures_complete: "Signatures complete",
  consent_and_attribution: "Consent and attribution",
  audit_trail: "Audit trail",
  copies_and_retention: "Copies and retention",
  secured_party: "Secured party",
};

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

const days = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
/** An absolute date, for days where "in 3 years" would not be exact enough. */
export const day = (iso: string): string => days.format(new Date(iso));

export const sizeWords = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString()} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
