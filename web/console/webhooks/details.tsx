import type { WebhookEndpoint } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { When } from "../parts/when.tsx";
import { en as words } from "../words/webhooks/en.ts";
import type { Notice } from "./notice.ts";
import { Secret } from "./secret-card.tsx";
import { Health } from "./words.tsx";

interface DetailsProps {
  readonly of: WebhookEndpoint;
  readonly onChanged: () => Promise<void>;
  readonly onNotice: (notice: Notice) => void;
}

export function Details({ of, onChanged, onNotice }: DetailsProps) {
  return (
    <>
      <div class="cards">
        <Card title={words.details.title}>
          <Facts
            facts={[
              [words.details.health, <Health key="health" of={of} />],
              [
                words.details.url,
                <span key="url" class="mono">
                  {of.url}
                </span>,
              ],
              [words.details.description, of.description ?? "–"],
              [words.details.events, <Events key="events" types={of.event_types} />],
              [words.details.success, <When key="success" at={of.last_success_at} otherwise={words.noSuccess} />],
              [words.details.created, <When key="created" at={of.created_at} />],
              [
                words.details.id,
                <span key="id" class="mono">
                  {of.endpoint_id}
                </span>,
              ],
            ]}
          />
        </Card>
        <Secret of={of} onChanged={onChanged} onNotice={onNotice} />
      </div>
      <Card title={words.remove.title}>
        <RequirePermission needs="webhooks:write" to={words.remove.role}>
          <Delete of={of} />
        </RequirePermission>
      </Card>
    </>
  );
}

function Events({ types }: { types: readonly string[] }) {
  if (types.includes("*")) return <>{words.details.allEvents}</>;
  return (
    <span class="event-chips">
      {types.map((type) => (
        <Chip key={type}>{type}</Chip>
      ))}
    </span>
  );
}

function Delete({ of }: { of: WebhookEndpoint }) {
  const [isAsked, setAsked] = useState(false);
  const remove = async () => {
    await call("delete_endpoint", { params: { endpoint_id: of.endpoint_id } });
    navigate("/webhooks", { replace: true });
  };
  return (
    <>
      <p class="quiet">{words.remove.text}</p>
      <div class="buttons">
        <button type="button" class="button danger" onClick={() => setAsked(true)}>
          {words.remove.button}
        </button>
      </div>
      {isAsked && (
        <Confirm title={words.remove.title} button={words.remove.title} kind="danger" onConfirm={remove} onClose={() => setAsked(false)}>
          <p>
            <span class="mono">{of.url}</span>
            {words.remove.confirm}
          </p>
        </Confirm>
      )}
    </>
  );
}
