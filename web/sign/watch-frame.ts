import { reportHeight } from "../report-height.ts";
import { watchHostFields } from "./watch-host-fields.ts";

/** What only a page in a partner's frame does. */
export function watchFrame(): void {
  watchHostFields();
  reportHeight();
}
