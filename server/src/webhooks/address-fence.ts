import ipaddr from "ipaddr.js";

/**
 * Where deliveries may go. An endpoint's URL is chosen by a customer, and this machine can reach what the customer cannot: metadata
 * services, databases, its own ports. So an address is good only when it is plain unicast of the public internet.
 */
export interface Fence {
  /** local mode: this very machine may be reached too, and without TLS */
  readonly loopback: boolean;
  /** http besides https, anywhere */
  readonly plainHttp: boolean;
  /** networks that are private and meant all the same, as `10.1.0.0/16` */
  readonly allowedNetworks: readonly string[];
}

// Of all IPv6 this is what has been given out as global unicast (RFC 4291, 2.4). Outside lie old forms that carry an IPv4 address
// (::127.0.0.1), which a list of what is bad can miss.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

// Where cloud providers serve metadata and keys to their own machines at addresses that are public by their range: Azure's WireServer and
// Equinix Metal. The others are link-local (169.254.0.0/16), shared (100.64.0.0/10), of the IETF (192.0.0.0/24) or unique local (fc00::/7).
const METADATA: readonly string[] = ["168.63.129.16", "192.80.8.124"];

/** `address`: an IPv4 or IPv6 address in any spelling that a resolver gives. An IPv4 address inside an IPv6 one counts as itself. */
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
