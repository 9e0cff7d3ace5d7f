import { vault } from "../../i18n/vault/vault.ts";
import { standingIcons } from "../../standing-icons.ts";
import { Icon } from "../../ui/icons.tsx";
import { isDamaged, record } from "../record.ts";

/** The score as on the certificate. Green is for records that anyone can recompute and that are unchanged. */
export function Score() {
  const now = record.value;
  if (now === null) return null;
  const { score, standing, proven_score } = now.certificate;
  return (
    <p class="score">
      <Icon name={standing === "proven" && isDamaged.value ? "note" : standingIcons[standing]} />
      <span>
        {vault.value.score[standing](score)}{" "}
        {standing !== "proven" && proven_score !== null && <span class="score-proven">{vault.value.provenScore(proven_score)}</span>}
      </span>
    </p>
  );
}
