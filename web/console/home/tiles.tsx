import type { Attention, AttentionCount, Statistics } from "@countersign/client/types";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { GlyphBox, type GlyphName, type GlyphTone } from "../parts/glyph.tsx";
import { fromNow } from "../parts/when.tsx";
import { en as words } from "../words/home/en.ts";

export const countText = ({ count, capped }: AttentionCount): string => (capped ? words.more(count) : formatNumber(count));

interface TilesProps {
  readonly of: Attention;
  /** null: not loaded yet */
  readonly figures: Statistics | null;
}

/** What waits, in four figures. */
export function Tiles({ of, figures }: TilesProps) {
  const mine = of.waiting_for_me;
  // An envelope that waits for the user may also wait for others; here it counts once.
  const others = { count: Math.max(0, of.open.count - (mine?.count ?? 0)), capped: of.open.capped };
  const [draft] = of.drafts.items;
  const failed = of.failed_deliveries;
  // Only to those who may see deliveries.
  const failing = failed === null ? 0 : (figures?.webhooks.failing ?? 0);
  const fixes = [
    ...(of.undelivered.count > 0 ? [words.tiles.undelivered(countText(of.undelivered))] : []),
    ...(failed !== null && failed.count > 0 ? [words.tiles.deliveries(countText(failed))] : []),
    ...(failing > 0 ? [words.tiles.failing(failing)] : []),
  ];
  const broken = {
    count: of.undelivered.count + (failed?.count ?? 0) + failing,
    capped: of.undelivered.capped || failed?.capped === true,
  };
  return (
    <ul class="tiles">
      {mine !== null && (
        <Tile name={words.tiles.me} count={mine} to="/envelopes?waiting_for=me" glyph="pencil" tone="accent">
          {mine.count === 0 ? words.tiles.none : undefined}
        </Tile>
      )}
      <Tile name={words.tiles.others} count={others} to="/envelopes?stage=open&sort=expires_at" glyph="clock" tone="caution">
        {soonText(of)}
      </Tile>
      <Tile name={words.tiles.drafts} count={of.drafts} to="/envelopes?stage=draft" glyph="page" tone="plain">
        {draft === undefined ? words.tiles.none : words.tiles.lastDraft(fromNow(draft.updated_at))}
      </Tile>
      <Tile
        name={words.tiles.fix}
        count={broken}
        to={of.undelivered.count === 0 && fixes.length > 0 ? "/webhooks" : "#needs-attention"}
        glyph="warning"
        tone={broken.count === 0 ? "plain" : "bad"}
      >
        {fixes.length === 0 ? words.tiles.none : fixes.join(", ")}
      </Tile>
    </ul>
  );
}

function soonText({ expiring_soon }: Attention): string {
  if (expiring_soon.count === 0) return words.tiles.noneSoon;
  return expiring_soon.count === 1 ? words.tiles.soonOne : words.tiles.soon(countText(expiring_soon));
}

interface TileProps {
  readonly name: string;
  readonly count: AttentionCount;
  readonly to: string;
  readonly glyph: GlyphName;
  readonly tone: GlyphTone;
  readonly children?: string | undefined;
}

function Tile({ name, count, to, glyph, tone, children }: TileProps) {
  const content = (
    <>
      <GlyphBox name={glyph} tone={tone} />
      <span class="tile-words">
        <span class="tile-count">{countText(count)}</span>
        <strong>{name}</strong>
        {children !== undefined && <span class="quiet small">{children}</span>}
      </span>
    </>
  );
  return (
    <li>
      {to.startsWith("#") ? (
        <a class="tile" href={to}>
          {content}
        </a>
      ) : (
        <Link class="tile" to={to}>
          {content}
        </Link>
      )}
    </li>
  );
}
