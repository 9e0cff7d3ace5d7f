import type { VaultAccess } from "@countersign/client/pages";
import { useEffect } from "preact/hooks";
import { dateAndTime } from "../../i18n/i18n.ts";
import { utcTime } from "../../i18n/utc-time.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { openLog, openOlder } from "../actions.ts";
import { log } from "../log.ts";
import { ActionButton, Failure } from "./action-button.tsx";

export function LogPart() {
  useEffect(() => void openLog(), []);
  const now = log.value;
  return (
    <section class="stack tight">
      <h2 tabIndex={-1}>{vault.value.logTitle}</h2>
      <p class="small quiet">{vault.value.logLead}</p>
      {now !== null && now.items.length === 0 && <p>{vault.value.logEmpty}</p>}
      <ol class="steps log">
        {(now?.items ?? []).map((item) => (
          <li key={item.seq}>
            <span>
              <strong>{whoOf(item)}</strong> {whatOf(item)}
            </span>
            <time class="quiet small" dateTime={item.at} title={utcTime(item.at)}>
              {dateAndTime(item.at)}
            </time>
          </li>
        ))}
      </ol>
      <Failure actions={["log"]} />
      {now !== null && now.items.length > 0 && (
        <p class="small quiet" role="status">
          {vault.value.logCount(now.items.length, now.total)}
        </p>
      )}
      {now !== null && now.items.length < now.total && (
        <ActionButton action="log" run={openOlder}>
          {vault.value.logMore}
        </ActionButton>
      )}
    </section>
  );
}

function whoOf({ kind, who }: VaultAccess): string {
  if (who !== null) return who;
  return kind === "key" || kind === "system" || kind === "vault" ? vault.value.who[kind] : vault.value.who.erased;
}

function whatOf({ what }: VaultAccess): string {
  const labels = vault.value.what;
  return what !== null && Object.hasOwn(labels, what) ? labels[what as keyof typeof labels] : labels.other;
}
