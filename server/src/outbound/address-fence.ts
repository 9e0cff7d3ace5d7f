import ipaddr from "ipaddr.js";

/**
 * Which addresses deliveries can go to. A customer chooses an endpoint's URL, and this machine can reach what the customer cannot: metadata
 * services, databases, its own ports. So only ordinary unicast addresses of the public internet are allowed.
 */
export interface Fence {
  /** local mode: this machine can be reached too, and without TLS */
  readonly loopback: boolean;
  /** allow http in addition to https, for every host */
  readonly plainHttp: boolean;
  /** private networks that are allowed, such as `10.1.0.0/16` */
  readonly allowedNetworks: readonly string[];
}

// The only IPv6 range allocated as global unicast (RFC 4291, 2.4). Outside it are old forms that contain an IPv4 address (::127.0.0.1),
// which a deny list can miss.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

// Where cloud providers serve metadata and keys to their own machines at addresses in public ranges: Azure's WireServer and Equinix Metal.
// The others are link-local (169.254.0.0/16), shared (100.64.0.0/10), of the IETF (192.0.0.0/24) or unique local (fc00::/7).
const METADATA: readonly string[] = ["168.63.129.16", "192.80.8.124"];

/**
 * `address`: an IPv4 or IPv6 address in any spelling that a resolver returns. An IPv4 address inside an IPv6 address is treated as the IPv4
 * address.
 */
export function isReachable(fence: Fence, address: string): boolean {
  const parsed = ipaddr.process(address);
  if (fence.allowedNetworks.some((network) => isInside(parsed, network))) return true;
  const range = parsed.range();
  if (range === "loopback") return fence.loopback;
  if (METADATA.includes(parsed.toString())) return false;
  return range === "unicast" && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST));
}

function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}
