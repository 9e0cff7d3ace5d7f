import type { JobHandlers } from "../jobs/catalogue.ts";
import type { AccountDeps } from "./account.ts";
import { sendBrowserLink } from "./known-browser.ts";
import { sendReset } from "./password-reset.ts";

type AccountJob = "accounts.send-reset" | "accounts.send-browser-link";

export const accountJobs = (deps: AccountDeps): Pick<JobHandlers, AccountJob> => ({
  "accounts.send-reset": (payload) => sendReset(deps, payload),
  "accounts.send-browser-link": (payload) => sendBrowserLink(deps, payload),
});
