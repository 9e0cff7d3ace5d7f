import type { VaultRecord } from "@countersign/client/types";
import { canOpen } from "../can-open.ts";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { day, fromNow, Moment, utc } from "../parts/when.tsx";
import { en } from "../words/vault/en.ts";
import { originOf } from "./api.ts";
import { VaultDocument } from "./document.tsx";
import { Files } from "./files.tsx";
import type { RecordProps } from "./record-props.ts";
import { Retention } from "./retention.tsx";
import { originWords, recordTypeWords, sizeWords, stateWords } from "./words.tsx";

const w = en.stored;

/** The stored record, its downloads and retention. */
export function Stored(it: RecordProps) {
  const { copy, people, envelope_id } = it;
  const { custodian, secured_party, certificate, instrument } = copy;
  return (
    <>
      <Card title={w.storedRecord}>
        <Facts
          facts={[
            [w.state, stateWords(copy.state)],
            [w.origin, originWords[originOf(copy)]],
            [
              "SHA-256",
              <span key="hash" class="with-copy">
                <code class="mono">{copy.hash}</code> <Copy text={copy.hash} what={w.theSha256} />
              </span>,
            ],
            [w.size, sizeWords(copy.size)],
            [w.stored, <Moment key="stored" at={copy.stored_at} />],
            [w.lastVerified, <Verified key="verified" {...copy} />],
            [w.retainedUntil, day(copy.retention_until)],
            [w.legalHold, copy.legal_hold ? w.yesTheOriginal : w.none],
            [w.custodian, custodian === null ? w.noneTheOriginal : people.nameOf(custodian.user_id)],
            [w.securedParty, secured_party?.name ?? w.none],
            [w.typeOfRecord, recordTypeWords[copy.record_type]],
            [w.instrument, instrument === null ? w.notDeclared : w.of(instrument.type, instrument.number, instrument.date)],
            [w.certificate, w.revisionOf(envelope_id, certificate.revision)],
            [
              w.statusPage,
              <span key="status" class="with-copy">
                <a href={copy.status_url}>{copy.status_url}</a> <Copy text={copy.status_url} what={w.theAddressOf} />
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
  if (state === "tampered") return <strong class="score bad">{w.theFileDoes}</strong>;
  if (verified_at === null) return <>{w.notVerifiedSince}</>;
  return <span title={utc(verified_at)}>{w.verifiedTheFile(fromNow(verified_at))}</span>;
}
