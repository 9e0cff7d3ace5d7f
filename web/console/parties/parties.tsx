import type { CreatePartyRequest, Party } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Search } from "../customers/search.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/parties/en.ts";
import { NewPartyDialog } from "./party-dialogs.tsx";
import { peopleWords } from "./words.ts";

const w = en.parties;

const columns: readonly Column<Party>[] = [
  { head: w.name, cell: ({ name }) => name },
  { head: w.identifier, cell: ({ identifier }) => identifier ?? "–" },
  { head: w.whoConfirms, cell: peopleWords },
  { head: w.updated, cell: ({ updated_at }) => <When at={updated_at} />, minor: true },
];

/** Banks and others to whom records are assigned or pledged. */
export function Parties() {
  const search = (query.value.get("q") ?? "").trim();
  const wanted = { search, page: pageOf(), limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_parties", { query: wanted }));
  const [isCreating, setCreating] = useState(false);
  const create = async (body: CreatePartyRequest) => {
    const { name } = await call("create_party", { body });
    setCreating(false);
    showToast(w.wasAdded(name));
    await loaded.reload();
  };
  const creating = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      {w.newParty}
    </button>
  );
  const isEmpty = loaded.data?.meta.total === 0 && search === "";
  return (
    <Screen title={w.parties} lead={w.banksAndOthers} {...(may("parties:write") && !isEmpty && { actions: creating })}>
      <RequirePermission needs="parties:write" to={w.addOrChange}>
        {null}
      </RequirePermission>
      {!isEmpty && <Search label={w.search} hint={w.nameOrIdentifier} />}
      <PagedTable
        caption={w.partiesByName}
        loaded={loaded}
        columns={columns}
        keyOf={({ party_id }) => party_id}
        to={({ party_id }) => `/parties/${party_id}`}
        empty={
          search === "" ? (
            <Empty title={w.noPartiesYet} {...(may("parties:write") && { action: creating })}>
              {w.aPartyIs}
            </Empty>
          ) : (
            <Empty
              title={w.noMatchingParties}
              action={
                <button type="button" class="button" onClick={() => setQuery({ q: null })}>
                  {w.showAllParties}
                </button>
              }
            >
              {w.noPartyMatches(search)}
            </Empty>
          )
        }
      />
      <ApiCall operation="list_parties" given={{ query: wanted }} />
      {isCreating && <NewPartyDialog onSend={create} onClose={() => setCreating(false)} />}
    </Screen>
  );
}
