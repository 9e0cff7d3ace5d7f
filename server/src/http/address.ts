import { isIP, isIPv6 } from "node:net";

/**
 * The caller's address as one spelling of an IP address. What a proxy wrote may have a port, brackets or be no address at all; in
 * that case the connection's own address counts, because what is limited and recorded must not be the caller's to choose.
 */
export function plainAddress(stated: string, connected: string): string {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(stated)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(stated)?.[1] ?? stated;
  const address = isIP(bare) === 0 ? connected : bare;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.toLowerCase();
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address, of which one caller has all. */
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
