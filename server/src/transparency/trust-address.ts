import { isSandbox, type OrgId } from "../shared/ids.ts";

export const TRUST_PATH = "/.well-known/countersign-trust.json";
/** What verifies the records of sandboxes. */
export const TEST_TRUST_PATH = "/.well-known/countersign-test-trust.json";

/** Where the keys are published with which records of the organization are verified. */
export const trustAddress = (publicUrl: string, org: OrgId): string => `${publicUrl}${isSandbox(org) ? TEST_TRUST_PATH : TRUST_PATH}`;
