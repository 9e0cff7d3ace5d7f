import type { ComplianceStanding } from "@countersign/client/pages";
import { vault } from "../../i18n/vault/vault.ts";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { isDamaged, record } from "../record.ts";

const icons: Record<ComplianceStanding, IconName> = {
  proven: "good",
  attested: "attested",
  not_passed: "bad",
  left: "note",
  destroyed: "note",
  not_assessed: "note",
};

/** The score as on the certificate. Green is for records that anyone can recompute and that are unchanged. */
export function Score() {
  const now = record.value;
  if (now === null) return null;
  const { score, standing, proven_score } = now.certificate;
  return (
    <p class="score">
      <Icon name={standing === "proven" && isDamaged.value ? "note" : icons[standing]} />
      <span>
        {vault.value.score[standing](score)}{" "}
        {standing !== "proven" && proven_score !== null && <span class="score-proven">{vault.value.provenScore(proven_score)}</span>}
      </span>
    </p>
  );
}
