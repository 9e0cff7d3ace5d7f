import type { VaultRecord } from "@countersign/client/types";
import { canOpen } from "../can-open.ts";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { day, fromNow, Moment, utc } from "../parts/when.tsx";
import { originOf } from "./api.ts";
import { VaultDocument } from "./document.tsx";
import { Files } from "./files.tsx";
import type { RecordProps } from "./record-props.ts";
import { Retention } from "./retention.tsx";
import { originWords, recordTypeWords, sizeWords, stateWords } from "./words.tsx";

/** The stored record, its downloads and retention. */
export function Stored(it: RecordProps) {
  const { copy, people, envelope_id } = it;
  const { custodian, secured_party, certificate, instrument } = copy;
  return (
    <>
      <Card title="Stored record">
        <Facts
          facts={[
            ["State", stateWords(copy.state)],
            ["Origin", originWords[originOf(copy)]],
            [
              "SHA-256",
              <span key="hash" class="with-copy">
                <code class="mono">{copy.hash}</code> <Copy text={copy.hash} what="the SHA-256" />
              </span>,
            ],
            ["Size", sizeWords(copy.size)],
            ["Stored", <Moment key="stored" at={copy.stored_at} />],
            ["Last verified", <Verified key="verified" {...copy} />],
            ["Retained until", day(copy.retention_until)],
            ["Legal hold", copy.legal_hold ? "Yes. The original stays here until every hold is released." : "None"],
            ["Custodian", custodian === null ? "None. The original has left this vault." : people.nameOf(custodian.user_id)],
            ["Secured party", secured_party?.name ?? "None"],
            ["Type of record", recordTypeWords[copy.record_type]],
            ["Instrument", instrument === null ? "Not declared" : `${instrument.type} ${instrument.number} of ${instrument.date}`],
            ["Certificate", `${envelope_id}-r${certificate.revision} (revision ${certificate.revision})`],
            [
              "Status page",
              <span key="status" class="with-copy">
                <a href={copy.status_url}>{copy.status_url}</a> <Copy text={copy.status_url} what="the address of the status page" />
              </span>,
            ],
          ]}
        />
      </Card>
      {canOpen(`/envelopes/${envelope_id}`) && <VaultDocument {...it} />}
      <Files {...it} />
      <Retention {...it} />
    </>
  );
}

function Verified({ state, verified_at }: Pick<VaultRecord, "state" | "verified_at">) {
  if (state === "tampered") return <strong class="score bad">The file does not match its hash</strong>;
  if (verified_at === null) return <>Not verified since it was stored. The vault verifies each document at least once a day.</>;
  return <span title={utc(verified_at)}>Verified {fromNow(verified_at)}. The file matches its hash.</span>;
}
