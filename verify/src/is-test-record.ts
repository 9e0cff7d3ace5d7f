import { commonName, isSandboxId, TEST_ROOT_NAME } from "@countersign/evidence";
import type { AnyManifest } from "./steps/02-manifest.ts";
import type { Trust } from "./steps/03-trust.ts";

/** Any one of the signs is enough: the organization, the list of keys, or the root. */
export function isTestRecord({ org_id }: Pick<AnyManifest, "org_id">, { keys, root }: Pick<Trust, "keys" | "root">): boolean {
  const isListOfTests = keys.type === "countersign/keys/2" && keys.test === true;
  return isListOfTests || isSandboxId(org_id) || commonName(root.subject.replaceAll("\n", ", ")) === TEST_ROOT_NAME;
}

export const TEST_NOTE = "TEST RECORD: made in a sandbox, not legally binding.";
