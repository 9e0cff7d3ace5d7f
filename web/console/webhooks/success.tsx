import { call } from "../api.ts";
import { Bars } from "../parts/bars.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLoad } from "../use-load.ts";

const DAYS = 14;

/** How the attempts of the last two weeks ended. */
export function Success({ endpoint_id }: { endpoint_id: string }) {
  const loaded = useLoad(endpoint_id, () => call("get_endpoint_statistics", { params: { endpoint_id }, query: { days: DAYS } }));
  const figures = loaded.data;
  if (figures === null) return <ErrorNotice error={loaded.error} onRetry={loaded.reload} />;
  if (figures.success_rate === null) return null;
  const slowest = Math.max(0, ...figures.days.map(({ p95_ms }) => p95_ms ?? 0));
  return (
    <Card title={`Last ${DAYS} days: ${percent(figures.success_rate)} delivered`}>
      <Bars
        caption={`Attempts to deliver, by day, in the last ${DAYS} days`}
        days={figures.days.map(({ day }) => day)}
        series={[
          { name: "Delivered", tone: "good", values: figures.days.map(({ succeeded }) => succeeded) },
          { name: "Failed", tone: "bad", values: figures.days.map(({ failed }) => failed) },
        ]}
      />
      <p class="quiet small">On the slowest day, 19 of 20 attempts ended within {slowest.toLocaleString()} ms.</p>
    </Card>
  );
}

/** Never rounded up to all of them. */
const percent = (rate: number): string => `${rate === 1 ? 100 : Math.floor(rate * 1_000) / 10} %`;
