import type {
  Compliance,
  ComplianceGrade,
  ComplianceStanding,
  CustodyTransferStatus,
  RecordType,
  VaultCopyState,
  VaultedEnvelope,
} from "@countersign/client/types";
import { formatNumber } from "../format-number.ts";
import { Chip, type Tone } from "../parts/chip.tsx";
import { en } from "../words/vault-states/en.ts";
import type { Origin } from "./api.ts";

const w = en.shared;

const states: Record<VaultCopyState, readonly [Tone, string]> = {
  active: ["good", w.inTheVault],
  escrowed: ["waiting", w.beingExported],
  exported: ["plain", w.exported],
  tampered: ["bad", w.tampered],
  destroying: ["waiting", w.beingDestroyed],
  destroyed: ["plain", w.destroyed],
  transferred: ["plain", w.releasedToAnother],
  papering: ["waiting", w.beingReplacedBy],
  papered: ["plain", w.replacedByPaper],
};

export const stateWords = (state: VaultCopyState): string => states[state][1];

export function StateChip({ state }: { state: VaultCopyState }) {
  const [tone, words] = states[state];
  return <Chip tone={tone}>{words}</Chip>;
}

export const originWords: Record<Origin, string> = {
  signed_here: w.signedWithThis,
  electronic_signed: w.signedElectronicallyElsewhere,
  paper_upload: w.signedOnPaper,
};

export const recordTypeWords: Record<RecordType, string> = {
  chattel_paper: w.chattelPaper,
  transferable_record: w.transferableRecord,
  other: w.other,
};

type Result = Pick<VaultedEnvelope, "score" | "proven_score" | "standing">;

const standings: Record<ComplianceStanding, readonly [Tone, string]> = {
  proven: ["good", w.proven],
  attested: ["caution", w.attested],
  not_passed: ["caution", w.notPassed],
  left: ["plain", w.leftTheVault],
  destroyed: ["plain", w.destroyed],
  not_assessed: ["plain", w.notGraded],
};

export const standingWords = (standing: ComplianceStanding): string => standings[standing][1];

const endings: Record<ComplianceStanding, string> = {
  proven: w.n100Of100,
  attested: w.n100Of100Attested,
  not_passed: w.notPassedWord,
  left: w.theCopyLeft,
  destroyed: w.theCopyWas,
  not_assessed: w.notGradedWord,
};

/** As on the certificate: "100 of 100, attested. Proven: 38 of 100." Without any legal conclusion. */
export function resultWords({ score, proven_score, standing: found }: Pick<Compliance, "score" | "proven_score" | "standing">): string {
  const standing = found ?? "not_assessed";
  const result = standing === "proven" || standing === "attested" ? endings[standing] : w.of100(score, endings[standing]);
  return standing === "proven" || proven_score === null ? result : w.provenOf100(result, proven_score);
}

/**
 * The standing of a record and the points behind it. Green is for records that anyone can recompute, and that have not been damaged since
 * they were evaluated. Red is for damaged ones: one that lacks something, such as a secured party, is not broken.
 */
export function Standing({ score, proven_score, standing, state }: Result & Pick<VaultedEnvelope, "state">) {
  const [tone, words] = standings[standing];
  const isDamaged = state === "tampered";
  return (
    <>
      {standing === "not_passed" ? (
        <Chip tone={isDamaged ? "bad" : tone} glyph="cross">
          {words}
        </Chip>
      ) : (
        <Chip tone={isDamaged && tone === "good" ? "plain" : tone}>{words}</Chip>
      )}
      <span class="points quiet small">
        {w.of100Of(score)}
        {proven_score !== null && standing !== "proven" && w.provenOf(proven_score)}
      </span>
    </>
  );
}

export const gradeWords: Record<ComplianceGrade, string> = w.grades;

const transfers: Record<CustodyTransferStatus, readonly [Tone, string]> = {
  pending: ["waiting", w.pending],
  accepted: ["good", w.accepted],
  rejected: ["bad", w.rejected],
  cancelled: ["plain", w.cancelled],
  expired: ["plain", w.expired],
};

export const transferWords = (status: CustodyTransferStatus): string => transfers[status][1];

export function TransferChip({ status }: { status: CustodyTransferStatus }) {
  const [tone, words] = transfers[status];
  return <Chip tone={tone}>{words}</Chip>;
}

export const sizeWords = (bytes: number): string =>
  bytes < 1_000_000 ? w.kb(formatNumber(Math.max(1, Math.round(bytes / 1_000)))) : w.mb((bytes / 1_000_000).toFixed(1));
