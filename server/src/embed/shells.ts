import type { OpenedShell, Shell, ShellVisitor } from "../http/serve-web.ts";
import { isId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { isSlug } from "../shared/slugs.ts";
import type { EmbedDeps } from "./mint-token.ts";
import { openLink } from "./open-link.ts";
import { presentLinkToken } from "./present.ts";
import { listEmbedOrigins } from "./store.ts";

export interface ShellDeps extends EmbedDeps {
  /** local mode: pages on this machine may show the widgets too, from any port */
  readonly localMode: boolean;
}

/** The pages of the widgets, as they are served before any token was seen. */
export function embedShells(deps: ShellDeps): Shell[] {
  return [
    { path: "/sign/:envelope_id", site: "embed", page: "sign/index.html", open: (envelope_id) => openWidget(deps, envelope_id) },
    { path: "/vault/:envelope_id", site: "embed", page: "vault/index.html", open: (envelope_id) => openWidget(deps, envelope_id) },
    { path: "/s/:slug", site: "embed", page: "sign/index.html", open: (slug, visitor) => openMailed(deps, slug, visitor) },
  ];
}

// Without names below localhost: a test of framing needs a host of this machine that is refused.
const LOCAL_ORIGINS = ["http://localhost:*", "http://127.0.0.1:*"];

/** One list says who may frame the page and whom it talks to. That of an unknown id is that of an org which named nobody. */
async function openWidget({ db, localMode }: ShellDeps, envelope_id: string): Promise<OpenedShell> {
  const named = isId("envelope", envelope_id) ? await db.system((tx) => listEmbedOrigins(tx, envelope_id)) : [];
  const origins = localMode ? [...named, ...LOCAL_ORIGINS.filter((origin) => !named.includes(origin))] : named;
  return { framedBy: origins, boot: { origins } };
}

/** The link of a mail, which is never framed. What is wrong with it the page says in its own words. */
async function openMailed(deps: ShellDeps, named: string, visitor: ShellVisitor): Promise<OpenedShell> {
  const slug = isSlug(named) ? named : null;
  const alone = { framedBy: [] };
  try {
    if (slug === null) throw new Problem("link_not_found", "not a slug");
    const opened = presentLinkToken(await openLink(deps, slug));
    return { ...alone, boot: { origins: [], ...opened, slug } };
  } catch (error) {
    const problem = await problemOfLink(error, visitor);
    const boot = { origins: [], envelope_id: null, token: null, expires_at: null, slug, problem };
    return { ...alone, boot, isLimited: problem === "rate_limited" };
  }
}

/** Guessing links counts like guessing keys. */
async function problemOfLink(error: unknown, visitor: ShellVisitor): Promise<string> {
  if (!(error instanceof Problem)) throw error;
  switch (error.code) {
    case "link_not_found":
      return (await visitor.refused()).accepted ? "link_not_found" : "rate_limited";
    case "envelope_ended":
      return error.details?.[0]?.code ?? "link_not_found";
    case "rate_limited":
      return "rate_limited";
    default:
      throw error;
  }
}
