import { webhookDeliveryStatuses } from "@countersign/client/lists";
import type { ListDeliveriesQuery, WebhookAttempt, WebhookDeliveryStatus, WebhookEndpoint } from "@countersign/client/types";
import { isWide } from "../../ui/screen-size.ts";
import { list } from "../api.ts";
import { useLive } from "../live.ts";
import { query, setQuery } from "../navigation.ts";
import { Card } from "../parts/card.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { en as words } from "../words/webhooks/en.ts";
import { AttemptDrawer } from "./attempt-drawer.tsx";
import { useEventTypes } from "./event-types.tsx";
import type { Notice } from "./notice.ts";
import { TimeField } from "./time-field.tsx";
import { DeliveryChip, deliveryWords } from "./words.tsx";

const filters = ["status", "event_type", "event_id", "since", "until"] as const satisfies readonly (keyof ListDeliveriesQuery)[];
const EVENT_ID = /^evt_[0-9a-hjkmnp-tv-z]{26}$/;

interface DeliveryLogProps {
  readonly of: WebhookEndpoint;
  readonly onNotice: (notice: Notice) => void;
}

/** All attempts, newest first, updated live. The open delivery is in the address. */
export function DeliveryLog({ of, onNotice }: DeliveryLogProps) {
  const page = pageOf();
  const given = filtersFrom<ListDeliveriesQuery>(filters);
  // An incomplete id would be rejected while it is being typed.
  const wanted = { ...given, event_id: EVENT_ID.test(given.event_id ?? "") ? given.event_id : null };
  const { endpoint_id } = of;
  const loaded = useLive(JSON.stringify([endpoint_id, wanted, page]), () =>
    list("list_deliveries", { params: { endpoint_id }, query: { ...wanted, page, limit: 20 } }),
  );
  const open = query.value.get("delivery");
  const show = (delivery: string | null, attempt: string | null) => setQuery({ delivery, attempt, page: query.peek().get("page") });
  const columns: readonly Column<WebhookAttempt>[] = [
    {
      head: words.log.columns.event,
      cell: ({ delivery_id, attempt_id, event_type }) => (
        <button type="button" class="row-button" onClick={() => show(delivery_id, attempt_id)}>
          {event_type}
        </button>
      ),
    },
    { head: words.log.columns.result, cell: ({ status }) => <DeliveryChip status={status} /> },
    { head: words.log.columns.response, cell: (attempt) => responseOf(attempt) },
    { head: words.log.columns.attempt, cell: ({ attempt_count }) => attempt_count, end: true, minor: true },
    {
      head: words.log.columns.duration,
      cell: ({ duration_ms }) => (duration_ms === null ? "–" : words.log.duration(duration_ms)),
      end: true,
      minor: true,
    },
    { head: words.log.columns.when, cell: ({ attempted_at, created_at }) => <When at={attempted_at ?? created_at} /> },
  ];
  const isFiltered = filters.some((name) => query.value.has(name));
  return (
    <Card title={words.log.title}>
      <Filters isFiltered={isFiltered} />
      <PagedTable
        loaded={loaded}
        caption={words.log.caption}
        columns={columns}
        keyOf={({ attempt_id }) => attempt_id}
        empty={<p class="quiet">{isFiltered ? words.log.noMatch : words.log.none}</p>}
      />
      {open !== null && (
        <AttemptDrawer
          delivery_id={open}
          attempt_id={query.value.get("attempt")}
          isEnabled={of.enabled}
          onAttempt={(attempt) => show(open, attempt)}
          onClose={() => show(null, null)}
          onNotice={onNotice}
        />
      )}
    </Card>
  );
}

const responseOf = ({ response_code, error }: WebhookAttempt) => {
  if (response_code !== null) return String(response_code);
  return error === null ? <span class="quiet">–</span> : error.replaceAll("_", " ");
};

type StatusChoice = WebhookDeliveryStatus | "";

/** Collapsed on a phone, where the filters would push the list off the screen. */
function Filters({ isFiltered }: { isFiltered: boolean }) {
  const types = useEventTypes();
  const of = (name: string) => query.value.get(name) ?? "";
  return (
    <details class="log-filter" open={isFiltered || isWide.value}>
      <summary>{words.log.filter}</summary>
      <div class="log-filters">
        <SelectField<StatusChoice>
          label={words.log.result}
          name="status"
          value={of("status") as StatusChoice}
          choices={[["", words.log.any], ...webhookDeliveryStatuses.map((one) => [one, deliveryWords(one)] as const)]}
          onChoice={(status) => setQuery({ status })}
        />
        <SelectField
          label={words.log.eventType}
          name="event_type"
          value={of("event_type")}
          choices={[["", words.log.any], ...(types.data ?? []).map(({ event_type }) => [event_type, event_type] as const)]}
          onChoice={(event_type) => setQuery({ event_type })}
        />
        <TextField
          label={words.log.eventId}
          name="event_id"
          placeholder="evt_…"
          value={of("event_id")}
          onText={(event_id) => setQuery({ event_id: event_id.trim() })}
        />
        <TimeField label={words.log.since} name="since" at={of("since")} onTime={(since) => setQuery({ since })} />
        <TimeField label={words.log.until} name="until" at={of("until")} onTime={(until) => setQuery({ until })} />
        {isFiltered && (
          <button type="button" class="button quiet" onClick={() => setQuery(Object.fromEntries(filters.map((name) => [name, null])))}>
            {words.log.clear}
          </button>
        )}
      </div>
    </details>
  );
}
