export { readBundle } from "./read-bundle.ts";
export { BundleRejected, type Options } from "./step.ts";
export { unzipBundle } from "./unzip-bundle.ts";
export { type Outcome, type Report, type StepReport, stepNames, verifyBundle } from "./verify-bundle.ts";
