import type { WebhookDeliveryWithPayload } from "@countersign/client/types";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { useLive } from "../live.ts";
import { ActionButton } from "../parts/button.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Skeleton } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { Exchange } from "./exchange.tsx";
import type { Notice } from "./notice.ts";
import { DeliveryState } from "./words.tsx";

interface AttemptDrawerProps {
  readonly delivery_id: string;
  /** null, or an attempt that is no longer stored: the latest is shown */
  readonly attempt_id: string | null;
  readonly isEnabled: boolean;
  readonly onAttempt: (attempt_id: string) => void;
  readonly onClose: () => void;
  readonly onNotice: (notice: Notice) => void;
}

/** One delivery: the request, the response and all attempts. */
export function AttemptDrawer({ delivery_id, attempt_id, isEnabled, onAttempt, onClose, onNotice }: AttemptDrawerProps) {
  const params = { delivery_id };
  const loaded = useLive(delivery_id, () => call("get_delivery", { params }));
  const delivery = loaded.data;
  const replay = async () => {
    await call("replay_delivery", { params });
    onNotice({ words: "The event is being sent again, with the same bytes and a new signature." });
    onClose();
  };
  return (
    <Dialog title={delivery?.event_type ?? "Delivery"} onClose={onClose}>
      <div class="drawer stack">
        <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
        {delivery === null && loaded.isSlow && <Skeleton />}
        {delivery !== null && (
          <>
            <About of={delivery} />
            <Replay isEnabled={isEnabled} onReplay={replay} />
            <Attempts of={delivery} attempt_id={attempt_id} onAttempt={onAttempt} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function About({ of }: { of: WebhookDeliveryWithPayload }) {
  return (
    <Facts
      facts={[
        ["State", <DeliveryState key="state" of={of} />],
        ...(of.status === "pending" && of.next_attempt_at !== null
          ? ([["Next attempt", <Countdown key="next" at={of.next_attempt_at} over="now" />]] as const)
          : []),
        ["Occurred", <When key="when" at={of.created_at} />],
        [
          "Event ID",
          <span key="event" class="mono">
            {of.event_id}
          </span>,
        ],
        ...(of.envelope_id === null
          ? []
          : ([
              [
                "Envelope",
                <Link key="envelope" to={`/envelopes/${of.envelope_id}`} class="mono">
                  {of.envelope_id}
                </Link>,
              ],
            ] as const)),
      ]}
    />
  );
}

function Replay({ isEnabled, onReplay }: { isEnabled: boolean; onReplay: () => Promise<unknown> }) {
  const sending = useSending();
  if (!isEnabled) return <p class="quiet">Enable the endpoint to replay this delivery.</p>;
  return (
    <RequireRole least="admin" to="replay">
      <div class="buttons">
        <ActionButton sending={sending} onAction={onReplay}>
          Replay
        </ActionButton>
      </div>
      <ErrorNotice error={sending.error} />
    </RequireRole>
  );
}

interface AttemptsProps {
  readonly of: WebhookDeliveryWithPayload;
  readonly attempt_id: string | null;
  readonly onAttempt: (attempt_id: string) => void;
}

function Attempts({ of, attempt_id, onAttempt }: AttemptsProps) {
  const [latest] = of.attempts;
  const shown = of.attempts.find((one) => one.attempt_id === attempt_id) ?? latest;
  if (shown === undefined) return <p class="quiet">No attempts yet.</p>;
  return (
    <>
      {of.attempts.length > 1 && (
        <fieldset class="choices">
          <legend>{of.attempts.length} attempts, latest first</legend>
          {of.attempts.map((one) => (
            <button
              key={one.attempt_id}
              type="button"
              class="choice"
              aria-pressed={one === shown}
              onClick={() => onAttempt(one.attempt_id)}
            >
              {one.attempt_count}: {one.response_code ?? one.error?.replaceAll("_", " ") ?? one.status}
            </button>
          ))}
        </fieldset>
      )}
      <Exchange of={shown} payload={of.payload_text} />
    </>
  );
}
