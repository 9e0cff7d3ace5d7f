import { local } from "../parts/when.tsx";
import { en } from "../words/checks/en.ts";

const words = en.found;

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const CUSTODY_ID = / \(cp_[0-9a-z]{26}\)/g;
const COPY_ID = / ac_[0-9a-z]{26}/g;
// As in check 5: "is attributed: link and KBA; token."
const ATTRIBUTED = /attributed: ([^.]+)\./;
const WAY = /\b(?:link|token|KBA)\b/g;
const USER_ID = /usr_[0-9a-z]{26}/g;
// As in check 2: "the seal of CN=Example Company document seal, serialNumber=org_01m… verifies".
const SEAL = /\bCN=(.+?), serialNumber=[0-9A-Za-z_]+/g;
// The beginning of a hash and the end of a sentence.
const CUT_OFF = /…\.(?=\s|$)/g;

/** What the service found, with times as the reader's clock shows them and names instead of IDs. The certificate has the exact words. */
export const plainFinding = (text: string, nameOf: (user_id: string) => string): string =>
  text
    .replace(TIME, (time) => local(time))
    .replace(CUSTODY_ID, "")
    .replace(COPY_ID, "")
    .replace(ATTRIBUTED, (_, ways: string) => words.identifiedBy(waysOf(ways)))
    .replace(SEAL, "$1")
    .replace(CUT_OFF, "…")
    .replace(USER_ID, (user_id) => nameOf(user_id));

/** Those of each signer, and each only once: what two signers have in common need not be said twice. */
const waysOf = (ways: string): string =>
  [...new Set(ways.split("; "))].map((way) => way.replace(WAY, (name) => words.ways[name as keyof typeof words.ways])).join("; ");
