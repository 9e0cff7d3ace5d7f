export { type Annex, annexIds, type Clause } from "./annexes/annex.ts";
export { chainFacts, milestonesOf } from "./chain-facts.ts";
export {
  type GradedEvaluation,
  type GradedResult,
  type Standing,
  standings,
  warningCodes,
} from "./checks/check.ts";
export { type AsOf, complianceJson, complianceOf, complianceView, type GradedCompliance, type GradedComplianceView } from "./compliance.ts";
export { vaultDecisionOf } from "./control.ts";
export { evaluate } from "./evaluate.ts";
export { type ExternalTime, externalTime } from "./external-time.ts";
export { firstContradiction } from "./facts-against-chain.ts";
export { type Grade, grades } from "./grade.ts";
export { firstFacts, type Imported, isImported } from "./imported.ts";
export { namesParty } from "./names-party.ts";
export { recoveriesOfChain } from "./recoveries.ts";
export { withTransfersSettled } from "./settled-transfers.ts";
export { timeSource } from "./warnings.ts";
