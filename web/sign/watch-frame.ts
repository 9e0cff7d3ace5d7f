import { connectHost } from "../host/host.ts";
import { joinHost } from "../host/tell-host.ts";
import { reportHeight } from "../report-height.ts";
import { watchHostFields } from "./watch-host-fields.ts";

/** What only a page in a partner's frame does. */
export function watchFrame(): void {
  joinHost(connectHost);
  watchHostFields();
  reportHeight();
}
