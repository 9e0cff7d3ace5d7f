import type { ComplianceStanding } from "@countersign/client/types";
import type { IconName } from "./ui/icons.tsx";

/** Green, the icon `good`, is for records that anyone can recompute. */
export const standingIcons: Record<ComplianceStanding, IconName> = {
  proven: "good",
  attested: "attested",
  not_passed: "bad",
  left: "note",
  destroyed: "note",
  not_assessed: "note",
};
