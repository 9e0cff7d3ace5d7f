import { en as words } from "../words/builder/en.ts";
import { BoxView, placed } from "./box.tsx";
import { type Editor, fieldOf } from "./editor.ts";
import type { Box } from "./field.ts";
import type { Area } from "./geometry.ts";
import { hideGhost, pressSheet, showGhost } from "./gestures.ts";

/** Everything drawn on top of one page. */
export function Layer({ editor, page }: { editor: Editor; page: number }) {
  const boxes = editor.byPage.value.get(page) ?? [];
  const armed = editor.armed.value;
  return (
    <div
      class={armed === null ? "layer builder-layer" : "layer builder-layer armed"}
      {...(boxes.length > 0 && { role: "application", "aria-label": words.onPage(page) })}
      onPointerDown={(event) => pressSheet(editor, event)}
      onPointerMove={(event) => armed !== null && event.pointerType !== "touch" && showGhost(editor, armed, event)}
      onPointerLeave={() => armed !== null && hideGhost(editor)}
    >
      {boxes.map((box) => (
        <AnchorLine key={`tie ${box.id}`} editor={editor} box={box} />
      ))}
      {boxes.map((box) => (
        <BoxView key={box.id} editor={editor} box={box} />
      ))}
      <Found editor={editor} page={page} />
      <DragHints editor={editor} page={page} />
    </div>
  );
}

/** The anchor text of a field, and a line between the two. */
function AnchorLine({ editor, box }: { editor: Editor; box: Box }) {
  const match = fieldOf(editor.doc.value, box)?.anchor?.match;
  if (match === undefined || match.page !== box.page) return null;
  return (
    <>
      <svg class="tie" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <line x1={match.x} y1={match.y + match.h / 2} x2={box.x} y2={box.y + box.h / 2} />
      </svg>
      <div class="match" style={placed(match)} />
    </>
  );
}

/** The matches of a search for anchor text. */
function Found({ editor, page }: { editor: Editor; page: number }) {
  const found = editor.found.value;
  if (found === null) return null;
  return (
    <>
      {found.matches.map(
        (match, index) =>
          match.page === page && (
            <div key={index} class={index === found.chosen ? "match found chosen" : "match found"} data-match={index} style={placed(match)}>
              <span>{index + 1}</span>
            </div>
          ),
      )}
      {found.area?.page === page && <div class="ghost" style={placed(found.area)} />}
    </>
  );
}

/** Shown only during a drag. */
function DragHints({ editor, page }: { editor: Editor; page: number }) {
  const on = <T extends Pick<Area, "page">>(one: T | null): T | null => (one?.page === page ? one : null);
  const [ghost, band] = [on(editor.ghost.value), on(editor.band.value)];
  return (
    <>
      {ghost !== null && <div class="ghost" style={placed(ghost)} />}
      {band !== null && <div class="band" style={placed(band)} />}
      {editor.guides.value
        .filter((guide) => guide.page === page)
        .map(({ axis, at, like }) => (
          <div key={axis}>
            <div class={`guide ${axis}`} style={axis === "x" ? { left: `${at * 100}%` } : { top: `${at * 100}%` }} />
            {like?.page === page && <div class="like" style={placed(like)} />}
          </div>
        ))}
    </>
  );
}
