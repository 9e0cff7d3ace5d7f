import ipaddr from "ipaddr.js";
import type { Caller } from "../shared/caller.ts";
import { invalidField } from "../shared/problems.ts";

/** Lists of addresses from which a key works, or members of an organization log in. */

export const MAX_CIDRS = 50;

/**
 * Ranges as the database stores them; an address alone is a range of one. `caller` saves them: if their own address is private and no proxy
 * is trusted, the service may see the address of a proxy instead of those of its callers, and no request would pass.
 */
export function cidrsOf(given: readonly string[], caller: Pick<Caller, "ip">, trustProxyHops: number): string[] {
  const cidrs = given.map((text, index) => cidrOf(text, `allowed_cidrs[${index}]`));
  if (cidrs.length > 0 && trustProxyHops === 0 && isPrivate(caller.ip)) {
    throw invalidField(
      "allowed_cidrs",
      "invalid_value",
      `cannot be checked: your address arrives as ${caller.ip}, which is private. If a proxy is in front of the service, the operator sets TRUST_PROXY_HOPS`,
    );
  }
  return [...new Set(cidrs)];
}

function cidrOf(text: string, field: string): string {
  const wrong = (message: string) => invalidField(field, "invalid_format", message);
  const [address = "", bits, ...more] = text.trim().split("/");
  if (!ipaddr.isValid(address) || (ipaddr.IPv4.isValid(address) && !ipaddr.IPv4.isValidFourPartDecimal(address)) || more.length > 0) {
    throw wrong("must be an address or a range such as 203.0.113.0/24 or 2001:db8::/32");
  }
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === "ipv4" ? 32 : 128;
  const prefix = bits === undefined ? most : Number(bits);
  if (!/^\d{1,3}$/.test(bits ?? String(most)) || prefix > most) throw wrong(`must end in a number from 0 to ${most} after the slash`);
  const network = networkOf(parsed, prefix);
  if (network !== parsed.toString()) throw wrong(`is not the beginning of its range; the range is ${network}/${prefix}`);
  return `${network}/${prefix}`;
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number): string {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefix - index * 8));
    return byte & (0xff00 >> kept);
  });
  return ipaddr.fromByteArray(bytes).toString();
}

const isPrivate = (ip: string): boolean => ipaddr.isValid(ip) && ipaddr.process(ip).range() !== "unicast";
