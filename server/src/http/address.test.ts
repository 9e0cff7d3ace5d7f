import { expect, test } from "vitest";
import { addressGroup, plainAddress } from "./address.ts";

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["1.2.3.4:5001", "1.2.3.4"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["[2001:DB8::1]:443", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:0db8:0:0::0001", "2001:db8::1"],
  ["::ffff:102:304", "1.2.3.4"],
  ["0:0:0:0:0:FFFF:1.2.3.4", "1.2.3.4"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%eth0]:443", "fe80::1"],
  ["not an ip", "127.0.0.1"],
  ["x".repeat(7000), "127.0.0.1"],
  ["", "127.0.0.1"],
])("%s behind a proxy is %s", (stated, address) => {
  expect(plainAddress(stated, "127.0.0.1")).toBe(address);
});

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("limits count %s as %s", (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});
