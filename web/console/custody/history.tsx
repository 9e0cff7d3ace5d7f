import { custodyTransferStatuses } from "@countersign/client/lists";
import type { CustodyTransfer, CustodyTransferStatus } from "@countersign/client/types";
import { list } from "../api.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { SelectField } from "../parts/field.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import type { People } from "../vault/people.ts";
import { TransferChip, transferWords } from "../vault/words.tsx";
import { useEnvelopeNames } from "./names.ts";

const WHOSE = [
  ["", "All"],
  ["to", "To you"],
  ["from", "From you"],
] as const;

/** All transfers with their outcomes. */
export function History({ people }: { people: People }) {
  const { user_id } = me().user;
  const status = (query.value.get("status") ?? "") as CustodyTransferStatus | "";
  const whose = (query.value.get("whose") ?? "") as "" | "to" | "from";
  const mine = whose === "to" ? { to_user_id: user_id } : whose === "from" ? { from_user_id: user_id } : {};
  const wanted = { ...mine, status, page: pageOf(), limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_custody_transfers", { query: wanted }));
  const nameOf = useEnvelopeNames(loaded.data?.data ?? []);
  const columns: readonly Column<CustodyTransfer>[] = [
    { head: "Document", cell: ({ envelope_id }) => nameOf(envelope_id) },
    { head: "From", cell: ({ from_user_id }) => people.nameOf(from_user_id) },
    { head: "To", cell: ({ to_user_id }) => people.nameOf(to_user_id) },
    { head: "State", cell: (transfer) => <TransferChip status={transfer.status} /> },
    { head: "Started", cell: ({ initiated_at }) => <When at={initiated_at} /> },
    { head: "Started by", cell: ({ initiated_by }) => people.actorOf(initiated_by), minor: true },
    { head: "Answered", cell: ({ decided_at }) => <When at={decided_at} otherwise="not yet" /> },
  ];
  return (
    <>
      <search class="filters">
        <SelectField label="Transfers" name="whose" value={whose} choices={WHOSE} onChoice={(chosen) => setQuery({ whose: chosen })} />
        <SelectField
          label="State"
          name="status"
          value={status}
          choices={[["", "Any"], ...custodyTransferStatuses.map((one) => [one, transferWords(one)] as const)]}
          onChoice={(chosen) => setQuery({ status: chosen })}
        />
      </search>
      <PagedTable
        loaded={loaded}
        caption="Custody transfers, newest first"
        columns={columns}
        keyOf={({ permission_id }) => permission_id}
        to={({ envelope_id }) => `/vault/${envelope_id}?tab=control`}
        empty={<Empty title="No transfers yet">Every custody transfer is listed here with its outcome.</Empty>}
      />
      <ApiCall operation="list_custody_transfers" />
    </>
  );
}
