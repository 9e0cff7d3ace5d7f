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
import { en } from "../words/custody/en.ts";
import { useEnvelopeNames } from "./names.ts";

const w = en.history;

const WHOSE = [
  ["", w.all],
  ["to", w.toYou],
  ["from", w.fromYou],
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
    { head: w.document, cell: ({ envelope_id }) => nameOf(envelope_id) },
    { head: w.from, cell: ({ from_user_id }) => people.nameOf(from_user_id) },
    { head: w.to, cell: ({ to_user_id }) => people.nameOf(to_user_id) },
    { head: w.state, cell: (transfer) => <TransferChip status={transfer.status} /> },
    { head: w.started, cell: ({ initiated_at }) => <When at={initiated_at} /> },
    { head: w.startedBy, cell: ({ initiated_by }) => people.actorOf(initiated_by), minor: true },
    { head: w.answered, cell: ({ decided_at }) => <When at={decided_at} otherwise={w.notYet} /> },
  ];
  return (
    <>
      <search class="filters">
        <SelectField label={w.transfers} name="whose" value={whose} choices={WHOSE} onChoice={(chosen) => setQuery({ whose: chosen })} />
        <SelectField
          label={w.state}
          name="status"
          value={status}
          choices={[["", w.any], ...custodyTransferStatuses.map((one) => [one, transferWords(one)] as const)]}
          onChoice={(chosen) => setQuery({ status: chosen })}
        />
      </search>
      <PagedTable
        loaded={loaded}
        caption={w.custodyTransfersNewest}
        columns={columns}
        keyOf={({ permission_id }) => permission_id}
        to={({ envelope_id }) => `/vault/${envelope_id}?tab=control`}
        empty={<Empty title={w.noTransfersYet}>{w.everyCustodyTransfer}</Empty>}
      />
      <ApiCall operation="list_custody_transfers" />
    </>
  );
}
