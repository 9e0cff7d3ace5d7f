import type { SigningArea } from "@countersign/client/pages";
import { asText } from "../../pages/reading.ts";
import type { PageSize } from "../../pages/viewer.tsx";

// As large as the service writes into documents, where the place has the height for it.
const TEXT_PT = 11;
const LINE = 1.3;

/** In per cent of the page and of its width, so that what lies on it grows with it. Among the words of a page nothing has a place. */
export function placed({ x, y, w, h }: SigningArea, page: PageSize): Record<string, string> {
  if (asText.value) return {};
  const points = Math.min(TEXT_PT, h * page.h * 0.72);
  return {
    left: `${x * 100}%`,
    top: `${y * 100}%`,
    width: `${w * 100}%`,
    height: `${h * 100}%`,
    fontSize: `${(points / page.w) * 100}cqw`,
  };
}

export function holdsLines({ h }: SigningArea, page: PageSize): boolean {
  return h * page.h >= 2 * TEXT_PT * LINE;
}
