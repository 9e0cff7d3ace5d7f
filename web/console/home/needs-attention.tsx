import type { Statistics } from "@countersign/client/types";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";

interface NeedsAttentionProps {
  readonly figures: Statistics;
  readonly days: number;
  /** custody transfers that the current user can accept */
  readonly custody: number;
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count.toLocaleString()} ${many}`);

/** Everything that will not continue without the user. */
export function NeedsAttention({ figures, days, custody }: NeedsAttentionProps) {
  const { by_status } = figures;
  const ended = (what: "declined" | "expired") => figures.days.reduce((sum, day) => sum + day[what], 0);
  const [declined, expired] = [ended("declined"), ended("expired")];
  const lines = [
    {
      count: custody,
      to: "/custody",
      words: counted(custody, "custody transfer needs your answer", "custody transfers need your answer"),
    },
    { count: by_status.uploaded, to: "/envelopes?status=uploaded", words: counted(by_status.uploaded, "draft to send", "drafts to send") },
    {
      count: by_status.pending,
      to: "/envelopes?status=pending",
      words: counted(by_status.pending, "envelope needs a document", "envelopes need a document"),
    },
    {
      count: declined,
      to: "/envelopes?status=declined",
      words: `${counted(declined, "envelope", "envelopes")} declined in the last ${days} days`,
    },
    {
      count: expired,
      to: "/envelopes?status=expired",
      words: `${counted(expired, "envelope", "envelopes")} expired in the last ${days} days`,
    },
  ].filter(({ count }) => count > 0);
  return (
    <Card title="Needs attention">
      {lines.length === 0 ? (
        <p class="quiet">Nothing needs your attention.</p>
      ) : (
        <ul class="needs-attention">
          {lines.map(({ to, words }) => (
            <li key={to}>
              <Link to={to}>{words}</Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
