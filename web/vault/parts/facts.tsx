import type { OpenedVault } from "@countersign/client/pages";
import type { ComponentChildren } from "preact";
import { dateAndTime, locale } from "../../i18n/i18n.ts";
import { utcTime } from "../../i18n/utc-time.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { record } from "../record.ts";

/** A copy without a source was signed here. */
const originOf = ({ signed_here, source }: OpenedVault["copy"]) => (signed_here || source === null ? "signed_here" : source);

export function Facts() {
  const now = record.value;
  if (now === null) return null;
  const { copy, time_source } = now;
  const { facts } = vault.value;
  const kilobytes = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 0 }).format(Math.max(1, copy.size / 1000));
  return (
    <section class="stack tight">
      <h2>{vault.value.factsTitle}</h2>
      <dl class="facts">
        <Fact name={facts.source}>{vault.value.source[originOf(copy)]}</Fact>
        <Fact name={facts.stored}>
          {dateAndTime(copy.stored_at)} <span class="quiet small">({utcTime(copy.stored_at)})</span>
        </Fact>
        <Fact name={facts.until}>{dateAndTime(copy.retention_until)}</Fact>
        <Fact name={facts.hold}>{copy.legal_hold ? vault.value.holdYes : vault.value.holdNo}</Fact>
        <Fact name={facts.time}>{vault.value.timeSource[time_source]}</Fact>
        <Fact name={facts.copy}>
          <code class="hash">{copy.copy_id}</code>
        </Fact>
        <Fact name={facts.hash}>
          <code class="hash">{copy.sha256}</code>
        </Fact>
        <Fact name={facts.size}>{vault.value.bytes(kilobytes)}</Fact>
      </dl>
    </section>
  );
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
