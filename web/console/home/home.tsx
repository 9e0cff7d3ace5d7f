import type { Statistics } from "@countersign/client/types";
import { call, list } from "../api.ts";
import { ForkAlarm } from "../evidence-log/fork-alarm.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { ByDay, ByStatus, TimeToSign, WebhookHealth } from "./figures.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { StartCards } from "./start-cards.tsx";

const periods = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;

export function Home() {
  const days = periods.find((one) => String(one) === query.value.get("days")) ?? DEFAULT_DAYS;
  const loaded = useLoad(`statistics ${days}`, () => call("get_statistics", { query: { days } }));
  const custody = useLoad("custody", () =>
    list("list_custody_transfers", { query: { to_user_id: me().user.user_id, status: "pending", limit: 1 } }),
  );
  const figures = loaded.data;
  if (figures !== null && hasNoEnvelopes(figures)) {
    return (
      <Screen title="Home" lead="No envelopes yet. Here is how to get started. Your statistics will appear here later.">
        <ForkAlarm />
        <StartCards />
      </Screen>
    );
  }
  return (
    <Screen title="Home" actions={<PeriodChoice days={days} />}>
      <ForkAlarm />
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {figures === null && loaded.isSlow && <Skeleton />}
      {figures !== null && (
        <div class="home" aria-busy={loaded.isLoading}>
          <ByDay figures={figures} days={days} />
          <div class="home-column">
            <NeedsAttention figures={figures} days={days} custody={custody.data?.meta.total ?? 0} />
            <TimeToSign figures={figures} days={days} />
          </div>
          <ByStatus figures={figures} />
          <WebhookHealth figures={figures} days={days} />
        </div>
      )}
      <ApiCall operation="get_statistics" given={{ query: { days } }} />
    </Screen>
  );
}

const hasNoEnvelopes = ({ by_status }: Statistics): boolean => Object.values(by_status).every((count) => count === 0);

function PeriodChoice({ days }: { days: number }) {
  return (
    <fieldset class="choices">
      <legend class="hidden-visually">Period</legend>
      {periods.map((one) => (
        <button
          key={one}
          type="button"
          class="choice"
          aria-pressed={one === days}
          onClick={() => setQuery({ days: one === DEFAULT_DAYS ? null : String(one) })}
        >
          {one} days
        </button>
      ))}
    </fieldset>
  );
}
