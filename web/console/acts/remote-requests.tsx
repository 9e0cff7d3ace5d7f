import type { RemoteRequest } from "@countersign/client/types";
import { list } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/acts/en.ts";
import { RequestChip } from "./remote-words.tsx";

const w = en.remoteRequests;

const columns: readonly Column<RemoteRequest>[] = [
  { head: w.request, cell: ({ summary }) => summary },
  { head: w.from, cell: ({ org_name, vault_name }) => (org_name === vault_name ? org_name : `${org_name} (${vault_name})`) },
  { head: w.state, cell: (request) => <RequestChip {...request} /> },
  { head: w.received, cell: ({ received_at }) => <When at={received_at} /> },
  { head: w.expiresOrClosed, cell: ({ expires_at, closed_at }) => <When at={closed_at ?? expires_at} />, minor: true },
];

/** What organizations at other installations ask. */
export function RemoteRequests() {
  const wanted = { page: pageOf(), limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_remote_requests", { query: wanted }));
  return (
    <>
      <PagedTable
        loaded={loaded}
        caption={w.requestsOfOther}
        columns={columns}
        keyOf={({ request_id }) => request_id}
        to={({ request_id }) => `/remote-requests/${request_id}`}
        empty={<Empty title={w.noRequestsFrom}>{w.onlyInstallationsThat}</Empty>}
      />
      <ApiCall operation="list_remote_requests" given={{ query: wanted }} />
    </>
  );
}
