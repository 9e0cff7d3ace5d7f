// Records of sandboxes are tests. They say so in several places, so that none of them is taken for evidence.

/** On every page of a document of a sandbox. */
export const TEST_MARK = "TEST – not legally binding";

/** In entries of a sandbox: what a person would have done was done by a program, with an operation for tests. */
export const TEST_OPERATION = "test_operation";

/** The common name of the root that issues the seals of sandboxes. */
export const TEST_ROOT_NAME = "Countersign TEST root";

/**
 * Whether this is the id of a sandbox. An id is a UUID in Crockford's base 32: version 7 for an organization, version 8 for a sandbox. The
 * eleventh character contains the version.
 */
export const isSandboxId = (org_id: string): boolean => /^org_[0-9a-hjkmnp-tv-z]{10}[gh][0-9a-hjkmnp-tv-z]{15}$/.test(org_id);
