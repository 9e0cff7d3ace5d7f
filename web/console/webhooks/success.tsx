import { call } from "../api.ts";
import { useLive } from "../live.ts";
import { Bars } from "../parts/bars.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";

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
    <Card title={`Last ${DAYS} days: ${percent(figures.success_rate)} of attempts delivered`}>
      <Bars
        caption={`Delivery attempts per day, last ${DAYS} days`}
        days={figures.days.map(({ day }) => day)}
        series={[
          { name: "Delivered", tone: "good", values: figures.days.map(({ succeeded }) => succeeded) },
          { name: "Failed", tone: "bad", values: figures.days.map(({ failed }) => failed) },
        ]}
      />
      <p class="quiet small">95th percentile on the slowest day: {slowest.toLocaleString()} ms.</p>
    </Card>
  );
}

/** Rounded down, so that 100 % means every attempt. */
const percent = (rate: number): string => `${rate === 1 ? 100 : Math.floor(rate * 1_000) / 10} %`;
