import { useEffect, useRef, useState } from "preact/hooks";
import { pageShown } from "../../pages/reading.ts";
import { counted } from "./announcements.ts";
import { pictureOf } from "./api.ts";
import type { Editor } from "./editor.ts";

/** Small pictures of the pages, with the number of fields on each. They lead to the page. */
export function Thumbnails({ editor }: { editor: Editor }) {
  const { pages, parts, byPage, canvas } = editor;
  const go = (page: number) => canvas.current?.querySelector(`.sheet[data-page="${page}"]`)?.scrollIntoView({ block: "start" });
  return (
    <nav class="builder-thumbnails" aria-label="Pages">
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
                <Picture editor={editor} page={page} />
                {count > 0 && (
                  <span class="builder-thumbnail-count" aria-hidden="true">
                    {count}
                  </span>
                )}
              </span>
              <span>
                <span class="hidden-visually">Page </span>
                {page}
                <span class="hidden-visually">, {counted(count, "field")}</span>
              </span>
            </button>
          </div>
        );
      })}
    </nav>
  );
}

/** Loaded when it comes near the window. Without its picture, the number of the page is enough. */
function Picture({ editor, page }: { editor: Editor; page: number }) {
  const place = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    const load = async () => {
      const picture = await pictureOf(editor.of, page, "small").catch(() => null);
      if (picture === null || isGone) return;
      made = URL.createObjectURL(picture);
      setUrl(made);
    };
    const watch = new IntersectionObserver(([seen]) => {
      if (seen?.isIntersecting !== true) return;
      watch.disconnect();
      void load();
    });
    if (place.current !== null) watch.observe(place.current);
    return () => {
      isGone = true;
      watch.disconnect();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [editor, page]);
  return (
    <span ref={place} class="builder-thumbnail-picture">
      {url !== null && <img src={url} alt="" draggable={false} />}
    </span>
  );
}
