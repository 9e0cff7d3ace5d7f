import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { words } from "../i18n/i18n.ts";
import { asText, zoom } from "../pages/reading.ts";
import { type PageSize, Viewer } from "../pages/viewer.tsx";
import { Announcements } from "./announcements.tsx";
import { Banners, isInert, SessionEnded } from "./banners.tsx";
import { firstPageSeen, opened, type Stage, stage } from "./ceremony.ts";
import { confirming } from "./confirming.ts";
import { firstLoaded, firstPicture, imagesOf, isPreviewed, textsOf, wantedOf } from "./document.ts";
import { Fields } from "./layer/fields.tsx";
import { Others } from "./layer/others.tsx";
import { confirmPart, questionsPart, signedPart, statePart, viewingPart } from "./parts.ts";
import { AgreementTask } from "./screens/agreement.tsx";
import { ConsentTask } from "./screens/consent.tsx";
import { FieldsTask } from "./screens/fields.tsx";
import { ReviewTask } from "./screens/review.tsx";
import { Adopting } from "./signature/adopting.tsx";
import { TopBar } from "./top-bar.tsx";

/** The document and, next to it, the panel with the current task. */
export function App() {
  const now = stage.value;
  const hasPages = opened.value?.document != null && now !== "ended";
  return (
    <>
      <div class={`page ${now}`} inert={isInert.value}>
        <button type="button" class="skip" onClick={skip}>
          {words.value.skip}
        </button>
        <TopBar />
        <p class="print-note">{words.value.printNote}</p>
        {!hasPages && <Banners />}
        <main class={hasPages || now === "loading" ? "layout" : "layout alone"}>
          {(hasPages || now === "loading") && (
            <section class={zoom.value > 1 && !asText.value ? "document zoomed" : "document"} aria-label={words.value.pages}>
              {hasPages && <Banners />}
              {hasPages ? <Pages /> : <FirstPage />}
            </section>
          )}
          {now === "loading" ? <p class="hidden-visually">{words.value.loading}</p> : <Panel stage={now} />}
        </main>
        {confirming.value !== null && <confirmPart.View />}
        <Adopting />
      </div>
      <SessionEnded />
      <Announcements />
    </>
  );
}

/** A button, not a link: a link would change the fragment, which is where new tokens arrive. */
function skip(): void {
  document.querySelector<HTMLElement>("#task h1")?.focus();
}

/** Page 1 alone, until the number of pages is known. */
function FirstPage() {
  return (
    <div class="sheet first" data-page="1" aria-hidden="true">
      {firstPicture.value !== null && <img class="picture" src={firstPicture.value} alt="" draggable={false} onLoad={firstLoaded} />}
    </div>
  );
}

function Pages() {
  const pages = opened.value?.document?.pages ?? [];
  return (
    <Viewer
      pages={pages}
      images={imagesOf()}
      texts={textsOf(pages.length)}
      zoom={zoom.value}
      asText={asText.value}
      wantedOf={wantedOf}
      onDrawn={(page) => {
        if (page === 1) firstPageSeen.value = true;
      }}
    >
      {(page) => <Layer page={page} />}
    </Viewer>
  );
}

/** Fields over the page. Hidden once the image of the page itself shows the entered values. */
function Layer({ page }: { page: PageSize }) {
  if (isPreviewed(page.n)) return null;
  return (
    <div class="layer">
      <Others page={page} />
      {stage.value === "fields" && <Fields page={page} />}
    </div>
  );
}

const tasks: Record<Exclude<Stage, "loading">, FunctionComponent> = {
  ended: statePart.View,
  waiting: statePart.View,
  mailed_link_required: statePart.View,
  locked: statePart.View,
  identity_unavailable: statePart.View,
  questions: questionsPart.View,
  consent: ConsentTask,
  agreement: AgreementTask,
  fields: FieldsTask,
  review: ReviewTask,
  signed: signedPart.View,
  read_only: viewingPart.View,
};

/** Next to the document. On a small screen it is a bottom sheet that can be collapsed to see more of the document. */
function Panel({ stage: now }: { stage: Exclude<Stage, "loading"> }) {
  const isLow = useSignal(false);
  const Task = tasks[now];
  return (
    <section
      id="task"
      class={isLow.value ? "panel low" : "panel"}
      aria-label={now === "fields" ? words.value.yourFields : words.value.nextStep}
    >
      <button
        type="button"
        class="handle"
        aria-expanded={!isLow.value}
        aria-label={isLow.value ? words.value.showTask : words.value.hideTask}
        onClick={() => (isLow.value = !isLow.value)}
      />
      <div class="panel-inside stack" key={now}>
        <Task />
      </div>
    </section>
  );
}
