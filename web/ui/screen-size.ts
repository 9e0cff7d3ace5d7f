import { signal } from "@preact/signals";

/** Follows a media query. */
function matching(query: string) {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener("change", () => (matches.value = media.matches));
  return matches;
}

/** The task stands beside the document; else it is a sheet over its foot. */
export const isWide = matching("(min-width: 720px)");
/** Fields are filled in on the page itself. Fingers, and pages as small as a phone's, get the field in the panel at full size. */
export const inPlace = matching("(min-width: 720px) and (pointer: fine)");
