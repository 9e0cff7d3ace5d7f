import { actStates } from "@countersign/client/lists";
import type { Act, ActState, ListActsQuery } from "@countersign/client/types";
import { stateWords } from "../../act-words.ts";
import { call, list } from "../api.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf, Skeleton, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { When } from "../parts/when.tsx";
import { isCustodian } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { RemoteRequests } from "./remote-requests.tsx";
import { ActChip, waitingFor } from "./words.tsx";

const TABS = [
  ["own", "Your organization"],
  ["requests", "Requests from others"],
] as const;

/** Acts: changes of who controls or keeps a record, which those concerned confirm. */
export function Acts() {
  return (
    <Screen title="Acts" lead="Changes of who controls or keeps a record. An act takes effect when everyone it asks has confirmed.">
      <Tabs label="Whose acts" tabs={isCustodian() ? TABS.slice(0, 1) : TABS}>
        {(tab) => (tab === "own" ? <Own /> : <FromOthers />)}
      </Tabs>
    </Screen>
  );
}

const columns: readonly Column<Act>[] = [
  { head: "Act", cell: ({ summary }) => summary },
  { head: "State", cell: (act) => <ActChip {...act} /> },
  { head: "Waiting for", cell: (act) => (act.state === "proposed" ? waitingFor(act).join(", ") : "–") },
  { head: "Proposed", cell: ({ proposed_at }) => <When at={proposed_at} /> },
  { head: "Expires or closed", cell: ({ expires_at, closed_at }) => <When at={closed_at ?? expires_at} />, minor: true },
];

const table = { columns, keyOf: ({ act_id }: Act) => act_id, to: ({ act_id }: Act) => `/acts/${act_id}` };

function Own() {
  const given = filtersFrom<ListActsQuery>(["state"]);
  const wanted = { ...given, page: pageOf(), limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_acts", { query: wanted }));
  const isFiltered = (given.state ?? "") !== "";
  return (
    <>
      <search class="filters">
        <SelectField
          label="State"
          name="state"
          value={(query.value.get("state") ?? "") as ActState | ""}
          choices={[["", "Any"], ...actStates.map((state) => [state, stateWords[state]] as const)]}
          onChoice={(state) => setQuery({ state })}
        />
      </search>
      <PagedTable {...table} loaded={loaded} caption="Acts of your organization, newest first" empty={<None isFiltered={isFiltered} />} />
      <ApiCall operation="list_acts" given={{ query: given }} />
    </>
  );
}

function None({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty
        title="No matching acts"
        action={
          <button type="button" class="button" onClick={() => setQuery({ state: null })}>
            Show all
          </button>
        }
      >
        No act has this state.
      </Empty>
    );
  }
  return (
    <Empty title="No acts yet">
      An act is proposed in the Control tab of a vaulted document, or when a document with a secured party's e-mail address is stored.
    </Empty>
  );
}

/** Other organizations, here and at other installations, name yours as a party. */
const FromOthers = () => (
  <>
    <h2>At this installation</h2>
    <FromHere />
    <h2>At other installations</h2>
    <RemoteRequests />
  </>
);

function FromHere() {
  const loaded = useLoad("requests", () => call("list_act_requests"));
  if (loaded.error !== null) return <ErrorNotice error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.data === null) return loaded.isSlow ? <Skeleton /> : null;
  return (
    <>
      {loaded.data.length === 0 ? (
        <Empty title="No requests">
          Open acts of other organizations of this installation appear here when they name your organization as a party.
        </Empty>
      ) : (
        <Table
          {...table}
          columns={[...columns.slice(0, 1), { head: "From", cell: ({ org_name }) => org_name }, ...columns.slice(1)]}
          rows={loaded.data}
          caption="Open acts of other organizations that ask yours"
        />
      )}
      <ApiCall operation="list_act_requests" />
    </>
  );
}
