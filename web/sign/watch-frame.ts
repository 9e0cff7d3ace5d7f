import { connectHost } from "../host/host.ts";
import { joinHost } from "../host/tell-host.ts";
import { reportHeight } from "../report-height.ts";
import { watchHello } from "../watch-hello.ts";
import { switchLanguage } from "./actions.ts";
import { notifyHost } from "./notify-host.ts";
import { watchHostFields } from "./watch-host-fields.ts";

/** What only a page in a partner's frame does. */
export function watchFrame(): void {
  notifyHost();
  watchHello(switchLanguage);
  joinHost(connectHost);
  watchHostFields();
  reportHeight();
}
