import { useEffect, useMemo } from "preact/hooks";
import { PageImages, type Wanted } from "../../pages/page-images.ts";
import { PageTexts } from "../../pages/page-texts.ts";
import { Viewer } from "../../pages/viewer.tsx";
import { pictureOf, wordsOf } from "./api.ts";
import type { Editor } from "./editor.ts";
import { Layer } from "./layer.tsx";

const wantedOf = (page: number, fine: boolean): Wanted => ({ page, fine, revision: null });

/** The pages with their fields. It gets the focus when the focused field or its panel is removed, so that keys still work. */
export function Canvas({ editor }: { editor: Editor }) {
  const { of, pages } = editor;
  const images = useMemo(() => new PageImages(({ page, fine }) => pictureOf(of, page, fine ? "fine" : "plain")), [editor]);
  const texts = useMemo(() => new PageTexts(pages.length, (page) => wordsOf(of, page)), [editor]);
  useEffect(
    () => () => {
      for (let page = 1; page <= pages.length; page++) {
        const picture = images.picture(wantedOf(page, false)).peek();
        if (picture.kind === "ready") URL.revokeObjectURL(picture.url);
      }
    },
    [images],
  );
  return (
    <div
      ref={(element) => {
        editor.canvas.current = element;
      }}
      class="builder-canvas"
      tabIndex={-1}
    >
      <Viewer
        pages={pages.map(({ w_pt, h_pt }, index) => ({ n: index + 1, w: w_pt, h: h_pt }))}
        images={images}
        texts={texts}
        zoom={editor.zoom.value}
        asText={false}
        wantedOf={wantedOf}
        onDrawn={() => undefined}
      >
        {({ n }) => <Layer editor={editor} page={n} />}
      </Viewer>
    </div>
  );
}
