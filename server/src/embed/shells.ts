import type { OpenedShell, Shell } from "../http/web-pages.ts";
import { isId } from "../shared/ids.ts";
import { isSlug } from "../shared/slugs.ts";
import type { EmbedDeps } from "./mint-token.ts";
import { listEmbedOrigins } from "./store.ts";

export interface ShellDeps extends EmbedDeps {
  /** local mode: pages on this machine can frame the widgets too, from any port */
  readonly localMode: boolean;
}

/** The pages of the widgets, as served before any token is known. */
export function embedShells(deps: ShellDeps): Shell[] {
  return [
    { path: "/sign/:envelope_id", site: "embed", page: "sign/index.html", open: (envelope_id) => openWidget(deps, envelope_id) },
    { path: "/vault/:envelope_id", site: "embed", page: "vault/index.html", open: (envelope_id) => openWidget(deps, envelope_id) },
    { path: "/s/:slug", site: "embed", page: "sign/index.html", open: async (slug) => openSigningLink(slug) },
  ];
}

// Without subdomains of localhost: a test of framing needs a host of this machine that is refused.
const LOCAL_ORIGINS = ["http://localhost:*", "http://127.0.0.1:*"];

/**
 * One list determines who can frame the page and whom it communicates with. An unknown id has the list of an organization without origins.
 */
async function openWidget({ db, localMode }: ShellDeps, envelope_id: string): Promise<OpenedShell> {
  const named = isId("envelope", envelope_id) ? await db.system((tx) => listEmbedOrigins(tx, envelope_id)) : [];
  const origins = localMode ? [...named, ...LOCAL_ORIGINS.filter((origin) => !named.includes(origin))] : named;
  return { framedBy: origins, boot: { origins } };
}

/** A signing link, which is never framed. The page exchanges the secret after its `#` for a token; it is not part of this request. */
function openSigningLink(named: string): OpenedShell {
  return { framedBy: [], boot: { origins: [], slug: isSlug(named) ? named : null } };
}
