import type { WebhookDeliveryWithPayload } from "@countersign/client/types";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { useLive } from "../live.ts";
import { ActionButton } from "../parts/button.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/webhooks/en.ts";
import { Exchange } from "./exchange.tsx";
import type { Notice } from "./notice.ts";
import { DeliveryState } from "./words.tsx";

const { facts } = words.delivery;

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
    onNotice({ words: words.delivery.replayed });
    onClose();
  };
  return (
    <Dialog title={delivery?.event_type ?? words.delivery.title} onClose={onClose}>
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
        [facts.state, <DeliveryState key="state" of={of} />],
        ...(of.status === "pending" && of.next_attempt_at !== null
          ? ([[facts.next, <Countdown key="next" at={of.next_attempt_at} over={words.now} />]] as const)
          : []),
        [facts.occurred, <When key="when" at={of.created_at} />],
        [
          facts.event,
          <span key="event" class="mono">
            {of.event_id}
          </span>,
        ],
        ...(of.envelope_id === null
          ? []
          : ([
              [
                facts.envelope,
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
  if (!isEnabled) return <p class="quiet">{words.delivery.disabled}</p>;
  return (
    <RequirePermission needs="webhooks:write" to={words.delivery.replayRole}>
      <div class="buttons">
        <ActionButton sending={sending} onAction={onReplay}>
          {words.delivery.replay}
        </ActionButton>
      </div>
      <ErrorNotice error={sending.error} />
    </RequirePermission>
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
  if (shown === undefined) return <p class="quiet">{words.delivery.noAttempts}</p>;
  return (
    <>
      {of.attempts.length > 1 && (
        <fieldset>
          <legend>{words.delivery.attempts(of.attempts.length)}</legend>
          <div class="choices">
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
          </div>
        </fieldset>
      )}
      <Exchange of={shown} payload={of.payload_text} />
    </>
  );
}
