import type { CreateEndpointRequest, WebhookEndpoint, WebhookEndpointWithSecret } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call, list } from "../api.ts";
import { navigate, query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { VerifySnippet } from "./verify-snippet.tsx";
import { eventsWords, Health, nameOf, reasonOf } from "./words.tsx";

const createBody: CreateEndpointRequest = { url: "https://example.com/countersign", event_types: ["envelope.*", "vault.stored"] };

const columns: readonly Column<WebhookEndpoint>[] = [
  { head: "Endpoint", cell: (endpoint) => <Named of={endpoint} /> },
  { head: "Events", cell: ({ event_types }) => <span title={event_types.join("\n")}>{eventsWords(event_types)}</span> },
  { head: "Health", cell: (endpoint) => <HealthCell of={endpoint} /> },
  { head: "Last success", cell: ({ last_success_at }) => <When at={last_success_at} otherwise="none yet" /> },
];

function Named({ of }: { of: WebhookEndpoint }) {
  return (
    <>
      {nameOf(of)}
      {of.description !== null && <span class="quiet small endpoint-url">{of.url}</span>}
    </>
  );
}

function HealthCell({ of }: { of: WebhookEndpoint }) {
  return (
    <>
      <Health of={of} />{" "}
      <span class="quiet small">
        {of.enabled
          ? of.failing_since !== null && (
              <>
                since <When at={of.failing_since} />
              </>
            )
          : reasonOf(of)}
      </span>
    </>
  );
}

const Add = () => (
  <button type="button" class="button primary" onClick={() => setQuery({ new: "1" })}>
    Add endpoint
  </button>
);

export function Webhooks() {
  const page = pageOf();
  const loaded = useLoad(`endpoints ${page}`, () => list("list_endpoints", { query: { page, limit: 20 } }));
  return (
    <Screen
      title="Webhooks"
      lead="Notify your systems about events. Each event is sent as a signed POST request to the endpoints that are subscribed to it."
      {...(hasRole("admin") && { actions: <Add /> })}
    >
      <RequireRole least="admin" to="add and change endpoints">
        {null}
      </RequireRole>
      <PagedTable
        loaded={loaded}
        caption="Webhook endpoints"
        columns={columns}
        keyOf={({ endpoint_id }) => endpoint_id}
        to={({ endpoint_id }) => `/webhooks/${endpoint_id}`}
        empty={
          <Empty title="No endpoints yet" {...(hasRole("admin") && { action: <Add /> })}>
            An endpoint is a URL of your system. It receives every event at least once, in order, with a signature that proves that it comes
            from this service. Failed deliveries are retried for three days and can be replayed for 30 days.
          </Empty>
        }
      />
      {hasRole("admin") && query.value.get("new") === "1" && <AddEndpoint />}
      <ApiCall operation="create_endpoint" given={{ body: createBody }} />
    </Screen>
  );
}

function AddEndpoint() {
  const [made, setMade] = useState<WebhookEndpointWithSecret | null>(null);
  const close = () => setQuery({ new: null });
  const create = async (body: CreateEndpointRequest) => setMade(await call("create_endpoint", { body }));
  if (made !== null) {
    return (
      <SecretOnce
        title="Endpoint secret"
        lead="Endpoint added. Every delivery is signed with this secret. Store it where your receiver keeps its secrets."
        secret={made.secret}
        what="secret"
        onClose={() => navigate(`/webhooks/${made.endpoint_id}`, { replace: true })}
      >
        <VerifySnippet />
      </SecretOnce>
    );
  }
  return (
    <Dialog title="Add endpoint" onClose={close}>
      <EndpointForm from={{ url: "", description: null, event_types: ["*"] }} button="Add endpoint" onSend={create} onClose={close} />
    </Dialog>
  );
}
