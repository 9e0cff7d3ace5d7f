import type { CustodyTransfer } from "@countersign/client/types";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { fromNow, Moment, When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import type { RecordProps } from "./record-props.ts";
import { TransferCustody } from "./transfer-custody.tsx";
import { TransferChip } from "./words.tsx";

/** The custodian, and the transfers of custody so far. */
export function Custodian(it: RecordProps) {
  const { envelope_id, copy, people } = it;
  const page = pageOf("transfers");
  const loaded = useLoad(`transfers ${page}`, () => list("list_custody_transfers", { query: { envelope_id, page, limit: 10 } }));
  const pending = loaded.data?.data.find(({ status }) => status === "pending");
  const columns: readonly Column<CustodyTransfer>[] = [
    { head: "To", cell: ({ to_user_id }) => people.nameOf(to_user_id) },
    { head: "From", cell: ({ from_user_id }) => people.nameOf(from_user_id) },
    { head: "State", cell: ({ status }) => <TransferChip status={status} /> },
    { head: "Started", cell: ({ initiated_at }) => <When at={initiated_at} /> },
    { head: "Answered", cell: ({ decided_at }) => <When at={decided_at} /> },
    { head: "Reason", cell: ({ reason }) => reason ?? "–", minor: true },
  ];
  return (
    <Card title="Custodian">
      {copy.custodian === null ? (
        <p>No custodian. Custody ended when the original left this vault.</p>
      ) : (
        <Facts
          facts={[
            ["Custodian", <strong key="name">{people.nameOf(copy.custodian.user_id)}</strong>],
            ["Since", <Moment key="since" at={copy.custodian.since} />],
          ]}
        />
      )}
      {pending !== undefined && (
        <p class="notice">
          Offered to {people.nameOf(pending.to_user_id)}. The offer expires {fromNow(pending.expires_at)}. The custodian changes only when
          it is accepted. <Link to="/custody">Open custody</Link>
        </p>
      )}
      {pending === undefined && copy.state === "active" && <TransferCustody {...it} onBegun={loaded.reload} />}
      <h3>Transfers</h3>
      <PagedTable
        loaded={loaded}
        caption="Custody transfers of this document, newest first"
        columns={columns}
        keyOf={({ permission_id }) => permission_id}
        pageName="transfers"
        empty={<p class="quiet">No transfers. The custodian has not changed since the document was stored.</p>}
      />
    </Card>
  );
}
