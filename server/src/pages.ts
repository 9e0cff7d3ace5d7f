import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { HtmlPage } from "./http/pages.ts";

/** The page behind the links that the service prints and mails: set-up, invitation, new password. */
export function accountPage(): HtmlPage {
  const html = readFileSync(new URL("../pages/account.html", import.meta.url), "utf8");
  return { paths: ["/console/setup", "/console/invite", "/console/reset"], html };
}

/** Where the build of web/ puts its pages. */
export const BUILT_WEB = fileURLToPath(new URL("../../web/dist/", import.meta.url));
