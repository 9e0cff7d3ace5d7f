import type { Transparency } from "@countersign/client/types";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { fromNow, Moment } from "../parts/when.tsx";
import { en } from "../words/evidence-log/en.ts";

const w = en.logState;

/** The public name of the log and its latest signed state. */
export function LogState({ log }: { log: Transparency }) {
  const { origin, latest, vkeys, restarts } = log;
  if (origin === null || latest === null) {
    return (
      <Card title={w.log}>
        <p class="quiet">{w.noCheckpointYet}</p>
      </Card>
    );
  }
  return (
    <Card title={w.log}>
      <Facts
        facts={[
          [w.publicNameOrigin, <WithCopy key="origin" text={origin} what={w.theNameOf} />],
          [
            w.latestCheckpoint,
            <>
              <strong>{en.shared.entries(latest.tree_size)}</strong>
              {w.signed(fromNow(latest.at))}
              <span class="beside">
                <Moment at={latest.at} />
              </span>
            </>,
          ],
          [w.rootHash, <WithCopy key="root" text={latest.root} what={w.theRootHash} />],
          [w.access, <Access key="access" {...log} />],
          [
            vkeys.length === 1 ? w.keyForWitnesses : w.keysForWitnesses,
            vkeys.map((vkey) => <WithCopy key={vkey} text={vkey} what={w.theKey} />),
          ],
          ...restarts.map(
            (restart) =>
              [
                w.restarted,
                <>
                  <Moment at={restart.at} />
                  {w.as}
                  <span class="mono">{restart.origin}</span>
                </>,
              ] as const,
          ),
        ]}
      />
    </Card>
  );
}

function Access({ public: isPublic, address }: Pick<Transparency, "public" | "address">) {
  if (!isPublic) {
    return (
      <>
        <Chip tone="caution">{w.notPublic}</Chip>{" "}
        <span>
          {w.monitorsCannotRead}
          <code>LOG_PUBLIC</code>
          {w.toFalseWitnesses}
        </span>
      </>
    );
  }
  return (
    <>
      <Chip>{w.public}</Chip>{" "}
      <a href={`${address}/checkpoint`} target="_blank" rel="noopener">
        {address}/checkpoint
      </a>
      <span class="beside quiet small">{w.anyoneCanFollow}</span>
    </>
  );
}

export function WithCopy({ text, what }: { text: string; what: string }) {
  return (
    <span class="log-value">
      <code class="mono">{text}</code> <Copy text={text} what={what} />
    </span>
  );
}
