import { envelopeStatuses } from "@countersign/client/lists";
import type { EnvelopeStatus, Statistics } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { isDraft } from "../envelopes/api.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { Bars } from "../parts/bars.tsx";
import { Card } from "../parts/card.tsx";
import { statusLabel } from "../parts/chip.tsx";
import { formatDuration } from "../parts/countdown.tsx";
import { en } from "../words/home/en.ts";

interface FiguresProps {
  readonly figures: Statistics;
  readonly days: number;
}

/** Envelopes by day, and how long people took to sign. */
export function ByDay({ figures, days, actions }: FiguresProps & { readonly actions: ComponentChildren }) {
  const words = en.figures;
  const of = figures.days;
  const { median_s, p90_s, count } = figures.time_to_sign;
  return (
    <Card title={words.title(days)} actions={actions}>
      <Bars
        caption={words.caption(days)}
        days={of.map(({ day }) => day)}
        series={[
          { name: words.created, tone: "plain", values: of.map(({ created }) => created) },
          { name: words.completed, tone: "accent", values: of.map(({ completed }) => completed), beside: true },
          { name: words.ended, tone: "bad", values: of.map((one) => one.declined + one.voided + one.expired), isUndrawn: true },
        ]}
        more={median_s === null ? [] : [[words.median, formatDuration(median_s)]]}
      />
      <p class="quiet small">{p90_s === null ? words.noneCompleted : words.spread(formatDuration(p90_s), count)}</p>
    </Card>
  );
}

const tones: Partial<Record<EnvelopeStatus, string>> = {
  completed: "good",
  vaulted: "good",
  declined: "bad",
  voided: "plain",
  expired: "plain",
};

export function ByStatus({ figures: { by_status, discarded } }: { figures: Statistics }) {
  const drafts = envelopeStatuses.filter(isDraft).reduce((sum, status) => sum + by_status[status], 0);
  // As in the list: a discarded draft is neither a draft nor a voided envelope.
  const voided = by_status.voided - discarded;
  const lines = [
    { name: statusLabel("uploaded"), to: "/envelopes?stage=draft", tone: "plain", count: drafts },
    ...envelopeStatuses
      .filter((status) => !isDraft(status))
      .map((status) => ({
        name: statusLabel(status),
        to: `/envelopes?status=${status}`,
        tone: tones[status] ?? "accent",
        count: status === "voided" ? voided : by_status[status],
      })),
  ];
  const most = Math.max(1, ...lines.map(({ count }) => count));
  return (
    <Card title={en.byStatus}>
      <ul class="by-status">
        {lines.map(({ name, to, tone, count }) => (
          <li key={name}>
            <Link to={to} class="by-status-line">
              <span>{name}</span>
              <span class="by-status-track" aria-hidden="true">
                <span class={tone} style={{ inlineSize: `${(count / most) * 100}%` }} />
              </span>
              <span class="by-status-count">{formatNumber(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function WebhookHealth({ figures, days }: FiguresProps) {
  const words = en.webhooks;
  const { endpoints, failing, days: of } = figures.webhooks;
  if (endpoints === 0) {
    return (
      <Card title={words.title}>
        <p class="quiet">{words.none}</p>
        <p>
          <Link to="/webhooks?new=1">{words.add}</Link>
        </p>
      </Card>
    );
  }
  return (
    <Card title={words.title} actions={<Link to="/webhooks">{words.endpoints(endpoints)}</Link>}>
      {failing > 0 && (
        <p class="notice bad">
          <Link to="/webhooks">{words.failing(failing)}</Link>
        </p>
      )}
      <Bars
        caption={words.caption(days)}
        days={of.map(({ day }) => day)}
        series={[
          { name: words.delivered, tone: "accent", values: of.map(({ succeeded }) => succeeded) },
          { name: words.failed, tone: "bad", values: of.map(({ failed }) => failed) },
        ]}
      />
    </Card>
  );
}
