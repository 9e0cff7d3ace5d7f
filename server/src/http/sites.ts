import type { FastifyContextConfig, FastifyRequest } from "fastify";
import type { Endpoint } from "./endpoint.ts";
import { hostnameOf } from "./request.ts";

/** Widgets on a host of their own: a fault in one of their pages cannot reach the console, nor what its cookie opens. */

/** The widgets' host; null while they share the console's. A port makes no difference: cookies do not know it. */
export function ownHost({ publicUrl, embedUrl }: { readonly publicUrl: string; readonly embedUrl: string }): string | null {
  const [ofPublic, ofEmbed] = [publicUrl, embedUrl].map((url) => new URL(url).hostname);
  return ofEmbed === undefined || ofEmbed === ofPublic ? null : ofEmbed;
}

/** Whether this host does not serve what was asked for. By the Host alone, which no page can forge. */
export function isElsewhere(
  embedHost: string | null,
  request: FastifyRequest,
  { site }: FastifyContextConfig = request.routeOptions.config,
): boolean {
  if (embedHost === null) return false;
  return hostnameOf(request.headers.host) === embedHost ? site === undefined : site === "embed";
}

/** What a page of a widget calls. Minting a token for it is for backends. */
export function siteOf({ path }: Pick<Endpoint, "path">): { readonly site?: "both" } {
  return /^\/embed\/(sign|vault|links)\//.test(path) ? { site: "both" } : {};
}
