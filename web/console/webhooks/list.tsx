import type { CreateEndpointRequest, WebhookEndpoint, WebhookEndpointWithSecret } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { navigate, query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { cut } from "../parts/cut.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/webhooks/en.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { VerifySnippet } from "./verify-snippet.tsx";
import { eventsWords, Health, nameOf } from "./words.tsx";

const createBody: CreateEndpointRequest = { url: "https://example.com/countersign", event_types: ["envelope.*", "vault.stored"] };

const columns: readonly Column<WebhookEndpoint>[] = [
  { head: words.columns.endpoint, cell: (endpoint) => <Named of={endpoint} /> },
  { head: words.columns.events, cell: ({ event_types }) => <span title={event_types.join("\n")}>{eventsWords(event_types)}</span> },
  { head: words.columns.health, cell: (endpoint) => <HealthCell of={endpoint} /> },
  { head: words.columns.success, cell: ({ last_success_at }) => <When at={last_success_at} otherwise={words.noSuccess} /> },
];

function Named({ of }: { of: WebhookEndpoint }) {
  return (
    <>
      {cut(nameOf(of))}
      {of.description !== null && <span class="quiet small endpoint-url">{cut(of.url)}</span>}
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
                {words.since} <When at={of.failing_since} />
              </>
            )
          : of.disabled_reason !== null && words.health.because[of.disabled_reason]}
      </span>
    </>
  );
}

const Add = () => (
  <button type="button" class="button primary" onClick={() => setQuery({ new: "1" })}>
    {words.add}
  </button>
);

export function Webhooks() {
  const page = pageOf();
  const loaded = useLoad(`endpoints ${page}`, () => list("list_endpoints", { query: { page, limit: 20 } }));
  return (
    <Screen title={words.title} lead={words.lead} {...(may("webhooks:write") && { actions: <Add /> })}>
      <RequirePermission needs="webhooks:write" to={words.listRole}>
        {null}
      </RequirePermission>
      <PagedTable
        loaded={loaded}
        caption={words.caption}
        columns={columns}
        keyOf={({ endpoint_id }) => endpoint_id}
        to={({ endpoint_id }) => `/webhooks/${endpoint_id}`}
        empty={
          <Empty title={words.none} {...(may("webhooks:write") && { action: <Add /> })}>
            {words.noneText}
          </Empty>
        }
      />
      {may("webhooks:write") && query.value.get("new") === "1" && <AddEndpoint />}
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
        title={words.secret.ofEndpoint}
        lead={words.secret.lead}
        secret={made.secret}
        what={words.secret.what}
        onClose={() => navigate(`/webhooks/${made.endpoint_id}`, { replace: true })}
      >
        <VerifySnippet />
      </SecretOnce>
    );
  }
  return (
    <Dialog title={words.add} onClose={close}>
      <EndpointForm from={{ url: "", description: null, event_types: ["*"] }} button={words.add} onSend={create} onClose={close} />
    </Dialog>
  );
}
