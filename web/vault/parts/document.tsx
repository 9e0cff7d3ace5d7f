import { words } from "../../i18n/i18n.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { asText, canZoomIn, canZoomOut, zoom, zoomIn, zoomOut } from "../../pages/reading.ts";
import { Viewer } from "../../pages/viewer.tsx";
import { Icon } from "../../ui/icons.tsx";
import { isWide } from "../../ui/screen-size.ts";
import { Banners } from "../banners.tsx";
import { imagesOf, textsOf, wantedOf } from "../document.ts";
import { hasCopies, isDamaged, record } from "../record.ts";
import { tabId } from "../tabs.tsx";

/** The pages of the reader's copy, which are marked as a copy. */
export function DocumentPart() {
  const pages = record.value?.document.pages ?? [];
  const isTab = !isWide.value;
  return (
    <section
      id="document"
      class={zoom.value > 1 && !asText.value ? "document zoomed" : "document"}
      {...(isTab ? { role: "tabpanel", "aria-labelledby": tabId("document") } : { "aria-label": words.value.pages })}
    >
      <Banners />
      {hasCopies.value && pages.length > 0 ? (
        <>
          <Tools />
          <Viewer
            // A new reader gets a new copy, and so a new viewer.
            key={imagesOf()}
            pages={pages}
            images={imagesOf()}
            texts={textsOf(pages.length)}
            zoom={zoom.value}
            asText={asText.value}
            wantedOf={wantedOf}
            onDrawn={() => undefined}
          >
            {() => null}
          </Viewer>
        </>
      ) : (
        <NoPages />
      )}
    </section>
  );
}

function Tools() {
  return (
    <fieldset class="tools" aria-label={vault.value.tools}>
      <button type="button" class="button quiet" aria-pressed={asText.value} onClick={() => (asText.value = !asText.value)}>
        {words.value.textView}
      </button>
      <span class="tools-zoom">
        <button type="button" class="button quiet" aria-label={words.value.zoomOut} disabled={!canZoomOut.value} onClick={zoomOut}>
          <span aria-hidden="true">−</span>
        </button>
        <button type="button" class="button quiet" aria-label={words.value.zoomIn} disabled={!canZoomIn.value} onClick={zoomIn}>
          <span aria-hidden="true">+</span>
        </button>
      </span>
    </fieldset>
  );
}

/** Explains why there are no pages. */
function NoPages() {
  const state = record.value?.copy.state ?? "active";
  return (
    <div class={isDamaged.value ? "no-pages bad" : "no-pages"}>
      <Icon name={isDamaged.value ? "bad" : "note"} />
      <h2>{vault.value.state[state]}</h2>
      <p>{state === "tampered" || state === "destroying" || state === "destroyed" ? vault.value.stateLead[state] : vault.value.noPages}</p>
      {isDamaged.value && <p>{vault.value.tamperedWhere}</p>}
    </div>
  );
}
