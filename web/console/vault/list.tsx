import { complianceStandings, vaultCopyStates } from "@countersign/client/lists";
import type { ComplianceStanding, ListVaultQuery, VaultCopyState, VaultedEnvelope } from "@countersign/client/types";
import { list } from "../api.ts";
import { ForkAlarm } from "../evidence-log/fork-alarm.tsx";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { Screen } from "../parts/screen.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { day, When } from "../parts/when.tsx";
import { isCustodian, may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault-list/en.ts";
import { type Origin, originOf, origins } from "./api.ts";
import { PolicyBanner } from "./policy-banner.tsx";
import { originWords, Standing, StateChip, standingWords, stateWords } from "./words.tsx";

const w = en.list;

const FILTERS = ["q", "state", "source", "signed_here", "standing", "passed"] as const satisfies readonly (keyof ListVaultQuery)[];

export function VaultList() {
  const given = filtersFrom<ListVaultQuery>(FILTERS);
  const wanted = { ...given, page: pageOf(), limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_vault", { query: wanted }));
  const isFiltered = FILTERS.some((name) => (given[name] ?? "") !== "");
  const isEmpty = !isFiltered && loaded.data?.meta.total === 0;
  return (
    <Screen title={w.vaultedDocuments} lead={w.signedAndSealed} {...(may("vault:write") && { actions: <ToDeposit /> })}>
      <ForkAlarm />
      {!isCustodian() && !isEmpty && loaded.data !== null && <PolicyBanner />}
      {!isEmpty && <Filters />}
      <PagedTable
        loaded={loaded}
        caption={w.vaultedDocumentsNewest}
        columns={columns}
        keyOf={({ envelope_id }) => envelope_id}
        to={({ envelope_id }) => `/vault/${envelope_id}`}
        empty={isFiltered ? <NoMatches /> : <EmptyVault />}
      />
      {!isEmpty && <ApiCall operation="list_vault" given={{ query: given }} />}
    </Screen>
  );
}

const columns: readonly Column<VaultedEnvelope>[] = [
  {
    head: w.name,
    cell: ({ envelope_name, external_id }) => (
      <>
        {envelope_name}
        {external_id !== null && <span class="beside quiet small">{external_id}</span>}
      </>
    ),
    more: (copy) => <span class="beside quiet small">{originWords[originOf(copy)]}</span>,
  },
  { head: w.state, cell: ({ state }) => <StateChip state={state} /> },
  { head: w.standing, cell: (copy) => <Standing {...copy} /> },
  { head: w.stored, cell: ({ stored_at }) => <When at={stored_at} /> },
  { head: w.retainedUntil, cell: ({ retention_until }) => <span class="date">{day(retention_until)}</span>, minor: true },
  { head: w.lastVerified, cell: ({ verified_at }) => <When at={verified_at} otherwise={w.notYet} /> },
];

function ToDeposit() {
  return (
    <Link to="/vault/deposit" class="button primary">
      {w.depositDocument}
    </Link>
  );
}

/** A document that was signed here and deposited manually has a `source` too, so the filter for deposits sets both. */
const filterOf: Record<Origin | "", { readonly source: string; readonly signed_here: string }> = {
  "": { source: "", signed_here: "" },
  signed_here: { source: "", signed_here: "true" },
  electronic_signed: { source: "electronic_signed", signed_here: "false" },
  paper_upload: { source: "paper_upload", signed_here: "false" },
};

function chosenOrigin(): Origin | "" {
  if (query.value.get("signed_here") === "true") return "signed_here";
  return (query.value.get("source") ?? "") as Origin | "";
}

function Filters() {
  return (
    <search class="filters vault-filters">
      <div class="grow">
        <SearchText />
      </div>
      <SelectField
        label={w.state}
        name="state"
        value={(query.value.get("state") ?? "") as VaultCopyState | ""}
        choices={[["", w.any], ...vaultCopyStates.map((state) => [state, stateWords(state)] as const)]}
        onChoice={(state) => setQuery({ state })}
      />
      <SelectField
        label={w.source}
        name="source"
        value={chosenOrigin()}
        choices={[["", w.any], ...origins.map((origin) => [origin, originWords[origin]] as const)]}
        onChoice={(origin) => setQuery(filterOf[origin])}
      />
      <SelectField
        label={w.standing}
        name="standing"
        value={(query.value.get("standing") ?? "") as ComplianceStanding | ""}
        choices={[["", w.any], ...complianceStandings.map((standing) => [standing, standingWords(standing)] as const)]}
        onChoice={(standing) => setQuery({ standing })}
      />
      <SelectField
        label={w.checks}
        name="passed"
        value={query.value.get("passed") ?? ""}
        choices={[
          ["", w.any],
          ["true", w.passed],
          ["false", w.notPassed],
        ]}
        onChoice={(passed) => setQuery({ passed })}
      />
    </search>
  );
}

function SearchText() {
  const [text, type] = useSearchText();
  return <TextField label={w.nameOrExternal} name="q" type="search" value={text} onText={type} maxLength={200} />;
}

function NoMatches() {
  return (
    <Empty
      title={w.noMatchingDocuments}
      action={
        <button type="button" class="button" onClick={() => setQuery(Object.fromEntries(FILTERS.map((name) => [name, null])))}>
          {w.showAll}
        </button>
      }
    >
      {w.noVaultedDocument}
    </Empty>
  );
}

function EmptyVault() {
  if (isCustodian()) {
    return <Empty title={w.noDocumentsIn}>{w.documentsAppearHere}</Empty>;
  }
  return (
    <Empty title={w.theVaultIs} {...(may("vault:write") && { action: <ToDeposit /> })} curl={<ApiCall operation="list_vault" />}>
      {w.envelopesThatWere}
    </Empty>
  );
}
