import { actStates } from "@countersign/client/lists";
import type { Act, ActState, ListActsQuery } from "@countersign/client/types";
import { stateWords } from "../../act-words.ts";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type Column, PagedTable, pageOf, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { When } from "../parts/when.tsx";
import { isCustodian } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/acts/en.ts";
import { RemoteRequests } from "./remote-requests.tsx";
import { ActChip, waitingFor } from "./words.tsx";

const w = en.acts;

const TABS = [
  ["own", w.yourOrganization],
  ["requests", w.requestsFromOthers],
] as const;

/** Acts: changes of who controls or keeps a record, which those concerned confirm. */
export function Acts() {
  return (
    <Screen title={w.acts} lead={w.changesOfWho}>
      <Tabs label={w.whoseActs} tabs={isCustodian() ? TABS.slice(0, 1) : TABS}>
        {(tab) => (tab === "own" ? <Own /> : <FromOthers />)}
      </Tabs>
    </Screen>
  );
}

const columns: readonly Column<Act>[] = [
  { head: w.act, cell: ({ summary }) => summary },
  { head: w.state, cell: (act) => <ActChip {...act} /> },
  { head: w.waitingFor, cell: (act) => (act.state === "proposed" ? waitingFor(act).join(", ") : "–") },
  { head: w.proposed, cell: ({ proposed_at }) => <When at={proposed_at} /> },
  { head: w.expiresOrClosed, cell: ({ expires_at, closed_at }) => <When at={closed_at ?? expires_at} />, minor: true },
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
          label={w.state}
          name="state"
          value={(query.value.get("state") ?? "") as ActState | ""}
          choices={[["", w.any], ...actStates.map((state) => [state, stateWords[state]] as const)]}
          onChoice={(state) => setQuery({ state })}
        />
      </search>
      <PagedTable {...table} loaded={loaded} caption={w.actsOfYour} empty={<None isFiltered={isFiltered} />} />
      <ApiCall operation="list_acts" given={{ query: given }} />
    </>
  );
}

function None({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty
        title={w.noMatchingActs}
        action={
          <button type="button" class="button" onClick={() => setQuery({ state: null })}>
            {w.showAll}
          </button>
        }
      >
        {w.noActHas}
      </Empty>
    );
  }
  return (
    <Empty title={w.noActsYet} action={<ToVault>{w.openVault}</ToVault>}>
      {w.anActIs}
    </Empty>
  );
}

const ToVault = ({ children }: { children: string }) => (
  <Link to="/vault" class="button">
    {children}
  </Link>
);

/** Other organizations, here and at other installations, name yours as a party. */
const FromOthers = () => (
  <>
    <h2>{w.atThisInstallation}</h2>
    <FromHere />
    <h2>{w.atOtherInstallations}</h2>
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
        <Empty title={w.noRequests}>{w.openActsOf}</Empty>
      ) : (
        <Table
          {...table}
          columns={[...columns.slice(0, 1), { head: w.from, cell: ({ org_name }) => org_name }, ...columns.slice(1)]}
          rows={loaded.data}
          caption={w.openActsOfOther}
        />
      )}
      <ApiCall operation="list_act_requests" />
    </>
  );
}
