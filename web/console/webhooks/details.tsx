import type { WebhookEndpoint } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { When } from "../parts/when.tsx";
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
        <Card title="Details">
          <Facts
            facts={[
              ["Health", <Health key="health" of={of} />],
              [
                "URL",
                <span key="url" class="mono">
                  {of.url}
                </span>,
              ],
              ["Description", of.description ?? "–"],
              ["Events", <Events key="events" types={of.event_types} />],
              ["Last success", <When key="success" at={of.last_success_at} otherwise="none yet" />],
              ["Created", <When key="created" at={of.created_at} />],
              [
                "ID",
                <span key="id" class="mono">
                  {of.endpoint_id}
                </span>,
              ],
            ]}
          />
        </Card>
        <Secret of={of} onChanged={onChanged} onNotice={onNotice} />
      </div>
      <Card title="Delete endpoint">
        <RequireRole least="admin" to="delete endpoints">
          <Delete of={of} />
        </RequireRole>
      </Card>
    </>
  );
}

function Events({ types }: { types: readonly string[] }) {
  if (types.includes("*")) return <>All events, including new event types</>;
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
      <p class="quiet">Pending deliveries are not sent, and the delivery log can no longer be read.</p>
      <div class="buttons">
        <button type="button" class="button danger" onClick={() => setAsked(true)}>
          Delete
        </button>
      </div>
      {isAsked && (
        <Confirm title="Delete endpoint" button="Delete endpoint" kind="danger" onConfirm={remove} onClose={() => setAsked(false)}>
          <p>
            <span class="mono">{of.url}</span> receives no more events. This cannot be undone. To pause deliveries, disable the endpoint
            instead.
          </p>
        </Confirm>
      )}
    </>
  );
}
