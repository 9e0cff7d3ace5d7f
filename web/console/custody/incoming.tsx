import type { CustodyTransfer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { fromNow, utc } from "../parts/when.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import type { People } from "../vault/people.ts";
import { en } from "../words/custody/en.ts";
import { AcceptDialog, RejectDialog } from "./answer.tsx";
import { useEnvelopeNames } from "./names.ts";

const w = en.incoming;

export interface TransfersProps {
  readonly people: People;
  readonly say: (words: string) => void;
}

interface Answering {
  readonly transfer: CustodyTransfer;
  readonly act: "accept" | "reject";
  /** name of the document: it is not in the list any more once the transfer is closed */
  readonly name: string;
}

/** Transfers offered to the signed-in user. Only they can answer them in the console. */
export function Incoming({ people, say }: TransfersProps) {
  const { user_id } = me().user;
  const page = pageOf();
  const loaded = useLoad(`incoming ${page}`, () =>
    list("list_custody_transfers", { query: { to_user_id: user_id, status: "pending", page, limit: 20 } }),
  );
  const nameOf = useEnvelopeNames(loaded.data?.data ?? []);
  const [answering, setAnswering] = useState<Answering | null>(null);
  const begin = (transfer: CustodyTransfer, act: Answering["act"]) => setAnswering({ transfer, act, name: nameOf(transfer.envelope_id) });
  const columns: readonly Column<CustodyTransfer>[] = [
    { head: w.document, cell: ({ envelope_id }) => nameOf(envelope_id) },
    { head: w.from, cell: ({ from_user_id }) => people.nameOf(from_user_id) },
    { head: w.reason, cell: ({ reason }) => reason ?? "–" },
    { head: w.expires, cell: ({ expires_at }) => <span title={utc(expires_at)}>{fromNow(expires_at)}</span> },
    {
      head: w.answer,
      cell: (transfer) =>
        transfer.initiated_by.id === user_id ? (
          <span class="small">{w.youStartedThis}</span>
        ) : (
          <div class="buttons answer">
            <button type="button" class="button primary" onClick={() => begin(transfer, "accept")}>
              {w.accept}
              <span class="hidden-visually"> {nameOf(transfer.envelope_id)}</span>
            </button>
            <button type="button" class="button" onClick={() => begin(transfer, "reject")}>
              {w.reject}
              <span class="hidden-visually"> {nameOf(transfer.envelope_id)}</span>
            </button>
          </div>
        ),
    },
  ];
  const done = async (words: string) => {
    await loaded.reload();
    say(words);
  };
  const Dialog = answering?.act === "accept" ? AcceptDialog : RejectDialog;
  return (
    <>
      <PagedTable
        loaded={loaded}
        caption={w.transfersWaitingFor}
        columns={columns}
        keyOf={({ permission_id }) => permission_id}
        to={({ envelope_id }) => `/vault/${envelope_id}?tab=control`}
        empty={<Nothing />}
      />
      {loaded.data !== null && loaded.data.meta.total > 0 && (
        <ApiCall operation="list_custody_transfers" given={{ query: { to_user_id: user_id, status: "pending" } }} />
      )}
      {answering !== null && (
        <Dialog
          transfer={answering.transfer}
          name={answering.name}
          from={people.nameOf(answering.transfer.from_user_id)}
          onDone={done}
          reload={loaded.reload}
          onClose={() => setAnswering(null)}
        />
      )}
    </>
  );
}

function Nothing() {
  return (
    <Empty
      title={w.noCustodyRequests}
      curl={
        <ApiCall
          operation="initiate_custody_transfer"
          given={{ params: { envelope_id: "ENVELOPE_ID" }, body: { to_user_id: me().user.user_id } }}
        />
      }
    >
      {w.theCustodianIs}
    </Empty>
  );
}
