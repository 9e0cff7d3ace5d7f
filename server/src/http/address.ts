import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The caller's IP address in one spelling. What a proxy states can have a port or brackets. If it is not an address at all, the
 * connection's own address is used, because callers must not be able to choose the address that is limited and recorded.
 */
export function plainAddress(stated: string, connected: string): string {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(stated)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(stated)?.[1] ?? stated;
  // Link-local addresses name their network interface, which PostgreSQL does not store.
  const [address = ""] = (isIP(bare) === 0 ? connected : bare).split("%");
  // Whether a proxy writes ::ffff:10.0.0.1 or ::ffff:a00:1, it is the same machine for lists and limits.
  return isIPv6(address) ? ipaddr.process(address).toString() : address;
}

/** The unit that limits count by: an IPv4 address, or the /64 of an IPv6 address, because one caller usually has a whole /64. */
export function addressGroup(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const [head = "", tail] = (ip.split("%")[0] ?? "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
