import type { JobHandlers } from "../jobs/catalogue.ts";
import { checkDomains } from "./check-domains.ts";
import { cleanUp } from "./clean-up.ts";
import type { DomainDeps } from "./domain.ts";
import { notifyAdmins } from "./notify-admins.ts";
import { notifyMember } from "./notify-member.ts";
import { remindOfFactors } from "./remind-of-factors.ts";

type OrgJob = "orgs.clean-up" | "orgs.check-domains" | "orgs.remind-of-factors" | "orgs.notify-admins" | "orgs.notify-member";

export const orgJobs = (deps: DomainDeps): Pick<JobHandlers, OrgJob> => ({
  "orgs.clean-up": async () => {
    await cleanUp(deps);
  },
  "orgs.check-domains": () => checkDomains(deps),
  "orgs.remind-of-factors": async () => {
    await remindOfFactors(deps);
  },
  "orgs.notify-admins": (payload) => notifyAdmins(deps, payload),
  "orgs.notify-member": (payload) => notifyMember(deps, payload),
});
