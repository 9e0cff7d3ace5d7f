import { pageShown } from "../../pages/reading.ts";
import { PagePicture } from "../parts/page-picture.tsx";
import { en as words } from "../words/builder/en.ts";
import { en as pageWords } from "../words/pages/en.ts";
import { pictureOf } from "./api.ts";
import type { Editor } from "./editor.ts";

/** Small pictures of the pages, with the number of fields on each. They lead to the page. */
export function Thumbnails({ editor }: { editor: Editor }) {
  const { of, pages, parts, byPage, canvas } = editor;
  const go = (page: number) => canvas.current?.querySelector(`.sheet[data-page="${page}"]`)?.scrollIntoView({ block: "start" });
  return (
    <nav class="builder-thumbnails" aria-label={pageWords.thumbnails}>
      {pages.map(({ w_pt, h_pt }, index) => {
        const page = index + 1;
        const count = byPage.value.get(page)?.length ?? 0;
        const begins = parts.length > 1 ? parts.find(({ first }) => first === page) : undefined;
        return (
          <div key={page}>
            {begins !== undefined && <p class="builder-part small">{begins.name}</p>}
            <button
              type="button"
              class="builder-thumbnail"
              aria-current={pageShown.value === page ? "page" : undefined}
              onClick={() => go(page)}
            >
              <span class="builder-thumbnail-sheet" style={{ "--w": w_pt, "--h": h_pt }}>
                <PagePicture class="thumbnail-picture" of={`${of.id} ${page}`} load={() => pictureOf(of, page, "small")} />
                {count > 0 && (
                  <span class="thumbnail-count" aria-hidden="true">
                    {count}
                  </span>
                )}
              </span>
              <span>
                <span class="hidden-visually">{pageWords.pageBefore}</span>
                {page}
                <span class="hidden-visually">{words.besidePage(count)}</span>
              </span>
            </button>
          </div>
        );
      })}
    </nav>
  );
}
