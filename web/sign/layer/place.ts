import type { SigningArea } from "@countersign/client/pages";
import { asText } from "../../pages/reading.ts";
import type { PageSize } from "../../pages/viewer.tsx";

// The text size that the service uses in documents, if the area is high enough.
const TEXT_PT = 11;
const LINE = 1.3;

/** Positions in per cent and text in units of the page width, so that both scale with the page. In the text view nothing is positioned. */
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
