import { expect } from "vitest";
import { type Answer, client, type Send } from "./client.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import type { NameServer } from "./name-server.ts";
import type { TestOrg, TestService } from "./service.ts";

/** Organizations with single sign-on, and browsers that log in with it. */

/** Proves a domain by DNS. Returns its id. */
export async function proveDomain(names: NameServer, org: TestOrg, domain: string): Promise<string> {
  const added = await org.admin("POST", "/org/domains", { body: { domain } });
  expect(added.status).toBe(201);
  const { domain_id, record_name, record_value } = added.json.data;
  names.setTexts(record_name, ["unrelated", record_value]);
  const verified = await org.admin("POST", `/org/domains/${domain_id}/verify`, { body: { method: "dns" } });
  expect(verified.status).toBe(200);
  return domain_id;
}

/** An active connection to the provider. Returns its id. */
export async function connect(org: TestOrg, { issuer, client: known }: IdentityProvider, values: object = {}): Promise<string> {
  const body = { name: "Provider", issuer, ...known, provision: "create", default_role: "member", ...values };
  const created = await org.admin("POST", "/org/sso", { body });
  expect([created.status, created.json]).toEqual([201, expect.anything()]);
  const { connection_id } = created.json.data;
  const active = await org.admin("PATCH", `/org/sso/${connection_id}`, { body: { state: "active" } });
  expect(active.status).toBe(200);
  return connection_id;
}

export async function setMode(org: TestOrg, sso_mode: string): Promise<void> {
  const { status } = await org.admin("PATCH", "/org/security", { body: { sso_mode } });
  expect(status).toBe(200);
}

/** A browser: it keeps the cookie of single sign-on, and its pages come from us. */
export class Browser {
  readonly #service: TestService;
  readonly #cookies = new Map<string, string>();

  constructor(service: TestService) {
    this.#service = service;
  }

  get headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { origin: this.#service.config.publicUrl, ...(cookie !== "" && { cookie }) };
  }

  keep({ headers }: Answer): void {
    for (const line of [headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
  }

  async send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.#service.send(method, path, {
      ...(body !== undefined && { body }),
      headers: { ...this.headers, ...headers },
    });
    this.keep(answer);
    return answer;
  }

  /** Opens the address to which the provider sends the browser back. Returns the fragment of the page that it ends on. */
  async comeBack(returned: string): Promise<URLSearchParams> {
    const { pathname, search } = new URL(returned);
    const { status, headers } = await this.send("GET", `/${pathname}${search}`);
    expect(status).toBe(302);
    const page = new URL(headers.location ?? "");
    expect(page.href.split("#")[0]).toBe(`${this.#service.config.publicUrl}/console/sso`);
    return new URLSearchParams(page.hash.slice(1));
  }

  /** From the start to the code for the last step. */
  async codeFrom(provider: IdentityProvider, wish: object, headers: Record<string, string> = {}): Promise<URLSearchParams> {
    const started = await this.send("POST", "/auth/sso/start", wish, headers);
    expect([started.status, started.json]).toEqual([200, expect.anything()]);
    return this.comeBack(await provider.visit(started.json.data.redirect_url));
  }

  finish(code: string | null): Promise<Answer> {
    return this.send("POST", "/auth/sso/finish", { code: code ?? "", mode: "token" });
  }

  /** The whole log-in. */
  async logIn(provider: IdentityProvider, wish: object): Promise<Answer> {
    const fragment = await this.codeFrom(provider, wish);
    expect(fragment.get("error")).toBeNull();
    return this.finish(fragment.get("code"));
  }
}

export const withToken = (service: TestService, { json }: Answer): Send =>
  client(service.url, { authorization: `Bearer ${json.data.token}` });

/** Tests a connection as its org's admin. */
export async function testConnection(service: TestService, org: TestOrg, provider: IdentityProvider, connection_id: string) {
  const browser = new Browser(service);
  const started = await org.admin("POST", `/org/sso/${connection_id}/test`);
  expect(started.status).toBe(200);
  browser.keep(started);
  const fragment = await browser.comeBack(await provider.visit(started.json.data.redirect_url));
  return browser.finish(fragment.get("code"));
}
