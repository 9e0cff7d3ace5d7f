export { readBundle, unzipBundle } from "./read-bundle.ts";
export { BundleRejected, type Options } from "./step.ts";
export { type Outcome, type Report, type StepReport, stepNames, verifyBundle } from "./verify-bundle.ts";
