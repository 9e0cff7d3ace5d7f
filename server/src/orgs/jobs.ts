import type { JobHandlers } from "../jobs/catalogue.ts";
import { cleanUp } from "./clean-up.ts";
import { sendBrowserLink } from "./known-browser.ts";
import { notifyAdmins } from "./notify-admins.ts";
import { notifyMember } from "./notify-member.ts";
import type { OrgDeps } from "./org.ts";
import { sendReset } from "./password-reset.ts";

type OrgJob = "orgs.clean-up" | "accounts.send-reset" | "accounts.send-browser-link" | "orgs.notify-admins" | "orgs.notify-member";

export const orgJobs = (deps: OrgDeps): Pick<JobHandlers, OrgJob> => ({
  "orgs.clean-up": async () => {
    await cleanUp(deps);
  },
  "accounts.send-reset": (payload) => sendReset(deps, payload),
  "accounts.send-browser-link": (payload) => sendBrowserLink(deps, payload),
  "orgs.notify-admins": (payload) => notifyAdmins(deps, payload),
  "orgs.notify-member": (payload) => notifyMember(deps, payload),
});
