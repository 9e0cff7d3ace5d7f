import type { FunctionComponent } from "preact";
import { words } from "../i18n/i18n.ts";
import type { Placed } from "../pages/page-text.tsx";
import { asText, zoom } from "../pages/reading.ts";
import { type PageSize, Viewer } from "../pages/viewer.tsx";
import { hasRoom } from "../ui/screen-size.ts";
import { Announcements } from "./announcements.tsx";
import { Banners, isInert, SessionEnded } from "./banners.tsx";
import { firstPageSeen, opened, type Stage, stage } from "./ceremony.ts";
import { confirming } from "./confirming.ts";
import { firstLoaded, firstPicture, imagesOf, isPreviewed, textsOf, wantedOf } from "./document.ts";
import { Fields } from "./layer/fields.tsx";
import { Others } from "./layer/others.tsx";
import { PageBar } from "./page-bar.tsx";
import { isPanelLow } from "./panel-height.ts";
import { lazy } from "./parts.tsx";
import { ConsentTask } from "./screens/consent.tsx";
import { FieldsTask } from "./screens/fields.tsx";
import { ReviewTask } from "./screens/review.tsx";
import { Adopting } from "./signature/adopting.tsx";
import { Thumbnails } from "./thumbnails.tsx";
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
        <main class={layoutOf(hasPages, now)}>
          {hasPages && hasRoom.value && <Thumbnails />}
          {(hasPages || now === "loading") && (
            <section class={zoom.value > 1 && !asText.value ? "document zoomed" : "document"} aria-label={words.value.pages}>
              {hasPages && <Banners />}
              <PageBar />
              {hasPages ? <Pages /> : <FirstPage />}
            </section>
          )}
          {now === "loading" ? <p class="hidden-visually">{words.value.loading}</p> : <Panel stage={now} />}
        </main>
        {confirming.value !== null && <ConfirmDialog />}
        <Adopting />
      </div>
      <SessionEnded />
      <Announcements />
    </>
  );
}

function layoutOf(hasPages: boolean, now: Stage): string {
  if (!hasPages) return now === "loading" ? "layout" : "layout alone";
  return hasRoom.value ? "layout with-list" : "layout";
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
      {(page, isHere) => <Layer page={page} isHere={isHere} />}
    </Viewer>
  );
}

/** Fields over the page, or beside its text. Hidden once the image of the page itself shows the entered values. */
function Layer({ page, isHere = () => true }: { page: PageSize; isHere?: ((area: Placed) => boolean) | undefined }) {
  if (!asText.value && isPreviewed(page.n)) return null;
  return (
    <div class="layer">
      <Others page={page} isHere={isHere} />
      {stage.value === "fields" && <Fields page={page} isHere={isHere} />}
    </div>
  );
}

const ConfirmDialog = lazy("ConfirmDialog");
const StateTask = lazy("StateTask");
const RecipientTask = lazy("RecipientTask");

/** All other stages are those of people who do not sign. */
const tasks: Partial<Record<Stage, FunctionComponent>> = {
  ended: StateTask,
  waiting: StateTask,
  mailed_link_required: StateTask,
  locked: StateTask,
  identity_unavailable: StateTask,
  questions: lazy("QuestionsTask"),
  consent: ConsentTask,
  agreement: lazy("AgreementTask"),
  fields: FieldsTask,
  review: ReviewTask,
  signed: lazy("SignedTask"),
  read_only: lazy("ViewingTask"),
};

/** Next to the document. On a small screen it is a bottom sheet that can be collapsed to see more of the document. */
function Panel({ stage: now }: { stage: Stage }) {
  const Task = tasks[now] ?? RecipientTask;
  return (
    <section
      id="task"
      class={isPanelLow.value ? "panel low" : "panel"}
      aria-label={now === "fields" ? words.value.yourFields : words.value.nextStep}
    >
      <button
        type="button"
        class="handle"
        aria-expanded={!isPanelLow.value}
        aria-label={isPanelLow.value ? words.value.showTask : words.value.hideTask}
        onClick={() => (isPanelLow.value = !isPanelLow.value)}
      />
      <div class="panel-inside stack" key={now}>
        <Task />
      </div>
    </section>
  );
}
