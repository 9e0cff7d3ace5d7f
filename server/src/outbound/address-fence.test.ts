import { Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type NameServer, startNameServer } from "../../test/name-server.ts";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { alwaysLeaves } from "../shared/departures.ts";
import { type Fence, isReachable } from "./address-fence.ts";
import { faultOfUrl } from "./fault-of-url.ts";
import { makeResolveName } from "./name-resolver.ts";
import { type Limits, sendRequest } from "./send-request.ts";

const LIMITS: Limits = { connect_ms: 5_000, exchange_ms: 15_000, body_ms: 2_000, body_bytes: 1_024 };
const outside: Fence = { loopback: false, plainHttp: true, allowedNetworks: [] };
/** Like `outside`, except that one address of this machine stands for the public internet, so a failing test reaches nothing else. */
const oneOnly: Fence = { ...outside, allowedNetworks: ["127.0.0.2/32"] };
const local: Fence = { loopback: true, plainHttp: false, allowedNetworks: [] };

/** Addresses that a customer must not make us connect to: one of each kind, in IPv4 and IPv6. */
const HOSTILE = [
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:7f00:1",
  "::ffff:a00:1",
  "::ffff:0:7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::a00:1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::1",
  "3fff::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
];

/** Addresses where cloud providers serve metadata, keys and the like to their own machines, with the provider's name. */
const METADATA: Readonly<Record<string, string>> = {
  "169.254.169.254": "AWS, Azure, Google, Oracle, IBM, DigitalOcean, Hetzner, OpenStack and most others",
  "169.254.170.2": "AWS, tasks of ECS",
  "169.254.170.23": "AWS, pods of EKS",
  "169.254.169.253": "AWS, names",
  "168.63.129.16": "Azure, WireServer",
  "192.0.0.192": "Oracle, classic",
  "100.100.100.200": "Alibaba",
  "100.96.0.96": "Volcengine",
  "100.88.222.5": "Tencent",
  "169.254.0.23": "Tencent",
  "169.254.42.42": "Scaleway",
  "192.80.8.124": "Equinix Metal",
  "fd00:ec2::254": "AWS",
  "fd00:ec2::253": "AWS, names",
  "fd00:ec2::23": "AWS, pods of EKS",
  "fd20:ce::254": "Google",
  "fd00:c1::a9fe:a9fe": "Oracle",
  "fd00:42::42": "Scaleway",
  "fd00:a9fe:a9fe::1": "Linode",
  "fe80::a9fe:a9fe": "OpenStack",
};

/** IPv6 addresses that contain an IPv4 address: mapped, compatible, translated (SIIT), NAT64 (both prefixes), 6to4, Teredo (inverted). */
function wrapped(ipv4: string): string[] {
  const bytes = ipv4.split(".").map(Number);
  const groups = (of: readonly number[]) => [0, 2].map((at) => (((of[at] ?? 0) << 8) | (of[at + 1] ?? 0)).toString(16)).join(":");
  const inside = groups(bytes);
  const prefixes = ["::ffff:", "::", "::ffff:0:", "64:ff9b::", "64:ff9b:1::"];
  return [...prefixes.map((prefix) => prefix + inside), `2002:${inside}::1`, `2001:0:808:808::${groups(bytes.map((byte) => 255 - byte))}`];
}

/** Other ways to write some of them, which a URL parser or a careless check may misread. */
const SPELLINGS = [
  "2130706433",
  "0x7f000001",
  "017700000001",
  "0x7f.1",
  "127.1",
  "0177.0.0.01",
  "127.0.0.1.",
  "①②⑦.0.0.1",
  "0",
  "2852039166",
  "2822734096",
  "0xa83f8110",
  "168.63.33040",
  "0xa9fea9fe",
  "[::ffff:127.0.0.1]",
  "[::127.0.0.1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:169.254.169.254]",
  "[::ffff:168.63.129.16]",
  "[64:ff9b::168.63.129.16]",
  "[64:ff9b::10.0.0.1]",
];

const inUrl = (address: string) => `https://${address.includes(":") && !address.startsWith("[") ? `[${address}]` : address}/hooks`;

/** Every connection that code of this thread tries to open. Those to other than the allowed ports are not opened, so no packet leaves. */
const tried: string[] = [];
const allowed = new Set<number>();
const connect = Socket.prototype.connect;

function refusingConnect(this: Socket, ...args: unknown[]): Socket {
  const options = (Array.isArray(args[0]) ? args[0][0] : args[0]) as { host?: string; port?: number | string; path?: string | null };
  // A path is the database's socket.
  const isAllowed = typeof options.path === "string" || allowed.has(Number(options.port));
  if (isAllowed) return Reflect.apply(connect, this, args);
  tried.push(`${options.host}:${options.port}`);
  process.nextTick(() => this.destroy(new Error("refused by the test")));
  return this;
}

let receiver: Receiver;
const portOf = ({ url }: Receiver) => Number(new URL(url).port);
beforeAll(async () => {
  receiver = await startReceiver();
  Socket.prototype.connect = refusingConnect as typeof connect;
  // First shows on loopback that the hook works; nothing below runs otherwise.
  const outcome = await post(local, receiver.url);
  if (outcome.kind !== "failed" || receiver.requests.length > 0 || tried[0] !== new URL(receiver.url).host)
    throw new Error("the hook does not work");
});
afterAll(async () => {
  Socket.prototype.connect = connect;
  await receiver.close();
});
beforeEach(() => {
  tried.length = 0;
});

const post = (fence: Fence, url: string, resolve = makeResolveName()) =>
  sendRequest(
    { mayLeave: alwaysLeaves, fence, resolve, limits: LIMITS },
    { method: "POST", url, headers: {}, body: Buffer.from("{}") },
    new AbortController().signal,
  );

describe("an address", () => {
  test("of the list is not reachable, and ordinary public ones are", () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(36);
    expect(HOSTILE.filter((address) => isReachable(outside, address))).toEqual([]);
    for (const address of ["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:808:808"]) {
      expect(isReachable(outside, address), address).toBe(true);
    }
  });

  test.each(Object.entries(METADATA))("%s, where metadata is served (%s), is not reachable in any form", (address) => {
    const forms = address.includes(":") ? [address] : [address, ...wrapped(address)];
    expect(forms.filter((form) => isReachable(outside, form) || isReachable(local, form))).toEqual([]);
  });

  test("next to a metadata address is reachable: the rest of that network belongs to others", () => {
    for (const address of ["168.63.129.15", "168.63.129.17", "192.80.8.125"]) expect(isReachable(outside, address), address).toBe(true);
  });

  test("of this machine is reachable in local mode, and no other of the list", () => {
    const reached = HOSTILE.filter((address) => isReachable(local, address));
    expect(reached).toEqual(["127.0.0.1", "127.255.255.254", "::1", "::ffff:7f00:1"]);
  });

  test("of an allowed network is reachable, and addresses next to that network are not", () => {
    const fence = { ...outside, allowedNetworks: ["10.1.0.0/16", "fd00:1::/32"] };
    for (const address of ["10.1.0.1", "10.1.255.255", "::ffff:a01:1", "fd00:1::5"])
      expect(isReachable(fence, address), address).toBe(true);
    for (const address of ["10.0.255.255", "10.2.0.0", "127.0.0.1", "fd00:2::5"]) expect(isReachable(fence, address), address).toBe(false);
  });
});

describe("no connection is opened", () => {
  test.each([...HOSTILE, ...Object.keys(METADATA), ...SPELLINGS])(
    "to %s in a URL: it is refused on input, and blocked if it was stored before",
    async (address) => {
      expect(faultOfUrl(outside, inUrl(address))).toBe("must not be an address that deliveries are not sent to");
      expect(await post(outside, inUrl(address))).toMatchObject({ kind: "failed", error: "blocked_address" });
      expect(tried).toEqual([]);
    },
  );

  describe("by DNS", () => {
    let names: NameServer;
    beforeAll(async () => {
      names = await startNameServer();
    });
    afterAll(() => names.close());

    test.each([...HOSTILE, "168.63.129.16", "192.80.8.124"])("to a name whose address is %s", async (address) => {
      names.set("hostile.example", [address]);
      expect(faultOfUrl(outside, "https://hostile.example/")).toBeNull();
      const outcome = await post(outside, "https://hostile.example/", makeResolveName([names.address]));
      expect(outcome).toMatchObject({ kind: "failed", error: "blocked_address" });
      expect(tried).toEqual([]);
    });

    test("to a name with one forbidden address among permitted ones", async () => {
      names.set("mixed.example", ["127.0.0.2", "10.0.0.1"]);
      names.set("mixed6.example", ["127.0.0.2", "fe80::1"]);
      for (const name of ["mixed.example", "mixed6.example"]) {
        expect(await post(oneOnly, `https://${name}/`, makeResolveName([names.address]))).toMatchObject({ error: "blocked_address" });
      }
      expect(tried).toEqual([]);
    });

    test("to localhost under any of its names, without a DNS query", async () => {
      for (const name of ["localhost", "localhost.", "anything.localhost", "LOCALHOST"]) {
        expect(await post(outside, `https://${name}/`, makeResolveName([names.address]))).toMatchObject({ error: "blocked_address" });
      }
      expect(tried).toEqual([]);
      expect(names.asked.filter((name) => name.includes("localhost"))).toEqual([]);
    });

    test("to an address other than the checked one if the name resolves differently later", async () => {
      // Two receivers on one port; only the second address is allowed.
      const good = await startReceiver(undefined, "127.0.0.2", portOf(receiver));
      allowed.add(portOf(receiver));
      names.set("rebinding.example", ["127.0.0.2"], ["127.0.0.1"]);
      const resolve = makeResolveName([names.address]);
      const url = `http://rebinding.example:${portOf(receiver)}/hooks`;
      names.asked.length = 0;
      expect(await post(oneOnly, url, resolve)).toMatchObject({ kind: "answered", code: 200 });
      expect(names.asked, "one look-up, of both kinds of address").toEqual(["rebinding.example", "rebinding.example"]);
      expect(good.requests[0]?.headers.host).toBe(new URL(url).host);
      expect(await post(oneOnly, url, resolve)).toMatchObject({ error: "blocked_address" });
      expect([good.requests.length, receiver.requests.length, tried]).toEqual([1, 0, []]);
      allowed.clear();
      await good.close();
    });

    test("to a name that does not exist, has no address or does not resolve in time", async () => {
      names.set("empty.example", []);
      for (const name of ["missing.example", "empty.example"]) {
        expect(await post(outside, `https://${name}/`, makeResolveName([names.address]))).toMatchObject({ error: "dns_error" });
      }
      const silent = await startNameServer();
      await silent.close();
      expect(
        await sendRequest(
          {
            mayLeave: alwaysLeaves,
            fence: outside,
            resolve: makeResolveName([silent.address]),
            limits: { ...LIMITS, connect_ms: 300, exchange_ms: 1_000 },
          },
          { method: "POST", url: "https://silent.example/", headers: {}, body: Buffer.from("{}") },
          new AbortController().signal,
        ),
      ).toMatchObject({ error: "dns_error" });
      expect(tried).toEqual([]);
    });
  });

  test.each([301, 302, 303, 307, 308])(
    "after %i to this machine or to the metadata service: the redirect is recorded, not followed",
    async (status) => {
      allowed.add(portOf(receiver));
      for (const location of ["http://127.0.0.1:1/", "http://169.254.169.254/latest/meta-data/", "/hooks"]) {
        receiver.next({ status, headers: { location } });
        const before = receiver.requests.length;
        expect(await post(local, receiver.url)).toMatchObject({ kind: "answered", code: status });
        expect(receiver.requests.length).toBe(before + 1);
      }
      allowed.clear();
      expect(tried).toEqual([]);
    },
  );
});
