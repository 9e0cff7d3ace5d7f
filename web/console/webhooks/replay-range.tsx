import type { WebhookEndpoint, WebhookReplay, WebhookReplayStatus } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { choicesOf } from "../parts/choices.ts";
import { Dialog } from "../parts/dialog.tsx";
import { DAY_MS } from "../parts/durations.ts";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { serverNow } from "../server-now.ts";
import { en } from "../words/webhooks/en.ts";
import { EventTypesField, type Wanted } from "./event-types.tsx";
import type { Notice } from "./notice.ts";
import { TimeField } from "./time-field.tsx";

const words = en.replay;

interface ReplayRangeProps {
  readonly of: WebhookEndpoint;
  readonly onClose: () => void;
  readonly onNotice: (notice: Notice) => void;
}

const notBegun = { queued: 0, after: null };

type StatusChoice = "" | WebhookReplayStatus;

const statusLabel: Record<StatusChoice, string> = words.states;

/** Counts the deliveries first, then replays them. */
export function ReplayRange({ of, onClose, onNotice }: ReplayRangeProps) {
  const sending = useSending();
  // If the endpoint failed or was disabled, the missing deliveries start there.
  const [since, setSince] = useState(() => of.disabled_at ?? of.failing_since ?? new Date(serverNow() - DAY_MS).toISOString());
  const [until, setUntil] = useState("");
  const [status, setStatus] = useState<StatusChoice>("");
  const [wanted, setWanted] = useState<Wanted>(null);
  const [counted, setCounted] = useState<number | null>(null);
  // How far it came: after a lost answer it continues there, and queues nothing again.
  const [done, setDone] = useState<{ readonly queued: number; readonly after: string | null }>(notBegun);
  const params = { endpoint_id: of.endpoint_id };
  const range = {
    since,
    ...(until !== "" && { until }),
    ...(status !== "" && { status }),
    ...(wanted !== null && { event_types: wanted }),
  };
  const count = async () => setCounted((await call("replay_range", { params, body: { ...range, dry_run: true } })).matched);
  const replay = async () => {
    let { queued, after } = done;
    do {
      const one: WebhookReplay = await call("replay_range", { params, body: { ...range, ...(after !== null && { after }) } });
      queued += one.queued;
      after = one.next_after;
      setDone({ queued, after });
    } while (after !== null);
    onNotice({ words: words.queued(queued) });
    onClose();
  };
  if (counted !== null) {
    return (
      <Dialog title={words.title} onClose={onClose}>
        <Form sending={sending} onSend={replay}>
          <p role="status">{counted === 0 ? words.none : words.counted(counted, of.url)}</p>
          {done.queued > 0 && <p>{words.soFar(done.queued)}</p>}
          <div class="buttons end">
            <button
              type="button"
              class="button"
              onClick={() => {
                setCounted(null);
                setDone(notBegun);
              }}
            >
              {words.back}
            </button>
            {counted > 0 && <SubmitButton sending={sending}>{words.confirm(counted)}</SubmitButton>}
          </div>
        </Form>
      </Dialog>
    );
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form sending={sending} onSend={count}>
        {!of.enabled && <p class="notice">{words.disabled}</p>}
        <p class="quiet">{words.text}</p>
        <div class="columns">
          <TimeField label={words.since} name="since" at={since} onTime={setSince} sending={sending} />
          <TimeField label={words.until} name="until" at={until} onTime={setUntil} optional sending={sending} />
        </div>
        <SelectField
          label={words.deliveries}
          name="status"
          value={status}
          choices={choicesOf(statusLabel)}
          onChoice={setStatus}
          sending={sending}
        />
        <EventTypesField legend={words.events} wanted={wanted} onWanted={setWanted} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending}>{words.count}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
