import type { Attention, Statistics } from "@countersign/client/types";
import { call, list } from "../api.ts";
import { ForkAlarm } from "../evidence-log/fork-alarm.tsx";
import { formatToday } from "../format.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { serverNow } from "../server-now.ts";
import { may, me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as firstWords } from "../words/first-run/en.ts";
import { en as words } from "../words/home/en.ts";
import { inputTime } from "../zone-inputs.ts";
import { ByDay, ByStatus, WebhookHealth } from "./figures.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { StartCards } from "./start-cards.tsx";
import { Tiles } from "./tiles.tsx";

const LateCards = lazy(async () => (await import("./late-cards.tsx")).LateCards);

const periods = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;

export function Home() {
  const days = periods.find((one) => String(one) === query.value.get("days")) ?? DEFAULT_DAYS;
  const attention = useLoad("attention", () => call("get_attention"));
  const loaded = useLoad(`statistics ${days}`, () => call("get_statistics", { query: { days } }));
  const custody = useLoad("custody", () =>
    list("list_custody_transfers", { query: { to_user_id: me().user.user_id, status: "pending", limit: 1 } }),
  );
  const figures = loaded.data;
  const waiting = attention.data;
  const transfers = custody.data?.meta.total ?? 0;
  if (figures !== null && hasNoEnvelopes(figures)) {
    return (
      <Screen title={words.home} lead={may("envelopes:write") ? firstWords.homeLead : firstWords.homeLeadReading}>
        <ForkAlarm />
        <StartCards />
      </Screen>
    );
  }
  return (
    <Screen
      title={words.greeting(Number(inputTime(new Date(serverNow()).toISOString()).slice(11, 13)), me().user.name)}
      lead={waiting !== null && custody.data !== null && leadOf(waiting, transfers)}
      actions={
        may("envelopes:write") && (
          <>
            <Link to="/vault/deposit" class="button">
              <Glyph name="upload" />
              {words.upload}
            </Link>
            <Link to="/envelopes/new" class="button primary">
              <Glyph name="plus" />
              {words.newEnvelope}
            </Link>
          </>
        )
      }
    >
      <ForkAlarm />
      <ErrorNotice error={attention.error} onRetry={attention.reload} />
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {/* Each part has its place before it arrives, so that nothing moves. */}
      {waiting === null ? attention.isSlow && <Skeleton lines={2} /> : <Tiles of={waiting} figures={figures} />}
      <div class="home" aria-busy={loaded.isLoading}>
        <div class="home-column">
          {waiting === null ? (
            attention.isSlow && <Skeleton />
          ) : (
            <NeedsAttention of={waiting} figures={figures} days={days} custody={transfers} onChanged={attention.reload} />
          )}
          {figures !== null && (
            <>
              <ByStatus figures={figures} />
              <WebhookHealth figures={figures} days={days} />
            </>
          )}
        </div>
        {figures === null ? (
          loaded.isSlow && <Skeleton />
        ) : (
          <div class="home-column">
            <ByDay figures={figures} days={days} actions={<PeriodChoice days={days} />} />
            {/* With its code and data, it comes after what the user reads first. Nothing stands below it that could move. */}
            {waiting !== null && <LateCards />}
          </div>
        )}
      </div>
      <ApiCall operation="get_attention" />
    </Screen>
  );
}

/** The day, and how many things the user has to do. */
function leadOf({ waiting_for_me, undelivered, failed_deliveries }: Attention, transfers: number): string {
  const counts = [waiting_for_me, undelivered, failed_deliveries].filter((one) => one !== null);
  const count = counts.reduce((sum, one) => sum + one.count, transfers);
  const today = formatToday(new Date(serverNow()));
  const capped = counts.some(({ capped }) => capped);
  return `${today}. ${count === 0 ? words.caughtUp : words.need(capped ? words.more(count) : formatNumber(count))}`;
}

const hasNoEnvelopes = ({ by_status }: Statistics): boolean => Object.values(by_status).every((count) => count === 0);

function PeriodChoice({ days }: { days: number }) {
  return (
    <fieldset class="choices">
      <legend class="hidden-visually">{words.period}</legend>
      {periods.map((one) => (
        <button
          key={one}
          type="button"
          class="choice"
          aria-pressed={one === days}
          onClick={() => setQuery({ days: one === DEFAULT_DAYS ? null : String(one) })}
        >
          {words.days(one)}
        </button>
      ))}
    </fieldset>
  );
}
