import type { CustodyTransfer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { fromNow, utc } from "../parts/when.tsx";
import { isCustodian, mayTransferCustody, me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import type { TransfersProps } from "./incoming.tsx";
import { useEnvelopeNames } from "./names.ts";

interface Ending {
  readonly transfer: CustodyTransfer;
  /** name of the document: it is not in the list any more once the transfer is closed */
  readonly name: string;
}

/** Pending transfers: of documents in the user's own custody, or of all documents. */
export function Outgoing({ people, say }: TransfersProps) {
  // A custodian sees no transfers of other documents.
  const isAll = !isCustodian() && query.value.get("of") === "all";
  const page = pageOf();
  const waiting = { ...(!isAll && { from_user_id: me().user.user_id }), status: "pending" } as const;
  const wanted = { ...waiting, page, limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_custody_transfers", { query: wanted }));
  const nameOf = useEnvelopeNames(loaded.data?.data ?? []);
  const [ending, setEnding] = useState<Ending | null>(null);
  const columns: readonly Column<CustodyTransfer>[] = [
    { head: "Document", cell: ({ envelope_id }) => nameOf(envelope_id) },
    { head: "From", cell: ({ from_user_id }) => people.nameOf(from_user_id) },
    { head: "To", cell: ({ to_user_id }) => people.nameOf(to_user_id) },
    { head: "Reason", cell: ({ reason }) => reason ?? "–", minor: true },
    { head: "Expires", cell: ({ expires_at }) => <span title={utc(expires_at)}>{fromNow(expires_at)}</span> },
    {
      head: "Actions",
      cell: (transfer) =>
        mayTransferCustody() && (
          <button type="button" class="button" onClick={() => setEnding({ transfer, name: nameOf(transfer.envelope_id) })}>
            Cancel<span class="hidden-visually"> the transfer of {nameOf(transfer.envelope_id)}</span>
          </button>
        ),
    },
  ];
  const cancel = async ({ transfer: { permission_id }, name }: Ending) => {
    await reloadOnConflict(() => call("cancel_custody_transfer", { params: { permission_id } }), loaded.reload);
    await loaded.reload();
    say(`Transfer of ${name} cancelled. The custodian stays the same.`);
  };
  return (
    <>
      {!isCustodian() && (
        <fieldset class="choices">
          <legend class="hidden-visually">Which transfers</legend>
          <button type="button" class="choice" aria-pressed={!isAll} onClick={() => setQuery({ of: null })}>
            In your custody
          </button>
          <button type="button" class="choice" aria-pressed={isAll} onClick={() => setQuery({ of: "all" })}>
            All transfers
          </button>
        </fieldset>
      )}
      <PagedTable
        loaded={loaded}
        caption="Transfers waiting for an answer"
        columns={columns}
        keyOf={({ permission_id }) => permission_id}
        to={({ envelope_id }) => `/vault/${envelope_id}?tab=control`}
        empty={
          <Empty title="No pending transfers">
            {isAll
              ? "No member of your organization has been asked to take custody."
              : "None of the originals in your custody is being transferred."}
          </Empty>
        }
      />
      <ApiCall operation="list_custody_transfers" given={{ query: waiting }} />
      {ending !== null && (
        <Confirm title="Cancel transfer?" button="Cancel transfer" onConfirm={() => cancel(ending)} onClose={() => setEnding(null)}>
          <p>
            {people.nameOf(ending.transfer.to_user_id)} can no longer accept it. {people.nameOf(ending.transfer.from_user_id)} stays the
            custodian of “{ending.name}”.
          </p>
        </Confirm>
      )}
    </>
  );
}
