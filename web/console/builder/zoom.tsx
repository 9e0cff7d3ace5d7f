import { en as words } from "../words/pages/en.ts";

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** Buttons that enlarge and shrink pages. 1 is the width of the column. */
export function Zoom({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const ways = [zooms.findLast((one) => one < zoom), zooms.find((one) => one > zoom)] as const;
  const button = (label: string, sign: string, to: number | undefined) => (
    <button type="button" class="button" aria-label={label} aria-disabled={to === undefined} onClick={() => onZoom(to ?? zoom)}>
      {sign}
    </button>
  );
  return (
    <span class="builder-zoom">
      {button(words.zoomOut, "−", ways[0])}
      <span class="small" role="status" aria-label={words.zoom}>
        {words.percent(zoom)}
      </span>
      {button(words.zoomIn, "+", ways[1])}
    </span>
  );
}
