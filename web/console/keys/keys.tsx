import type { ApiKey, CreateKeyRequest, NewApiKey } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call, list } from "../api.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { defaultScopes } from "./api.ts";
import { KeyForm } from "./key-form.tsx";
import { ScopesSummary } from "./scopes.tsx";
import { KeyStatus } from "./status.tsx";

const createBody: CreateKeyRequest = { partner_name: "My backend", scopes: ["envelopes:read", "envelopes:write"] };

export function Keys() {
  return (
    <Screen
      title="API keys"
      lead="A key lets a program use the API: send documents, check their status, manage webhooks."
      {...(hasRole("admin") && { actions: <Create /> })}
    >
      <RequireRole least="admin" to="see and manage API keys">
        <KeyList />
      </RequireRole>
    </Screen>
  );
}

const Create = () => (
  <button type="button" class="button primary" onClick={() => setQuery({ new: "1" })}>
    Create key
  </button>
);

const columns: readonly Column<ApiKey>[] = [
  { head: "Name", cell: ({ partner_name }) => partner_name },
  { head: "Key", cell: ({ key_hint }) => <code>{key_hint}</code> },
  { head: "Permissions", cell: ({ scopes }) => <ScopesSummary scopes={scopes} /> },
  { head: "Limit per minute", cell: ({ rate_limit_rpm }) => rate_limit_rpm.toLocaleString(), end: true, minor: true },
  { head: "Last used", cell: ({ last_used_at }) => <When at={last_used_at} otherwise="never" /> },
  { head: "Status", cell: (key) => <KeyStatus of={key} /> },
];

function KeyList() {
  const page = pageOf();
  const loaded = useLoad(`keys ${page}`, () => list("list_keys", { query: { page, limit: 20 } }));
  const [made, setMade] = useState<NewApiKey | null>(null);
  const close = () => setQuery({ new: null });
  const create = async (body: CreateKeyRequest) => {
    setMade(await call("create_key", { body }));
    close();
  };
  const stored = () => {
    setMade(null);
    void loaded.reload();
  };
  return (
    <>
      <PagedTable
        loaded={loaded}
        caption="API keys"
        columns={columns}
        keyOf={({ key_id }) => key_id}
        to={({ key_id }) => `/keys/${key_id}`}
        empty={
          <Empty title="No API keys yet" action={<Create />}>
            A key is a secret that your program sends with each request. It is shown once, when you create it. You choose its permissions
            and can change them at any time. Give each program its own key.
          </Empty>
        }
      />
      {query.value.get("new") === "1" && (
        <Dialog title="Create key" onClose={close}>
          <KeyForm from={{ partner_name: "", scopes: defaultScopes }} button="Create key" onSend={create} onClose={close} />
        </Dialog>
      )}
      {made !== null && (
        <SecretOnce
          title="Your new key"
          lead={`Copy the key “${made.partner_name}” now. It is shown only once. Store it where your program keeps its secrets.`}
          secret={made.api_key}
          what="API key"
          onClose={stored}
        />
      )}
      <ApiCall operation="create_key" given={{ body: createBody }} credential="$TOKEN" />
    </>
  );
}
