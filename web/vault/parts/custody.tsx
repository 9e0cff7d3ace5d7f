import type { OpenedVaultAssignee, OpenedVaultCustodyStep } from "@countersign/client/pages";
import { dateAndTime } from "../../i18n/i18n.ts";
import { utcTime } from "../../i18n/utc-time.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { record } from "../record.ts";

/** The custodian and the history of custody. */
export function Custody() {
  const now = record.value;
  if (now === null) return null;
  const { custodian, custody } = now;
  return (
    <section class="stack tight">
      <h2>{vault.value.custodyTitle}</h2>
      {custodian === null ? (
        <p>{vault.value.custodyNone}</p>
      ) : (
        <p>
          <strong>{custodian.name}</strong> <span class="quiet">{vault.value.custodySince(dateAndTime(custodian.since))}</span>
        </p>
      )}
      <History items={custody.map((step) => ({ at: step.since ?? step.until ?? step.initiated_at, text: custodyText(step) }))} />
    </section>
  );
}

function custodyText({ from, to, status }: OpenedVaultCustodyStep): string {
  return from === null ? vault.value.custodyFirst(to) : vault.value.custodyStep[status](from, to);
}

/** The secured party and the history of assignments. */
export function Party() {
  const now = record.value;
  if (now === null) return null;
  const { secured_party: party, assignments } = now;
  return (
    <section class="stack tight">
      <h2>{vault.value.partyTitle}</h2>
      {party === null ? (
        <p>{vault.value.partyNone}</p>
      ) : (
        <div>
          <p>
            <strong>{party.name}</strong>
          </p>
          {[party.role, party.address, party.identifier]
            .filter((line) => line !== undefined && line !== "")
            .map((line) => (
              <p key={line} class="quiet small">
                {line}
              </p>
            ))}
        </div>
      )}
      <History items={assignments.map((step) => ({ at: step.recorded_at, text: partyText(step) }))} />
    </section>
  );
}

function partyText({ name, status, with_consent }: OpenedVaultAssignee): string {
  const { partyStep } = vault.value;
  return status === "effective" ? partyStep.effective(name, with_consent) : partyStep[status](name);
}

function History({ items }: { items: readonly { readonly at: string; readonly text: string }[] }) {
  if (items.length === 0) return null;
  return (
    <details class="history">
      <summary>{vault.value.history}</summary>
      <ol class="steps">
        {items.map(({ at, text }, index) => (
          <li key={index}>
            <span>{text}</span>
            <time class="quiet small" dateTime={at} title={utcTime(at)}>
              {dateAndTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </details>
  );
}
