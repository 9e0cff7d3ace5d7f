import type { CreatePartyRequest, Party } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Search } from "../customers/search.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { NewPartyDialog } from "./party-dialogs.tsx";
import { peopleWords } from "./words.ts";

const columns: readonly Column<Party>[] = [
  { head: "Name", cell: ({ name }) => name },
  { head: "Identifier", cell: ({ identifier }) => identifier ?? "–" },
  { head: "Who confirms", cell: peopleWords },
  { head: "Updated", cell: ({ updated_at }) => <When at={updated_at} />, minor: true },
];

/** Banks and others to whom records are assigned or pledged. */
export function Parties() {
  const search = (query.value.get("q") ?? "").trim();
  const wanted = { search, page: pageOf(), limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_parties", { query: wanted }));
  const [isCreating, setCreating] = useState(false);
  const [added, setAdded] = useState<Party | null>(null);
  const create = async (body: CreatePartyRequest) => {
    setAdded(await call("create_party", { body }));
    setCreating(false);
    await loaded.reload();
  };
  const creating = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      New party
    </button>
  );
  const isEmpty = loaded.data?.meta.total === 0 && search === "";
  return (
    <Screen
      title="Parties"
      lead="Banks and others to whom your records are assigned or pledged, and the people who confirm for them."
      {...(hasRole("admin") && !isEmpty && { actions: creating })}
    >
      <RequireRole least="admin" to="add or change parties">
        {null}
      </RequireRole>
      <StatusNotice>{added !== null && `${added.name} was added.`}</StatusNotice>
      {!isEmpty && <Search label="Search" hint="Name or identifier" />}
      <PagedTable
        caption="Parties by name"
        loaded={loaded}
        columns={columns}
        keyOf={({ party_id }) => party_id}
        to={({ party_id }) => `/parties/${party_id}`}
        empty={
          search === "" ? (
            <Empty title="No parties yet" {...(hasRole("admin") && { action: creating })}>
              A party is added when a document with a secured party's e-mail address is stored, or here. Its people confirm acts on a page
              of their own, with a passkey or a mailed code.
            </Empty>
          ) : (
            <Empty
              title="No matching parties"
              action={
                <button type="button" class="button" onClick={() => setQuery({ q: null })}>
                  Show all parties
                </button>
              }
            >
              No party matches “{search}”. The search covers name and identifier.
            </Empty>
          )
        }
      />
      <ApiCall operation="list_parties" given={{ query: wanted }} />
      {isCreating && <NewPartyDialog onSend={create} onClose={() => setCreating(false)} />}
    </Screen>
  );
}
