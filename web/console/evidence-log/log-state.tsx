import type { Transparency } from "@countersign/client/types";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { fromNow, Moment } from "../parts/when.tsx";
import { counted } from "./words.ts";

/** The public name of the log and its latest signed state. */
export function LogState({ log }: { log: Transparency }) {
  const { origin, latest, vkeys, restarts } = log;
  if (origin === null || latest === null) {
    return (
      <Card title="Log">
        <p class="quiet">No checkpoint yet. The log gets its public name with the first one, within a minute of the first audit entry.</p>
      </Card>
    );
  }
  return (
    <Card title="Log">
      <Facts
        facts={[
          ["Public name (origin)", <WithCopy key="origin" text={origin} what="the name of the log" />],
          [
            "Latest checkpoint",
            <>
              <strong>{counted(latest.tree_size, "entry", "entries")}</strong>, signed {fromNow(latest.at)}
              <span class="beside">
                <Moment at={latest.at} />
              </span>
            </>,
          ],
          ["Root hash", <WithCopy key="root" text={latest.root} what="the root hash" />],
          ["Access", <Access key="access" {...log} />],
          [
            vkeys.length === 1 ? "Key for witnesses" : "Keys for witnesses",
            vkeys.map((vkey) => <WithCopy key={vkey} text={vkey} what="the key" />),
          ],
          ...restarts.map(
            (restart) =>
              [
                "Restarted",
                <>
                  <Moment at={restart.at} />, as <span class="mono">{restart.origin}</span>
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
        <Chip tone="caution">Not public</Chip>{" "}
        <span>
          Monitors cannot read the log, because the operator has set <code>LOG_PUBLIC</code> to false. Witnesses are still asked.
        </span>
      </>
    );
  }
  return (
    <>
      <Chip>Public</Chip>{" "}
      <a href={`${address}/checkpoint`} target="_blank" rel="noopener">
        {address}/checkpoint
      </a>
      <span class="beside quiet small">Anyone can follow the log there. It contains only hashes.</span>
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
