import { takeFragment } from "../fragment.ts";

/** What is known before the first call. Imported first, so that a link's token is removed from the address before anything else runs. */

/** The data that the server wrote into the page. */
interface Block {
  /** `outbox`: no mail server is configured, so envelope mail is read in the console */
  readonly mail: "outbox" | "server";
  readonly version: string;
  /** the origin of the signing pages, which may differ from the console's */
  readonly embed_url?: string;
}

/** The token of a set-up link, an invitation, a password reset or another e-mailed link. */
export const { token: linkToken, code: ssoCode, error: ssoError } = takeFragment();

const block: Block = JSON.parse(document.getElementById("boot")?.textContent ?? "null") ?? { mail: "server", version: "" };

export const { mail, version } = block;

/** The origins of this installation. */
export const ownOrigins: readonly string[] = [location.origin, block.embed_url ?? location.origin];

// A link pasted into this tab changes only the fragment, and the browser does not reload the page for that.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) location.reload();
});
