export { readBundle } from "./read-bundle.ts";
export { isFacts2 } from "./rules-of.ts";
export { BundleRejected, type Options } from "./step.ts";
export { unzipBundle } from "./unzip-bundle.ts";
export { type Outcome, type Report, type StepReport, stepNames, verifyBundle } from "./verify-bundle.ts";
