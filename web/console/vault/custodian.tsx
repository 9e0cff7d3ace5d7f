import type { CustodyTransfer } from "@countersign/client/types";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { fromNow, Moment, When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";
import { TransferCustody } from "./transfer-custody.tsx";
import { TransferChip } from "./words.tsx";

const w = en.custodian;

/** The custodian, and the transfers of custody so far. */
export function Custodian(it: RecordProps) {
  const { envelope_id, copy, people } = it;
  const page = pageOf("transfers");
  const loaded = useLoad(`transfers ${page}`, () => list("list_custody_transfers", { query: { envelope_id, page, limit: 10 } }));
  const pending = loaded.data?.data.find(({ status }) => status === "pending");
  const columns: readonly Column<CustodyTransfer>[] = [
    { head: w.to, cell: ({ to_user_id }) => people.nameOf(to_user_id) },
    { head: w.from, cell: ({ from_user_id }) => people.nameOf(from_user_id) },
    { head: w.state, cell: ({ status }) => <TransferChip status={status} /> },
    { head: w.started, cell: ({ initiated_at }) => <When at={initiated_at} /> },
    { head: w.answered, cell: ({ decided_at }) => <When at={decided_at} /> },
    { head: w.reason, cell: ({ reason }) => reason ?? "–", minor: true },
  ];
  return (
    <Card title={w.custodian}>
      {copy.custodian === null ? (
        <p>{w.noCustodianCustody}</p>
      ) : (
        <Facts
          facts={[
            [w.custodian, <strong key="name">{people.nameOf(copy.custodian.user_id)}</strong>],
            [w.since, <Moment key="since" at={copy.custodian.since} />],
          ]}
        />
      )}
      {pending !== undefined && (
        <p class="notice">
          {w.offeredToThe(people.nameOf(pending.to_user_id), fromNow(pending.expires_at))}
          <Link to="/custody">{w.openCustody}</Link>
        </p>
      )}
      {pending === undefined && copy.state === "active" && <TransferCustody {...it} onBegun={loaded.reload} />}
      <h3>{w.transfers}</h3>
      <PagedTable
        loaded={loaded}
        caption={w.custodyTransfersOf}
        columns={columns}
        keyOf={({ permission_id }) => permission_id}
        pageName="transfers"
        empty={<p class="quiet">{w.noTransfersThe}</p>}
      />
    </Card>
  );
}
