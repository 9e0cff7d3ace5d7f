import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { client as httpClient, type Send } from "../../test/client.ts";
import { accept, invite, newEmail } from "../../test/invitations.ts";
import { newPerson } from "../../test/people.ts";
import { refusalText } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import type { Config } from "../config.ts";
import { makeLogger } from "../logger.ts";
import { buildHttp } from "../main.ts";
import { startSession } from "../vault/people/start-session.ts";
import { servedPath } from "./paths.ts";
import type { ClientTimeouts } from "./server.ts";

const service = testService();

interface Listening {
  readonly port: number;
  /** resolves when the service has closed the next new connection */
  readonly nextIsGone: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The same service on another port, with different limits. */
async function listen(limits: Partial<Config>, timeouts?: ClientTimeouts): Promise<Listening> {
  const { db, features, config } = service;
  const app = await buildHttp({
    config: { ...config, ...limits },
    db,
    features,
    logger: makeLogger("silent"),
    ...(timeouts === undefined ? {} : { timeouts }),
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as { port: number };
  const nextIsGone = () =>
    new Promise<void>((resolve) => app.server.once("connection", (socket: Socket) => socket.once("close", () => resolve())));
  return { port, nextIsGone, close: () => app.close() };
}

/** Everything that a connection received until it ended. */
interface Client {
  readonly socket: Socket;
  readonly connected: Promise<void>;
  readonly ended: Promise<string>;
  /** the status of the next response; 0 if the connection ends without one */
  ask(bytes: string): Promise<number>;
}

function client(port: number): Client {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let text = "";
  let seen = 0;
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  return {
    socket,
    connected: new Promise((resolve) => socket.once("connect", () => resolve())),
    ended: new Promise((resolve) => socket.once("close", () => resolve(text))),
    ask: (bytes) =>
      new Promise((resolve) => {
        const look = () => {
          const status = /^HTTP\/1\.1 (\d+) /.exec(text.slice(seen))?.[1];
          if (status === undefined && !socket.destroyed) return;
          seen = text.length;
          socket.off("data", look).off("close", look);
          resolve(Number(status ?? 0));
        };
        socket.on("data", look).on("close", look);
        socket.write(bytes);
      }),
  };
}

const WHOLE = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const HALF = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

describe("a slow client", () => {
  const timeouts = { headers_ms: 100, look_ms: 20, linger_ms: 20, anonymousBody_ms: 100, readmission_ms: 1_000 };
  let server: Listening;
  beforeAll(async () => {
    server = await listen({}, timeouts);
  });
  afterAll(() => server.close());

  test("with half-sent headers gets 408, and its connection is closed even if the client keeps its side open", async () => {
    const gone = server.nextIsGone();
    const slow = client(server.port);
    // The client does not close its side after ours.
    slow.socket.allowHalfOpen = true;
    expect(await slow.ask(HALF)).toBe(408);
    await gone;
    slow.socket.destroy();
    expect((await slow.ended).endsWith(refusalText("The request did not arrive in time"))).toBe(true);
  });

  test("that sends nothing, or stalls in the headers of its second request, is closed the same way", async () => {
    const [silent, second] = [client(server.port), client(server.port)];
    expect(await second.ask(WHOLE)).toBe(200);
    second.socket.write(HALF);
    expect(await silent.ended).toMatch(/^HTTP\/1\.1 408 /);
    expect(await second.ended).toContain("HTTP/1.1 408 ");
  });

  test("with the body of a request without a credential gets 408", async () => {
    const slow = client(server.port);
    const head = "POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    expect(await slow.ask(`${head}{"email":`)).toBe(408);
    slow.socket.destroy();
  });

  test("in production has 12 seconds, is found within one more and closed within another, 15 seconds at the latest", async () => {
    const { app } = service;
    expect(app.server).toMatchObject({ headersTimeout: 12_000, requestTimeout: 300_000 });
  });
});

describe("rights that end while a body arrives", () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen({}, { headers_ms: 12_000, look_ms: 1_000, linger_ms: 1_000, anonymousBody_ms: 15_000, readmission_ms: 0 });
  });
  afterAll(() => server.close());

  // More than the end of a form after its file.
  const HELD = 30;

  /** Sends everything but the last bytes and waits until the caller was admitted. The function that is returned sends the rest. */
  async function begin(credential: string, path: string, type: string, body: string, isAdmitted: () => Promise<boolean>) {
    const slow = client(server.port);
    const head = [
      `POST ${servedPath(path)} HTTP/1.1`,
      "Host: localhost",
      credential,
      `Content-Type: ${type}`,
      `Content-Length: ${body.length}`,
    ];
    slow.socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, -HELD)}`, "latin1");
    await until("the caller to be admitted", isAdmitted);
    return async () => {
      const status = await slow.ask(body.slice(-HELD));
      slow.socket.destroy();
      return status;
    };
  }

  /** The body in parts: each call sends it up to there, the last one the rest. */
  async function beginParts(credential: string, path: string, type: string, body: string) {
    const slow = client(server.port);
    const head = [
      `POST ${servedPath(path)} HTTP/1.1`,
      "Host: localhost",
      credential,
      `Content-Type: ${type}`,
      `Content-Length: ${body.length}`,
    ];
    slow.socket.write(`${head.join("\r\n")}\r\n\r\n`, "latin1");
    let sent = 0;
    return {
      send: (to: number) => {
        slow.socket.write(body.slice(sent, to), "latin1");
        sent = to;
      },
      finish: async () => {
        const status = await slow.ask(body.slice(sent));
        slow.socket.destroy();
        return status;
      },
    };
  }

  async function memberWithToken(org: TestOrg, role: string) {
    const { json } = await accept(service, (await invite(org, newEmail(), role)).token);
    const { token, user } = json.data;
    return { token: token as string, user_id: user.user_id as string, send: httpClient(service.url, { authorization: `Bearer ${token}` }) };
  }

  async function sessionOf(send: Send) {
    const { json } = await send("GET", "/auth/sessions");
    return json.data.find((one: { current: boolean }) => one.current).session_id as string;
  }

  /** A session is used when it is admitted. */
  async function beginInSession(org: TestOrg, send: Send, token: string, path: string, type: string, body: string) {
    const session_id = await sessionOf(send);
    await service.database.owner("update sessions set last_used_at = now() - interval '5 minutes' where session_id = $1", [session_id]);
    const isUsed = async () => {
      const [row] = await service.database.owner(
        "select last_used_at > now() - interval '4 minutes' as used from sessions where org_id = $1 and session_id = $2",
        [org.org_id, session_id],
      );
      return row?.used === true;
    };
    return begin(`Authorization: Bearer ${token}`, path, type, body, isUsed);
  }

  const PDF = Buffer.from(writePdf(onePage({ content: text("A lease", 72, 700) }))).toString("latin1");
  const NEW_KEY = JSON.stringify({ partner_name: "Left behind", scopes: ["envelopes:read"] });
  const keysOf = async (org: TestOrg) => (await org.admin("GET", "/partners/keys")).json.data.length;

  test("of a session that goes on are used", async () => {
    const org = await service.newOrg();
    const finish = await beginInSession(org, org.admin, org.token, "/partners/keys", "application/json", NEW_KEY);
    expect(await finish()).toBe(201);
  });

  test("of a session that has ended make no key, and of a member who was removed no file either", async () => {
    const org = await service.newOrg();
    for (const how of ["session", "member"]) {
      const { send, token, user_id } = await memberWithToken(org, "admin");
      const boundary = "b0undary";
      const part = (name: string, value: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${PDF}\r\n--${boundary}--\r\n`;
      const making = await beginInSession(org, send, token, "/partners/keys", "application/json", NEW_KEY);
      const type = `multipart/form-data; boundary=${boundary}`;
      const uploading = await beginInSession(org, send, token, "/partner/templates", type, part("name", "Lease") + file);
      const path = how === "session" ? `/org/members/${user_id}/sessions` : `/org/members/${user_id}`;
      expect((await org.admin("DELETE", path)).status).toBe(200);
      expect([await making(), await uploading()], how).toEqual([401, 401]);
    }
    expect(await keysOf(org)).toBe(0);
  });

  const CSV = "client_id,email,name\nc-1,ann@example.com,Ann\n";
  const csvOf = (rows: string) =>
    `--b0undary\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${rows}\r\n--b0undary--\r\n`;
  const FORM = "multipart/form-data; boundary=b0undary";
  const customersOf = (org: TestOrg) => service.database.owner("select client_id from customers where org_id = $1", [org.org_id]);

  test("of a session that has ended import no customers, although the file is read while it arrives", async () => {
    const org = await service.newOrg();
    const kept = await beginInSession(org, org.admin, org.token, "/customers/bulk", FORM, csvOf(CSV));
    expect(await kept()).toBe(200);
    expect(await customersOf(org)).toHaveLength(1);
    const { send, token, user_id } = await memberWithToken(org, "admin");
    const importing = await beginInSession(org, send, token, "/customers/bulk", FORM, csvOf(CSV.replace("c-1", "c-2")));
    const { send: sending, token: other, user_id: demoted } = await memberWithToken(org, "admin");
    const viewing = await beginInSession(org, sending, other, "/customers/bulk", FORM, csvOf(CSV.replace("c-1", "c-3")));
    expect((await org.admin("DELETE", `/org/members/${user_id}`)).status).toBe(200);
    expect((await org.admin("PATCH", `/org/members/${demoted}`, { body: { role: "viewer" } })).status).toBe(200);
    expect([await importing(), await viewing()]).toEqual([401, 403]);
    expect(await customersOf(org)).toHaveLength(1);
  });

  test("of a session that ends between two parts of a file leave what was saved before, and the audit trail says how much", async () => {
    const org = await service.newOrg();
    const { send, token, user_id } = await memberWithToken(org, "admin");
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => `c-${from + n},c${from + n}@example.com,Ann\n`).join("");
    const [first, second] = [`client_id,email,name\n${rows(0, 600)}`, rows(600, 1_200)];
    const body = csvOf(first + second);
    const { send: sendPart, finish } = await beginParts(`Authorization: Bearer ${token}`, "/customers/bulk", FORM, body);
    sendPart(body.indexOf(second));
    await until("a batch to be saved", async () => (await customersOf(org)).length === 500);
    await send("POST", "/auth/logout");
    expect(await finish()).toBe(401);
    expect(await customersOf(org)).toHaveLength(500);
    const [entry] = (await org.admin("GET", "/org/audit-trail?type=customers.uploaded")).json.data;
    expect(entry).toMatchObject({ actor: { id: user_id }, data: { rows: 500, created: 500 } });
  });

  test("of a person who acts for parties decide nothing once they have signed out", async () => {
    const BODY = JSON.stringify({ credential: {} });
    const { person_id } = await newPerson(service);
    const begun = async () => {
      const { token } = await service.db.system((tx) => startSession(tx, person_id, null));
      await service.database.owner("delete from quotas where subject = $1", [`person:${person_id}`]);
      const isCounted = async () =>
        (await service.database.owner("select from quotas where subject = $1", [`person:${person_id}`])).length === 1;
      const finish = await begin(`Authorization: Bearer ${token}`, "/p/api/passkeys/verify", "application/json", BODY, isCounted);
      return { finish, send: httpClient(service.url, { authorization: `Bearer ${token}` }) };
    };
    const live = await begun();
    expect(await live.finish(), "the body is wrong").toBe(422);
    const over = await begun();
    expect((await over.send("DELETE", "/p/api/session")).status).toBe(200);
    expect(await over.finish()).toBe(401);
  });

  test("of an admin who is a member now are those of a member", async () => {
    const org = await service.newOrg();
    const { send, token, user_id } = await memberWithToken(org, "admin");
    const making = await beginInSession(org, send, token, "/partners/keys", "application/json", NEW_KEY);
    const inviting = await beginInSession(
      org,
      send,
      token,
      "/org/invitations",
      "application/json",
      '{"email":"eve@example.com","role":"admin"}',
    );
    expect((await org.admin("PATCH", `/org/members/${user_id}`, { body: { role: "member" } })).status).toBe(200);
    expect([await making(), await inviting()]).toEqual([403, 403]);
    expect(await keysOf(org)).toBe(0);
  });

  test("of a key that was deactivated or lost its scope change nothing", async () => {
    const org = await service.newOrg();
    const CUSTOMER = JSON.stringify({ email: "ann@example.com", name: "Ann" });
    const set = (change: string) => (id: string) => service.database.owner(`update api_keys set ${change} where key_id = $1`, [id]);
    const changes = [
      [401, (id: string) => org.admin("DELETE", `/partners/keys/${id}`)],
      [401, (id: string) => org.admin("POST", `/partners/keys/${id}/rotate`, { body: { grace_period_seconds: 0 } })],
      [403, (id: string) => org.admin("PATCH", `/partners/keys/${id}`, { body: { scopes: ["envelopes:read"] } })],
      [401, set("expires_at = now()")],
      [401, set("allowed_cidrs = '{203.0.113.0/24}'")],
    ] as const;
    for (const [status, change] of changes) {
      const { key_id, api_key } = await org.newKey();
      const isUsed = async () => {
        const [row] = await service.database.owner("select last_used_at from api_key_usage where key_id = $1", [key_id]);
        return row?.last_used_at != null;
      };
      const finish = await begin(`X-API-Key: ${api_key}`, "/partner/customers", "application/json", CUSTOMER, isUsed);
      await change(key_id);
      expect(await finish()).toBe(status);
    }
    expect(await service.database.owner("select from customers where org_id = $1", [org.org_id])).toEqual([]);
  });

  test("of a key that can only draft from now on leave the draft of another as it is", async () => {
    const org = await service.newOrg();
    const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" };
    const { envelope_id } = (await org.admin("POST", "/partner/envelopes", { body })).json.data;
    const { key_id, api_key } = await org.newKey({ scopes: ["envelopes:write"] });
    const isUsed = async () =>
      (await service.database.owner("select from api_key_usage where key_id = $1 and last_used_at is not null", [key_id])).length === 1;
    const file = `--b0undary\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${PDF}\r\n--b0undary--\r\n`;
    const path = `/partner/envelopes/${envelope_id}`;
    const adding = await begin(`X-API-Key: ${api_key}`, `${path}/documents`, FORM, file, isUsed);
    expect((await org.admin("PATCH", `/partners/keys/${key_id}`, { body: { scopes: ["drafts:write"] } })).status).toBe(200);
    expect(await adding()).toBe(403);
    expect((await org.admin("GET", path)).json.data.status).toBe("pending");
  });
});

describe("connections of one address", () => {
  test("above the limit close the longest idle one, and no request is refused", async () => {
    const server = await listen({ maxConnectionsPerAddress: 3 });
    try {
      const half = client(server.port);
      await half.connected;
      half.socket.write(HALF);
      const kept = client(server.port);
      expect(await kept.ask(WHOLE)).toBe(200);
      // An office behind one address: every new connection is accepted, and only unused ones are closed.
      for (let n = 0; n < 5; n++) {
        const colleague = client(server.port);
        expect(await colleague.ask(WHOLE)).toBe(200);
      }
      expect([await half.ended, (await kept.ended).slice(0, 12)]).toEqual(["", "HTTP/1.1 200"]);
    } finally {
      await server.close();
    }
  });

  test("a new one is closed while all others are busy", async () => {
    const server = await listen({ maxConnectionsPerAddress: 2 });
    try {
      // Busy: the headers have arrived, the body has not.
      const head =
        "POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
      const busy = [client(server.port), client(server.port)];
      for (const { ask } of busy) expect(await ask(head)).toBe(100);
      const refused = client(server.port);
      expect(await refused.ended).toBe("");
      for (const { ask } of busy) expect(await ask("{}")).toBe(422);
      expect(await client(server.port).ask(WHOLE)).toBe(200);
    } finally {
      await server.close();
    }
  });

  test.each([{ maxConnectionsPerAddress: 0 }, { maxConnectionsPerAddress: 2, trustProxyHops: 1 }])(
    "are not limited with %j (0 means unlimited, and behind a proxy all connections are the proxy's)",
    async (limits) => {
      const server = await listen(limits);
      try {
        const clients = Array.from({ length: 10 }, () => client(server.port));
        for (const { ask } of clients) expect(await ask(WHOLE)).toBe(200);
        for (const { ask } of clients) expect(await ask(WHOLE)).toBe(200);
      } finally {
        await server.close();
      }
    },
  );
});
