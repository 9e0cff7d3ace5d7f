import { Type } from "typebox";
import type { Read } from "../db/sql.ts";
import { type Endpoint, reading } from "../http/endpoint.ts";
import { about, Day, iso, named, nullable, Timestamp } from "../http/shapes.ts";
import { lastDays, type Span } from "../shared/days.ts";
import type { OrgId } from "../shared/ids.ts";
import { type Status, statuses } from "./envelope.ts";
import { countEnvelopes, timeToSign } from "./statistics-store.ts";

export interface StatisticsDeps {
  /** the figures that webhooks/ counts */
  readonly countWebhooks: (read: Read, org: OrgId, span: Span) => Promise<WebhookFigures>;
}

interface WebhookFigures {
  readonly days: readonly { readonly day: string; readonly succeeded: number; readonly failed: number }[];
  readonly endpoints: number;
  readonly failing: number;
}

const Count = Type.Integer({ minimum: 0 });
const Seconds = nullable(Count);

const StatisticsView = named(
  "Statistics",
  Type.Object({
    since: about(Timestamp, "Start of the first day"),
    by_status: about(
      named("EnvelopeCounts", Type.Object(Object.fromEntries(statuses.map((status) => [status, Count])) as Record<Status, typeof Count>)),
      "All envelopes, whenever they were created",
    ),
    discarded: about(Count, "Drafts that were discarded; `by_status` counts them as voided"),
    days: Type.Array(
      named(
        "StatisticsDay",
        Type.Object({
          day: Day,
          created: Count,
          sent: Count,
          completed: Count,
          vaulted: Count,
          declined: Count,
          voided: about(Count, "Without discarded drafts"),
          expired: Count,
        }),
      ),
      { description: "Oldest first; the last day is today" },
    ),
    time_to_sign: named(
      "StatisticsTimeToSign",
      Type.Object(
        { median_s: Seconds, p90_s: Seconds, count: Count },
        {
          description:
            "Seconds from sent to completed, for the envelopes completed since, at most the latest 10,000; null if there are none",
        },
      ),
    ),
    webhooks: named(
      "StatisticsWebhooks",
      Type.Object({
        days: Type.Array(named("StatisticsWebhookDay", Type.Object({ day: Day, succeeded: Count, failed: Count })), {
          description: "Finished delivery attempts",
        }),
        endpoints: Count,
        failing: about(Count, "Endpoints whose latest attempts failed, except those that were disabled manually"),
      }),
    ),
  }),
);

const example = {
  since: "2026-01-05T00:00:00.000Z",
  by_status: {
    pending: 2,
    uploaded: 1,
    preparing: 4,
    sent: 12,
    viewed: 7,
    completed: 3,
    vaulted: 841,
    declined: 9,
    voided: 14,
    expired: 22,
  },
  discarded: 5,
  days: [{ day: "2026-01-05", created: 11, sent: 9, completed: 6, vaulted: 6, declined: 0, voided: 1, expired: 0 }],
  time_to_sign: { median_s: 5_400, p90_s: 97_200, count: 6 },
  webhooks: { days: [{ day: "2026-01-05", succeeded: 31, failed: 2 }], endpoints: 2, failing: 0 },
};

const DEFAULT_DAYS = 30;
// A quarter. The cost of the figures grows with the number of days, and a page waits for them.
const MAX_DAYS = 90;

/** The figures on an organization's overview page. */
export function statisticsEndpoints(deps: StatisticsDeps): Endpoint[] {
  return [
    reading({
      name: "get_statistics",
      summary: "Get statistics",
      description:
        "Returns the number of envelopes in each status, daily counts for envelopes and webhooks, and how long signing takes. Use it for a dashboard. Days are in UTC; the default is 30 days, the maximum 90.",
      resource: "Organization",
      sdk: "organization.statistics.get",
      path: "/org/statistics",
      access: { anyScope: ["envelopes:read"] },
      query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: DEFAULT_DAYS })) }),
      answer: [200, StatisticsView],
      examples: { answer: example },
      run: async ({ org }, { query }, read) => {
        const span = lastDays(query.days ?? DEFAULT_DAYS, Date.now());
        const { days, endpoints, failing } = await deps.countWebhooks(read, org, span);
        const counts = await countEnvelopes(read, org, span);
        return {
          since: iso(span.since),
          by_status: counts.by_status,
          discarded: counts.discarded,
          days: [...counts.days],
          time_to_sign: await timeToSign(read, org, span),
          webhooks: { days: days.map(({ day, succeeded, failed }) => ({ day, succeeded, failed })), endpoints, failing },
        };
      },
    }),
  ];
}
