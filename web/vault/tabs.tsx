import { vault } from "../i18n/vault/vault.ts";
import { isWide } from "../ui/screen-size.ts";
import { type Tab, tab, tabs } from "./record.ts";

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export const tabId = (one: Tab): string => `tab-${one}`;
/** On a wide screen the document is always visible, so the record is selected instead. */
export const selected = (): Tab => (isWide.value && tab.value === "document" ? "record" : tab.value);

let documentAt = 0;

/** The document keeps its scroll position; other tabs start at the top. */
function choose(next: Tab): void {
  if (tab.value === "document") documentAt = window.scrollY;
  tab.value = next;
  requestAnimationFrame(() => {
    if (!isWide.value) window.scrollTo(0, next === "document" ? documentAt : 0);
    document.getElementById("record")?.parentElement?.scrollTo(0, 0);
  });
}

/** One Tab stop; the arrow keys move between the tabs and wrap around. */
export function Tabs() {
  const offered = tabs.filter((one) => !isWide.value || one !== "document");
  const now = selected();
  const walk = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const next = step === undefined ? undefined : offered.at((offered.indexOf(now) + step) % offered.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    document.getElementById(tabId(next))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={vault.value.tabs} onKeyDown={walk}>
      {offered.map((one) => (
        <button
          key={one}
          id={tabId(one)}
          type="button"
          role="tab"
          aria-selected={one === now}
          aria-controls={one === "document" ? "document" : "record"}
          tabIndex={one === now ? 0 : -1}
          onClick={() => choose(one)}
        >
          {vault.value.tab[one]}
        </button>
      ))}
    </div>
  );
}
