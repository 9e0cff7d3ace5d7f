import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n/i18n.ts";
import { PageImages } from "../pages/page-images.ts";
import { goToPage, pageShown } from "../pages/reading.ts";
import { watchNear } from "../pages/watch-near.ts";
import { callForFile } from "./api.ts";
import { faultOf, opened, stage, steps } from "./ceremony.ts";

/** Small pictures of the pages, beside the document on large screens. Each says how many required fields are left on its page. */

const pictures = new PageImages(({ page }) => callForFile(`GET /pages/${page}`, { query: { w: "204" } }));
const wanted = (page: number) => ({ page, fine: false, revision: null });

export function Thumbnails() {
  const list = useRef<HTMLOListElement>(null);
  const near = useSignal<readonly number[]>([]);
  const pages = opened.value?.document?.pages ?? [];
  useEffect(() => watchNear(list.current, (found) => (near.value = found)), [pages.length]);
  useSignalEffect(() => pictures.want(near.value.map(wanted)));
  useSignalEffect(() => {
    list.current?.querySelector(`[data-page="${pageShown.value}"]`)?.scrollIntoView({ block: "nearest" });
  });
  return (
    <nav class="thumbnails" aria-label={words.value.pageList}>
      <ol ref={list}>
        {pages.map(({ n, w, h }) => (
          <li key={n} data-page={n}>
            {opened.value?.documents?.find(({ first_page }) => first_page === n)?.name}
            <Thumbnail page={n} shape={`${w} / ${h}`} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Thumbnail({ page, shape }: { page: number; shape: string }) {
  const picture = pictures.picture(wanted(page)).value;
  const here = steps.value.filter(({ field }) => field.areas.some((area) => area.page === page));
  const left = here.filter((entry) => faultOf(entry) !== null).length;
  const isFilling = stage.value === "fields" || stage.value === "review";
  const state = !isFilling || here.length === 0 ? "" : left === 0 ? words.value.filledIn : words.value.leftOnPage(left);
  return (
    <button
      type="button"
      class="thumbnail"
      aria-current={pageShown.value === page ? "page" : undefined}
      aria-label={[words.value.onPage(page), state].filter((one) => one !== "").join(", ")}
      onClick={() => goToPage(page)}
    >
      <span class="thumbnail-paper" style={{ aspectRatio: shape }}>
        {picture.kind === "ready" && <img src={picture.url} alt="" draggable={false} />}
      </span>
      {state !== "" && <span class={left === 0 ? "badge done" : "badge"} data-left={left} aria-hidden="true" />}
      <span aria-hidden="true">{page}</span>
    </button>
  );
}
