import type { VaultRecord } from "@countersign/client/types";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { fromNow, local, utc } from "../parts/when.tsx";
import { originOf } from "./api.ts";
import { Files } from "./files.tsx";
import { Holds } from "./holds.tsx";
import type { Recorded } from "./recorded.ts";
import { Retention } from "./retention.tsx";
import { day, originWords, sizeWords, stateWords } from "./words.tsx";

/** What the vault holds, what can be had of it, and how long it stays. */
export function Stored(it: Recorded) {
  const { copy, people, envelope_id } = it;
  const { custodian, secured_party, certificate } = copy;
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
            ["Legal hold", copy.legal_hold ? "Yes: it stays here until every hold is released" : "None"],
            ["Custodian", custodian === null ? "None: the original has left" : people.nameOf(custodian.user_id)],
            ["Secured party", secured_party?.name ?? "None on record"],
            ["Certificate", `${envelope_id}-r${certificate.revision} (revision ${certificate.revision})`],
          ]}
        />
      </Card>
      <Files {...it} />
      <Retention {...it} />
      <Holds {...it} />
    </>
  );
}

/** A time that may be quoted: both clocks are written out. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at}>
      {local(at)} <span class="quiet small">{utc(at)}</span>
    </time>
  );
}

function Verified({ state, verified_at }: Pick<VaultRecord, "state" | "verified_at">) {
  if (state === "tampered") return <strong class="score bad">Bytes and hash do not agree</strong>;
  if (verified_at === null) return <>Not looked at since it was stored; the vault does so at least once a day</>;
  return <span title={utc(verified_at)}>Verified {fromNow(verified_at)}: bytes and hash agree</span>;
}
