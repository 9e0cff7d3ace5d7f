import type { FastifyContextConfig, FastifyRequest } from "fastify";
import type { Endpoint } from "./endpoint.ts";
import { hostnameOf } from "./request.ts";

/** Widgets can have a separate host, so that a vulnerability in their pages cannot reach the console or use its cookie. */

/** The widgets' host; null if they share the console's host. The port is ignored, because cookies ignore it. */
export function ownHost({ publicUrl, embedUrl }: { readonly publicUrl: string; readonly embedUrl: string }): string | null {
  const [ofPublic, ofEmbed] = [publicUrl, embedUrl].map((url) => new URL(url).hostname);
  return ofEmbed === undefined || ofEmbed === ofPublic ? null : ofEmbed;
}

/** Whether the requested route is not served on this host. Decided by the Host header alone, which no page can forge. */
export function isElsewhere(
  embedHost: string | null,
  request: FastifyRequest,
  { site }: FastifyContextConfig = request.routeOptions.config,
): boolean {
  if (embedHost === null) return false;
  return hostnameOf(request.headers.host) === embedHost ? site === undefined : site === "embed";
}

/** Endpoints that a widget's page or the page of a form calls are on both hosts. Creating a token is for backends and is not. */
export function siteOf({ path }: Pick<Endpoint, "path">): { readonly site?: "both" } {
  return /^\/(embed\/(sign|vault|links)|forms)\//.test(path) ? { site: "both" } : {};
}
