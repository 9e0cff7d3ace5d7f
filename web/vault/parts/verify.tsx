import type { VaultVerification } from "@countersign/client/pages";
import { dateAndTime } from "../../i18n/i18n.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { verifyNow } from "../actions.ts";
import { isVerifiable, record, verification } from "../record.ts";
import { ActionButton, Failure } from "./action-button.tsx";

/** Verifies the stored document and shows the result. */
export function Verify() {
  const last = record.value?.copy.verified_at ?? null;
  if (!isVerifiable.value) return null;
  return (
    <section class="stack tight">
      <h2>{vault.value.verifyTitle}</h2>
      <p class="small quiet">{vault.value.verifyLead}</p>
      <p class="small">{last === null ? vault.value.verifiedNever : vault.value.verifiedLast(dateAndTime(last))}</p>
      <ActionButton action="verify" run={verifyNow} meanwhile={vault.value.verifying}>
        {vault.value.verifyNow}
      </ActionButton>
      <Failure actions={["verify"]} />
      <div role="status">{verification.value !== null && <Found found={verification.value} />}</div>
    </section>
  );
}

const icons: Readonly<Record<string, IconName>> = { sound: "good", external: "good", self_operated: "note", unread: "note" };

function Found({ found }: { found: VaultVerification }) {
  const { lines } = vault.value;
  const bytes = found.match ? "sound" : found.found_sha256 === null ? "missing" : "broken";
  const { chain } = found;
  return (
    <div class="found stack tight">
      <p class={found.sound ? "notice good" : "notice bad"}>{found.sound ? vault.value.verifySound : vault.value.verifyBroken}</p>
      <ul class="lines">
        <Line result={bytes}>{lines.bytes[bytes]}</Line>
        <Line result={found.seal}>{lines.seal[found.seal]}</Line>
        <Line result={chain}>{chain === "sound" ? lines.chain.sound(found.entries) : lines.chain.broken}</Line>
        <Line result={found.registers}>{lines.registers[found.registers]}</Line>
        <Line result={found.timestamp}>{lines.timestamp[found.timestamp]}</Line>
      </ul>
      {!found.match && (
        <dl class="facts">
          <div>
            <dt>{vault.value.recordedHash}</dt>
            <dd class="hash">{found.recorded_sha256}</dd>
          </div>
          {found.found_sha256 !== null && (
            <div>
              <dt>{vault.value.foundHash}</dt>
              <dd class="hash">{found.found_sha256}</dd>
            </div>
          )}
        </dl>
      )}
      <p class="small quiet">{vault.value.verifyTook(dateAndTime(found.checked_at), (found.duration_ms / 1000).toFixed(1))}</p>
    </div>
  );
}

function Line({ result, children }: { result: string; children: string }) {
  return (
    <li>
      <Icon name={icons[result] ?? "bad"} /> <span>{children}</span>
    </li>
  );
}
