import { vault } from "../i18n/vault/vault.ts";
import { isTokenExpired } from "../token-expiry.ts";
import { isWide } from "../ui/screen-size.ts";
import { Banners, SessionEnded } from "./banners.tsx";
import { Panel } from "./panel.tsx";
import { DocumentPart } from "./parts/document.tsx";
import { ending, stage, tab } from "./record.ts";
import { Tabs } from "./tabs.tsx";
import { TopBar } from "./top-bar.tsx";

/** The document and its record side by side; on a small screen one at a time. */
export function App() {
  const now = stage.value;
  return (
    <>
      <div class={`page ${now}`} inert={isTokenExpired.value && now !== "ended"}>
        {now === "open" && (
          <button type="button" class="skip" onClick={skip}>
            {vault.value.skip}
          </button>
        )}
        <TopBar />
        {now === "open" ? <Opened /> : now === "loading" ? <Loading /> : <MessageScreen />}
      </div>
      <SessionEnded />
    </>
  );
}

/** A button, not a link: a link would change the fragment, which is where new tokens arrive. */
function skip(): void {
  if (tab.value === "document") tab.value = "record";
  requestAnimationFrame(() => document.querySelector<HTMLElement>("#record h2")?.focus());
}

function Opened() {
  return (
    <>
      {!isWide.value && <Tabs />}
      <main class="layout">
        {(isWide.value || tab.value === "document") && <DocumentPart />}
        {(isWide.value || tab.value !== "document") && <Panel />}
      </main>
    </>
  );
}

function Loading() {
  return (
    <main class="layout">
      <Banners />
      <p class="hidden-visually">{vault.value.loading}</p>
      <section class="document" aria-hidden="true">
        <div class="sheet first" />
      </section>
    </main>
  );
}

/** A screen with a message only. */
function MessageScreen() {
  const { title, lead } = message();
  const reference = ending.value?.reference ?? "";
  return (
    <main class="layout alone">
      <Banners />
      <section class="panel">
        <div class="panel-inside stack tight">
          <h1>{title}</h1>
          <p>{lead}</p>
          {reference !== "" && <p class="quiet small">{vault.value.reference(reference)}</p>}
        </div>
      </section>
    </main>
  );
}

function message(): { readonly title: string; readonly lead: string } {
  if (ending.value === null) return { title: vault.value.waitingTitle, lead: vault.value.waitingLead };
  if (ending.value.why === "not_found") return { title: vault.value.notFoundTitle, lead: vault.value.notFoundLead };
  return { title: vault.value.problemTitle, lead: vault.value.problemLead };
}
