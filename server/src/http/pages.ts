import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** A page that is one file: its styles and scripts are inline, and the policy admits exactly those bytes. */
export interface HtmlPage {
  readonly paths: readonly string[];
  readonly html: string;
}

export function addPages(app: FastifyInstance, pages: readonly HtmlPage[]): void {
  for (const { paths, html } of pages) {
    const policy = policyFor(html);
    for (const path of paths) {
      app.get(path, async (_request, reply) => reply.header("content-security-policy", policy).type("text/html; charset=utf-8").send(html));
    }
  }
}

function policyFor(html: string): string {
  const hashes = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))]
      .map(
        ([, text]) =>
          `'sha256-${createHash("sha256")
            .update(text ?? "")
            .digest("base64")}'`,
      )
      .join(" ");
  return (
    `default-src 'none'; script-src ${hashes("script")}; style-src ${hashes("style")}; connect-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
  );
}
