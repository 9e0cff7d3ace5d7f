import { envelopeStatuses } from "@countersign/client/lists";
import type { EnvelopeStatus, Statistics } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { isDraft } from "../envelopes/api.ts";
import { Link } from "../link.tsx";
import { Bars } from "../parts/bars.tsx";
import { Card } from "../parts/card.tsx";
import { statusLabel } from "../parts/chip.tsx";
import { formatDuration } from "../parts/countdown.tsx";

interface FiguresProps {
  readonly figures: Statistics;
  readonly days: number;
}

export function ByDay({ figures, days, actions }: FiguresProps & { readonly actions: ComponentChildren }) {
  const of = figures.days;
  return (
    <Card title="Envelopes by day" actions={actions}>
      <Bars
        caption={`Envelopes created, completed, and declined, voided or expired, by day, in the last ${days} days`}
        days={of.map(({ day }) => day)}
        series={[
          { name: "Created", tone: "accent", values: of.map(({ created }) => created) },
          { name: "Completed", tone: "good", values: of.map(({ completed }) => completed), beside: true },
          { name: "Declined, voided or expired", tone: "bad", values: of.map((one) => one.declined + one.voided + one.expired) },
        ]}
      />
    </Card>
  );
}

const tones: Partial<Record<EnvelopeStatus, string>> = {
  completed: "good",
  vaulted: "good",
  declined: "bad",
  voided: "bad",
  expired: "bad",
};

export function ByStatus({ figures: { by_status, discarded } }: { figures: Statistics }) {
  const drafts = envelopeStatuses.filter(isDraft).reduce((sum, status) => sum + by_status[status], 0);
  // As in the list: a discarded draft is neither a draft nor a voided envelope.
  const voided = by_status.voided - discarded;
  const lines = [
    { name: statusLabel("uploaded"), to: "/envelopes?stage=draft", tone: "accent", count: drafts },
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
    <Card title="All envelopes by status">
      <ul class="by-status">
        {lines.map(({ name, to, tone, count }) => (
          <li key={name}>
            <Link to={to} class="by-status-line">
              <span>{name}</span>
              <span class="by-status-track" aria-hidden="true">
                <span class={tone} style={{ inlineSize: `${(count / most) * 100}%` }} />
              </span>
              <span class="by-status-count">{count.toLocaleString()}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function TimeToSign({ figures, days }: FiguresProps) {
  const { median_s, p90_s, count } = figures.time_to_sign;
  if (median_s === null || p90_s === null) {
    return (
      <Card title="Time to sign">
        <p class="quiet">No envelopes were completed in the last {days} days.</p>
      </Card>
    );
  }
  return (
    <Card title="Time to sign">
      <dl class="big-figures">
        <div>
          <dt>Median</dt>
          <dd>{formatDuration(median_s)}</dd>
        </div>
        <div>
          <dt>90th percentile</dt>
          <dd>{formatDuration(p90_s)}</dd>
        </div>
      </dl>
      <p class="quiet small">
        From sending to the last signature. Based on {count === 1 ? "1 envelope" : `${count.toLocaleString()} envelopes`} completed in the
        last {days} days.
      </p>
    </Card>
  );
}

export function WebhookHealth({ figures, days }: FiguresProps) {
  const { endpoints, failing, days: of } = figures.webhooks;
  if (endpoints === 0) {
    return (
      <Card title="Webhooks">
        <p class="quiet">No endpoints yet. Add one so that your systems are notified of every signature.</p>
        <p>
          <Link to="/webhooks?new=1">Add endpoint</Link>
        </p>
      </Card>
    );
  }
  return (
    <Card title="Webhooks" actions={<Link to="/webhooks">{endpoints === 1 ? "1 endpoint" : `${endpoints} endpoints`}</Link>}>
      {failing > 0 && (
        <p class="notice bad">
          <Link to="/webhooks">{failing === 1 ? "1 endpoint is failing" : `${failing} endpoints are failing`}</Link>
        </p>
      )}
      <Bars
        caption={`Delivery attempts by day, in the last ${days} days`}
        days={of.map(({ day }) => day)}
        series={[
          { name: "Delivered", tone: "good", values: of.map(({ succeeded }) => succeeded) },
          { name: "Failed", tone: "bad", values: of.map(({ failed }) => failed) },
        ]}
      />
    </Card>
  );
}
