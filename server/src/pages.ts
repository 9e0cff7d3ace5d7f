import { fileURLToPath } from "node:url";
import type { Shell } from "./http/serve-web.ts";

/** Where the build of web/ puts its pages. */
export const BUILT_WEB = fileURLToPath(new URL("../../web/dist/", import.meta.url));

/** Where the build puts the client that it packs. */
export const CLIENT_PACKAGE = fileURLToPath(new URL("../../client/dist/countersign-client.tgz", import.meta.url));

/** What the console knows before its first call. */
export interface ConsoleBoot {
  /** `outbox`: no mail server is set up, so mail about envelopes is read in the console */
  readonly mail: "outbox" | "server";
  readonly version: string;
  /** where signing pages are, which may be another host */
  readonly embed_url: string;
}

/** The console, whatever of it is wanted: its screens are one page, which nobody frames. */
export function consoleShell(boot: ConsoleBoot): Shell {
  return { path: "/console/*", site: "console", page: "console/index.html", open: async () => ({ framedBy: [], boot: { ...boot } }) };
}
