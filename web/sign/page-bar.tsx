import { useSignal } from "@preact/signals";
import { words } from "../i18n/i18n.ts";
import { asText, canZoomIn, canZoomOut, goToPage, pageShown, zoom, zoomIn, zoomOut } from "../pages/reading.ts";
import { isWide } from "../ui/screen-size.ts";
import { opened } from "./ceremony.ts";

/** Where the reader is in the document, and how it is shown. On a small screen only the page; the menu has the rest. */
export function PageBar() {
  const total = opened.value?.document?.page_count;
  const at = pageShown.value;
  // Of several documents, the one that the page is from.
  const name = opened.value?.documents?.findLast(({ first_page }) => first_page <= at)?.name;
  // Keeps its place until the number of pages is known, so that page 1 does not move.
  if (total === undefined) return <div class="page-bar room" />;
  return (
    <div class="page-bar" role="toolbar" aria-label={words.value.reading}>
      {isWide.value && total > 1 && (
        <Arrow label={words.value.pageBefore} points="M14 6l-6 6 6 6" isOff={at <= 1} run={() => goToPage(at - 1)} />
      )}
      {total > 1 && <PageNumber at={at} total={total} />}
      {name && <span class="page-document small strong">{name}</span>}
      {total === 1 && !isWide.value && <span class="page-number small number">{words.value.page(1, 1)}</span>}
      {isWide.value && total > 1 && (
        <>
          <Arrow label={words.value.pageAfter} points="M10 6l6 6-6 6" isOff={at >= total} run={() => goToPage(at + 1)} />
          <span class="page-bar-gap" />
        </>
      )}
      {isWide.value && (
        <>
          <Arrow label={words.value.zoomOut} points="M6 12h12" isOff={!canZoomOut.value} run={zoomOut} />
          <span class="small number">{Math.round(zoom.value * 100)} %</span>
          <Arrow label={words.value.zoomIn} points="M6 12h12M12 6v12" isOff={!canZoomIn.value} run={zoomIn} />
          <span class="page-bar-gap" />
          <button type="button" class="button quiet" aria-pressed={asText.value} onClick={() => (asText.value = !asText.value)}>
            {words.value.textView}
          </button>
        </>
      )}
    </div>
  );
}

/** A number that can be typed over. Leaving it or Enter goes to that page. */
function PageNumber({ at, total }: { at: number; total: number }) {
  const typed = useSignal<string | null>(null);
  const go = () => {
    const wanted = Number(typed.value);
    typed.value = null;
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= total) goToPage(wanted);
  };
  const text = words.value.page(0, total);
  const place = text.indexOf("0");
  return (
    <label class="page-number small number">
      {text.slice(0, place)}
      <input
        class="input"
        type="number"
        min={1}
        max={total}
        autocomplete="off"
        aria-label={words.value.goToPage(total)}
        style={{ "--digits": String(total).length }}
        value={typed.value ?? String(at)}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onBlur={go}
        onKeyDown={({ key }) => key === "Enter" && go()}
      />
      {text.slice(place + 1)}
    </label>
  );
}

interface ArrowProps {
  readonly label: string;
  readonly points: string;
  readonly isOff: boolean;
  readonly run: () => void;
}

/** `aria-disabled` instead of `disabled`: the focus stays on a button that has reached its end. */
function Arrow({ label, points, isOff, run }: ArrowProps) {
  return (
    <button type="button" class="button quiet icon-only" aria-label={label} aria-disabled={isOff} onClick={() => !isOff && run()}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={points} />
      </svg>
    </button>
  );
}
