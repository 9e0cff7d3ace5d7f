import type { OpenedVaultAssignee, OpenedVaultCustodyStep } from "@countersign/client/pages";
import { dateAndTime, utcTime } from "../../i18n/i18n.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { record } from "../record.ts";

/** Who keeps it, and how it came to them. */
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
      <History items={custody.map((step) => ({ at: step.since ?? step.until ?? step.initiated_at, said: custodySaid(step) }))} />
    </section>
  );
}

function custodySaid({ from, to, status }: OpenedVaultCustodyStep): string {
  return from === null ? vault.value.custodyFirst(to) : vault.value.custodyStep[status](from, to);
}

/** To whom the record is assigned. */
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
      <History items={assignments.map((step) => ({ at: step.recorded_at, said: partySaid(step) }))} />
    </section>
  );
}

function partySaid({ name, status, with_consent }: OpenedVaultAssignee): string {
  const { partyStep } = vault.value;
  return status === "effective" ? partyStep.effective(name, with_consent) : partyStep[status](name);
}

function History({ items }: { items: readonly { readonly at: string; readonly said: string }[] }) {
  if (items.length === 0) return null;
  return (
    <details class="history">
      <summary>{vault.value.history}</summary>
      <ol class="steps">
        {items.map(({ at, said }, index) => (
          <li key={index}>
            <span>{said}</span>
            <time class="quiet small" dateTime={at} title={utcTime(at)}>
              {dateAndTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </details>
  );
}
