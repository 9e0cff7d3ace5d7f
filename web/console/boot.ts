import { takeFragment } from "../fragment.ts";

/** What is known before the first call. Imported first: a link's token leaves the address before anything else happens. */

/** What the service wrote into the page. */
interface Block {
  /** `outbox`: no mail server is set up, so envelope mail is read here */
  readonly mail: "outbox" | "server";
  readonly version: string;
  /** where signing pages are, which may be another host than the console's */
  readonly embed_url?: string;
}

/** The token of a set-up link, an invitation, a new password, or another mailed link. */
export const { token: linkToken } = takeFragment();

const block: Block = JSON.parse(document.getElementById("boot")?.textContent ?? "null") ?? { mail: "server", version: "" };

export const { mail, version } = block;

/** Links to any of these lead to this installation. */
export const ownOrigins: readonly string[] = [location.origin, block.embed_url ?? location.origin];

// A link that is pasted into this very tab changes only the fragment, which by itself would do nothing.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) location.reload();
});
