import { isIP } from "node:net";
import { isLoopback } from "../shared/loopback.ts";
import { type Fence, isReachable } from "./address-fence.ts";

export const MAX_URL_LENGTH = 2048;

// Ports of other protocols, whose servers might misinterpret our request (the Fetch standard's list).
const FOREIGN_PORTS = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 179
   389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061
   6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

/** What is wrong with an endpoint's URL, for the person who entered it; null if deliveries can go there. Does not resolve names. */
export function faultOfUrl(fence: Fence, text: string): string | null {
  // The parser would drop or convert some of these characters, and the URL would differ from what was entered.
  if (text.length > MAX_URL_LENGTH || /[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return "must be a URL of at most 2048 characters";
  // The parser accepts `https:example.com` and `https:///example.com`, but they are probably typing errors.
  if (!/^[^:/]+:\/\/[^/]/.test(text)) return "must start with https://";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must start with https://";
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(text)) return "must not contain a user name or password";
  if (url.hash !== "" || text.endsWith("#")) return "must not have a fragment";
  if (FOREIGN_PORTS.has(url.port)) return "must not use a port of another protocol";
  if (url.protocol === "http:" && !fence.plainHttp && !(fence.loopback && isLoopback(url.hostname))) return "must start with https://";
  const literal = addressOf(url);
  if (literal !== null && !isReachable(fence, literal)) return "must not be an address that deliveries are not sent to";
  return null;
}

/** The IP address in a URL, if its host is one. The parser has already normalized every spelling (0x7f.1, 2130706433). */
export function addressOf(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? null : host;
}
