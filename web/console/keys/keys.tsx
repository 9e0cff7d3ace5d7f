import type { ApiKey, CreateKeyRequest, NewApiKey } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { serverNow } from "../server-now.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/keys/en.ts";
import { defaultScopes } from "./api.ts";
import { KeyForm } from "./key-form.tsx";
import { ScopesSummary } from "./scopes.tsx";
import { KeyStatus } from "./status.tsx";

const createBody: CreateKeyRequest = { partner_name: "My backend", scopes: ["envelopes:read", "envelopes:write"] };

export function Keys() {
  return (
    <Screen title={words.title} lead={words.lead} {...(may("keys:manage") && { actions: <Create /> })}>
      <RequirePermission needs="keys:manage" to={words.role}>
        <KeyList />
      </RequirePermission>
    </Screen>
  );
}

const Create = () => (
  <button type="button" class="button primary" onClick={() => setQuery({ new: "1" })}>
    {words.create}
  </button>
);

const columns: readonly Column<ApiKey>[] = [
  { head: words.columns.name, cell: ({ partner_name }) => partner_name },
  { head: words.columns.key, cell: ({ key_hint }) => <code class="unbroken">{key_hint}</code> },
  { head: words.columns.permissions, cell: ({ scopes }) => <ScopesSummary scopes={scopes} /> },
  { head: words.columns.limit, cell: ({ rate_limit_rpm }) => formatNumber(rate_limit_rpm), end: true, minor: true },
  { head: words.columns.used, cell: (key) => <LastUse of={key} /> },
  { head: words.columns.status, cell: (key) => <KeyStatus of={key} /> },
];

const LONG_UNUSED_MS = 90 * 24 * 3_600_000;

function LastUse({ of: { last_used_at, status } }: { of: ApiKey }) {
  const isLong = status === "active" && last_used_at !== null && serverNow() - Date.parse(last_used_at) > LONG_UNUSED_MS;
  return (
    <>
      <When at={last_used_at} otherwise={words.never} /> {isLong && <Chip tone="waiting">{words.unused}</Chip>}
    </>
  );
}

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
        caption={words.title}
        columns={columns}
        keyOf={({ key_id }) => key_id}
        to={({ key_id }) => `/keys/${key_id}`}
        empty={
          <Empty title={words.none} glyph="key" action={<Create />}>
            {words.noneText}
          </Empty>
        }
      />
      {query.value.get("new") === "1" && (
        <Dialog title={words.create} onClose={close}>
          <KeyForm from={{ partner_name: "", scopes: defaultScopes }} button={words.create} onSend={create} onClose={close} />
        </Dialog>
      )}
      {made !== null && (
        <SecretOnce
          title={words.secret.title}
          lead={words.secret.leadOf(made.partner_name)}
          secret={made.api_key}
          what={words.secret.what}
          onClose={stored}
        />
      )}
      <ApiCall operation="create_key" given={{ body: createBody }} credential="$TOKEN" />
    </>
  );
}
