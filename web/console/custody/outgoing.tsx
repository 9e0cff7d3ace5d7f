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
import { isCustodian, may, me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/custody/en.ts";
import type { TransfersProps } from "./incoming.tsx";
import { useEnvelopeNames } from "./names.ts";

const w = en.outgoing;

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
    { head: w.document, cell: ({ envelope_id }) => nameOf(envelope_id) },
    { head: w.from, cell: ({ from_user_id }) => people.nameOf(from_user_id) },
    { head: w.to, cell: ({ to_user_id }) => people.nameOf(to_user_id) },
    { head: w.reason, cell: ({ reason }) => reason ?? "–", minor: true },
    { head: w.expires, cell: ({ expires_at }) => <span title={utc(expires_at)}>{fromNow(expires_at)}</span> },
    {
      head: w.actions,
      cell: (transfer) =>
        may("custody:write") && (
          <button type="button" class="button" onClick={() => setEnding({ transfer, name: nameOf(transfer.envelope_id) })}>
            {w.cancel}
            <span class="hidden-visually">{w.theTransferOf(nameOf(transfer.envelope_id))}</span>
          </button>
        ),
    },
  ];
  const cancel = async ({ transfer: { permission_id }, name }: Ending) => {
    await reloadOnConflict(() => call("cancel_custody_transfer", { params: { permission_id } }), loaded.reload);
    await loaded.reload();
    say(w.transferOfCancelled(name));
  };
  return (
    <>
      {!isCustodian() && (
        <fieldset class="choices">
          <legend class="hidden-visually">{w.whichTransfers}</legend>
          <button type="button" class="choice" aria-pressed={!isAll} onClick={() => setQuery({ of: null })}>
            {w.inYourCustody}
          </button>
          <button type="button" class="choice" aria-pressed={isAll} onClick={() => setQuery({ of: "all" })}>
            {w.allTransfers}
          </button>
        </fieldset>
      )}
      <PagedTable
        loaded={loaded}
        caption={w.transfersWaitingFor}
        columns={columns}
        keyOf={({ permission_id }) => permission_id}
        to={({ envelope_id }) => `/vault/${envelope_id}?tab=control`}
        empty={<Empty title={w.noPendingTransfers}>{isAll ? w.noMemberOf : w.noneOfThe}</Empty>}
      />
      <ApiCall operation="list_custody_transfers" given={{ query: waiting }} />
      {ending !== null && (
        <Confirm title={w.cancelTransfer} button={w.cancelTransferWord} onConfirm={() => cancel(ending)} onClose={() => setEnding(null)}>
          <p>{w.canNoLonger(people.nameOf(ending.transfer.to_user_id), people.nameOf(ending.transfer.from_user_id), ending.name)}</p>
        </Confirm>
      )}
    </>
  );
}
