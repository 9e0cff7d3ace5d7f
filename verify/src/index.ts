export { readBundle, unzipBundle } from "./read-bundle.ts";
export { type Options, Refused } from "./step.ts";
export { type Outcome, type Report, type StepReport, stepNames, verifyBundle } from "./verify-bundle.ts";
