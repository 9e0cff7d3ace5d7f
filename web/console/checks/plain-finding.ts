import { local } from "../parts/when.tsx";

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const CUSTODY_ID = / \(cp_[0-9a-z]{26}\)/g;
const USER_ID = /usr_[0-9a-z]{26}/g;

/** What the service found, with times as the reader's clock shows them and names instead of IDs. The certificate has the exact words. */
export const plainFinding = (text: string, nameOf: (user_id: string) => string): string =>
  text
    .replace(TIME, (time) => local(time))
    .replace(CUSTODY_ID, "")
    .replace(USER_ID, (user_id) => nameOf(user_id));
