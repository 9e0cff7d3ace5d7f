import type { EventTypeDescription } from "@countersign/client/types";
import { listAll } from "../api.ts";
import { Chip } from "../parts/chip.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox } from "../parts/field.tsx";
import { type Loadable, useLoad } from "../use-load.ts";
import { en } from "../words/webhooks/en.ts";

const words = en.events;

export const useEventTypes = (): Loadable<readonly EventTypeDescription[]> => useLoad("event types", () => listAll("list_event_types"));

/** null: all events */
export type Wanted = readonly string[] | null;

export const wantedOf = (types: readonly string[]): Wanted => (types.length === 0 || types.includes("*") ? null : types);

interface EventTypesFieldProps {
  readonly legend: string;
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
  readonly hint?: string;
  readonly error?: string | null;
}

const kindOf = (type: string): string => type.slice(0, type.indexOf("."));
const wholeOf = (kind: string): string => `${kind}.*`;

const isWanted = (wanted: readonly string[], type: string): boolean =>
  wanted.some((one) => one === type || (one.endsWith(".*") && type.startsWith(one.slice(0, -1))));

/** Whether every selected event is reserved, that is, never sent. False until the event types are loaded. */
const isReservedOnly = (wanted: readonly string[], known: readonly EventTypeDescription[]): boolean =>
  known.length > 0 && known.every(({ event_type, status }) => status === "reserved" || !isWanted(wanted, event_type));

/** All events, or the selected ones. Selecting a whole kind includes event types that are added to it later. Test events are always sent. */
export function EventTypesField({ legend, wanted, onWanted, hint, error = null }: EventTypesFieldProps) {
  const loaded = useEventTypes();
  const known = (loaded.data ?? []).filter(({ event_type }) => event_type !== "webhook.test");
  const kinds = [...new Set(known.map(({ event_type }) => kindOf(event_type)))];
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="choices">
        <button type="button" class="choice" aria-pressed={wanted === null} onClick={() => onWanted(null)}>
          {words.all}
        </button>
        <button type="button" class="choice" aria-pressed={wanted !== null} onClick={() => onWanted(wanted ?? kinds.map(wholeOf))}>
          {words.selected}
        </button>
      </div>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {wanted !== null && (
        <div class="event-kinds">
          {kinds.map((kind) => (
            <Kind key={kind} kind={kind} known={known} wanted={wanted} onWanted={onWanted} />
          ))}
        </div>
      )}
      {wanted !== null && wanted.length > 0 && isReservedOnly(wanted, known) && (
        <p class="hint" role="status">
          {words.reservedOnly}
        </p>
      )}
      {error !== null && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface KindProps {
  readonly kind: string;
  readonly known: readonly EventTypeDescription[];
  readonly wanted: readonly string[];
  readonly onWanted: (wanted: Wanted) => void;
}

function Kind({ kind, known, wanted, onWanted }: KindProps) {
  const whole = wholeOf(kind);
  const isWhole = wanted.includes(whole);
  const others = wanted.filter((one) => kindOf(one) !== kind);
  const named = known.filter(({ event_type }) => kindOf(event_type) === kind);
  // Patterns that were set through the API, such as `vault.compliance.*`.
  const patterns = wanted.filter((one) => kindOf(one) === kind && one !== whole && !named.some(({ event_type }) => event_type === one));
  const lines = [...patterns.map((event_type) => ({ event_type, status: "dispatched" as const })), ...named];
  const tick = (type: string, isOn: boolean) => onWanted(isOn ? [...wanted, type] : wanted.filter((one) => one !== type));
  return (
    <div>
      <Checkbox
        label={<strong>{words.allOf(words.kinds[kind] ?? kind)}</strong>}
        checked={isWhole}
        onCheck={(isOn) => onWanted(isOn ? [...others, whole] : others)}
      />
      {!isWhole && (
        <div class="event-list">
          {lines.map(({ event_type, status }) => (
            <Checkbox
              key={event_type}
              label={
                <>
                  <code>{event_type}</code> {status === "reserved" && <Chip>{words.reserved}</Chip>}
                </>
              }
              checked={wanted.includes(event_type)}
              onCheck={(isOn) => tick(event_type, isOn)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
