import { fileURLToPath } from "node:url";
import type { Shell } from "./http/web-pages.ts";

/** Where the build of web/ puts its pages. */
export const BUILT_WEB = fileURLToPath(new URL("../../web/dist/", import.meta.url));

/** The documentation, served at /docs. */
export const BUILT_SITE = fileURLToPath(new URL("../../site/dist/", import.meta.url));

/** Where the build puts the packed client. */
export const CLIENT_PACKAGE = fileURLToPath(new URL("../../client/dist/countersign-client.tgz", import.meta.url));

/** The command for integrators, as one file. */
export const INTEGRATOR_CLI = fileURLToPath(new URL("../../cli/dist/countersign-dev.mjs", import.meta.url));

/** The server for AI agents, as one file. */
export const MCP_SERVER = fileURLToPath(new URL("../../mcp/dist/countersign-mcp.mjs", import.meta.url));

/** The verifier of evidence bundles, as one file. */
export const VERIFIER = fileURLToPath(new URL("../../verify/dist/package/countersign-verify.js", import.meta.url));

/** Documents to try the API with: one with tags, and one without. */
export const SAMPLE_LEASE = fileURLToPath(new URL("../../docs/samples/lease.pdf", import.meta.url));
export const SAMPLE_NOTE = fileURLToPath(new URL("../../docs/samples/note.pdf", import.meta.url));

/** The client for Python: one file, as it is in the repository. */
export const PYTHON_CLIENT = fileURLToPath(new URL("../../clients/python/countersign.py", import.meta.url));

/** The data that the console gets with its page, before its first call. */
interface ConsoleBoot {
  /** `outbox`: no mail server is set up, so mail about envelopes is read in the console */
  readonly mail: "outbox" | "server";
  readonly version: string;
  /** the address of the signing pages, which can be on another host */
  readonly embed_url: string;
}

const passkeys = ["publickey-credentials-create", "publickey-credentials-get"];

/** All screens of the console are one page, which cannot be framed. */
export function consoleShell(boot: ConsoleBoot): Shell {
  return {
    path: "/console/*",
    site: "console",
    page: "console/index.html",
    hasFrames: true,
    uses: passkeys,
    open: async () => ({ framedBy: [], boot: { ...boot } }),
  };
}

/** The signing page as the console shows it before anything is sent. It gets everything from the console's window. */
export const previewShell: Shell = {
  path: "/preview/",
  site: "console",
  page: "preview/index.html",
  open: async () => ({ framedBy: ["'self'"], boot: {} }),
};

/** The page of people who act for parties. Its API is beside it, below `/p/api/`, so that every other path stays 404. */
export const partyShell: Shell = {
  path: "/p/",
  site: "console",
  page: "party/index.html",
  uses: passkeys,
  open: async () => ({ framedBy: [], boot: {} }),
};
