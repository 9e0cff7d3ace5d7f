import type { WebhookEndpoint, WebhookReplay, WebhookReplayStatus } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { choicesOf } from "../parts/choices.ts";
import { DAY_MS } from "../parts/durations.ts";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { EventTypesField, type Wanted } from "./event-types.tsx";
import type { Notice } from "./notice.ts";
import { TimeField } from "./time-field.tsx";

interface ReplayRangeProps {
  readonly of: WebhookEndpoint;
  readonly onClose: () => void;
  readonly onNotice: (notice: Notice) => void;
}

type StatusChoice = "" | WebhookReplayStatus;

const statusLabel: Record<StatusChoice, string> = {
  "": "Failed or not sent",
  failed: "Failed",
  cancelled: "Not sent",
  succeeded: "Delivered",
};

/** Counts the deliveries first, then replays them. */
export function ReplayRange({ of, onClose, onNotice }: ReplayRangeProps) {
  const sending = useSending();
  // If the endpoint failed or was disabled, the missing deliveries start there.
  const [since, setSince] = useState(() => of.disabled_at ?? of.failing_since ?? new Date(Date.now() - DAY_MS).toISOString());
  const [until, setUntil] = useState("");
  const [status, setStatus] = useState<StatusChoice>("");
  const [wanted, setWanted] = useState<Wanted>(null);
  const [counted, setCounted] = useState<number | null>(null);
  const [progress, setProgress] = useState(0);
  const params = { endpoint_id: of.endpoint_id };
  const range = {
    since,
    ...(until !== "" && { until }),
    ...(status !== "" && { status }),
    ...(wanted !== null && { event_types: wanted }),
  };
  const count = async () => setCounted((await call("replay_range", { params, body: { ...range, dry_run: true } })).matched);
  const replay = async () => {
    let queued = 0;
    for (let after: string | null | undefined; after !== null; ) {
      const one: WebhookReplay = await call("replay_range", { params, body: { ...range, ...(after !== undefined && { after }) } });
      queued += one.queued;
      setProgress(queued);
      after = one.next_after;
    }
    onNotice({ words: `${deliveries(queued)} queued for replay, oldest first.` });
    onClose();
  };
  if (counted !== null) {
    return (
      <Dialog title="Replay deliveries" onClose={onClose}>
        <Form sending={sending} onSend={replay}>
          <p role="status">{counted === 0 ? "No deliveries match." : `${deliveries(counted)} will be sent again to ${of.url}`}</p>
          {sending.isBusy && progress > 0 && <p>{progress.toLocaleString()} so far…</p>}
          <div class="buttons end">
            <button type="button" class="button" onClick={() => setCounted(null)}>
              Back
            </button>
            {counted > 0 && <SubmitButton sending={sending}>{`Replay ${deliveries(counted)}`}</SubmitButton>}
          </div>
        </Form>
      </Dialog>
    );
  }
  return (
    <Dialog title="Replay deliveries" onClose={onClose}>
      <Form sending={sending} onSend={count}>
        {!of.enabled && <p class="notice">The endpoint is disabled. You can count deliveries, but you must enable it to replay them.</p>}
        <p class="quiet">
          Each event is sent again with the same id and bytes, so that a receiver that remembers ids does not process it twice.
        </p>
        <div class="columns">
          <TimeField label="Since" name="since" at={since} onTime={setSince} sending={sending} />
          <TimeField label="Until" name="until" at={until} onTime={setUntil} optional sending={sending} />
        </div>
        <SelectField
          label="Deliveries"
          name="status"
          value={status}
          choices={choicesOf(statusLabel)}
          onChoice={setStatus}
          sending={sending}
        />
        <EventTypesField legend="Events" wanted={wanted} onWanted={setWanted} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Count deliveries</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

const deliveries = (count: number): string => (count === 1 ? "1 delivery" : `${count.toLocaleString()} deliveries`);
