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
import { hasRole, me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import type { TransfersProps } from "./incoming.tsx";
import { useEnvelopeNames } from "./names.ts";

interface Ending {
  readonly transfer: CustodyTransfer;
  /** of the document, which the list no longer knows once the transfer is over */
  readonly name: string;
}

/** What waits for somebody's answer: of what is in one's own custody, or of everybody's. */
export function Outgoing({ people, say }: TransfersProps) {
  const isAll = query.value.get("of") === "all";
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
    { head: "Ends", cell: ({ expires_at }) => <span title={utc(expires_at)}>{fromNow(expires_at)}</span> },
    {
      head: "Act",
      cell: (transfer) =>
        hasRole("member") && (
          <button type="button" class="button" onClick={() => setEnding({ transfer, name: nameOf(transfer.envelope_id) })}>
            Cancel<span class="hidden-visually"> the transfer of {nameOf(transfer.envelope_id)}</span>
          </button>
        ),
    },
  ];
  const cancel = async ({ transfer: { permission_id }, name }: Ending) => {
    await reloadOnConflict(() => call("cancel_custody_transfer", { params: { permission_id } }), loaded.reload);
    await loaded.reload();
    say(`The transfer of ${name} is cancelled; nothing has changed.`);
  };
  return (
    <>
      <fieldset class="choices">
        <legend class="hidden-visually">Whose</legend>
        <button type="button" class="choice" aria-pressed={!isAll} onClick={() => setQuery({ of: null })}>
          In your custody
        </button>
        <button type="button" class="choice" aria-pressed={isAll} onClick={() => setQuery({ of: "all" })}>
          Everybody's
        </button>
      </fieldset>
      <PagedTable
        loaded={loaded}
        caption="Transfers that wait for an answer"
        columns={columns}
        keyOf={({ permission_id }) => permission_id}
        to={({ envelope_id }) => `/vault/${envelope_id}?tab=custody`}
        empty={
          <Empty title="No transfer waits for an answer">
            {isAll
              ? "Nobody of the organization is asked to take custody at present."
              : "None of the originals in your custody is on its way to somebody else."}
          </Empty>
        }
      />
      <ApiCall operation="list_custody_transfers" given={{ query: waiting }} />
      {ending !== null && (
        <Confirm
          title="Cancel this transfer?"
          button="Cancel the transfer"
          onConfirm={() => cancel(ending)}
          onClose={() => setEnding(null)}
        >
          <p>
            {people.nameOf(ending.transfer.to_user_id)} can no longer accept it. “{ending.name}” stays with{" "}
            {people.nameOf(ending.transfer.from_user_id)}.
          </p>
        </Confirm>
      )}
    </>
  );
}
