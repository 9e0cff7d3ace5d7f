import { signal } from "@preact/signals";

/** Follows a media query. */
function matching(query: string) {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener("change", () => (matches.value = media.matches));
  return matches;
}

/** True: the task panel is beside the document. False: it is a sheet at the bottom of the screen. */
export const isWide = matching("(min-width: 720px)");
/** There is room for small pictures of the pages beside the document. */
export const hasRoom = matching("(min-width: 1100px)");
/** Fields are filled in on the page itself. On touch screens and narrow windows, the field is shown at full size in the panel. */
export const inPlace = matching("(min-width: 720px) and (pointer: fine)");
