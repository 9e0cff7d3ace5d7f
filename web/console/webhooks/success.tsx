import { call } from "../api.ts";
import { useLive } from "../live.ts";
import { Bars } from "../parts/bars.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { en } from "../words/webhooks/en.ts";

const words = en.success;

const DAYS = 14;

/** The results of the attempts of the last two weeks. */
export function Success({ endpoint_id }: { endpoint_id: string }) {
  // Live, as the list below it: after a replay both show the same.
  const loaded = useLive(endpoint_id, () => call("get_endpoint_statistics", { params: { endpoint_id }, query: { days: DAYS } }));
  const figures = loaded.data;
  if (figures === null) return <ErrorNotice error={loaded.error} onRetry={loaded.reload} />;
  if (figures.success_rate === null) return null;
  const slowest = Math.max(0, ...figures.days.map(({ p95_ms }) => p95_ms ?? 0));
  return (
    <Card title={words.title(DAYS, percent(figures.success_rate))}>
      <Bars
        caption={words.caption(DAYS)}
        days={figures.days.map(({ day }) => day)}
        series={[
          { name: words.delivered, tone: "good", values: figures.days.map(({ succeeded }) => succeeded) },
          { name: words.failed, tone: "bad", values: figures.days.map(({ failed }) => failed) },
        ]}
      />
      <p class="quiet small">{words.slowest(slowest)}</p>
    </Card>
  );
}

/** Rounded down, so that 100 % means every attempt. */
const percent = (rate: number): number => (rate === 1 ? 100 : Math.floor(rate * 1_000) / 10);
