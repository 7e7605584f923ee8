import { findNetworkError, isAllowedAddress, isPublicAddress, makeAllowedNetworks } from "@trailbook/webhook/addresses"
import { assert, describe, it } from "vitest"

/** Blocked addresses, with the reason for each. */
const blockedAddresses: ReadonlyArray<readonly [address: string, why: string]> = [
  ["0.0.0.0", "this machine"],
  ["0.1.2.3", "this network"],
  ["10.0.0.1", "private"],
  ["10.255.255.255", "private"],
  ["100.64.0.1", "carrier NAT"],
  ["100.100.100.200", "metadata of a cloud, in carrier NAT"],
  ["100.127.255.255", "carrier NAT"],
  ["127.0.0.1", "loopback"],
  ["127.1.2.3", "loopback"],
  ["127.255.255.255", "loopback"],
  ["168.63.129.16", "metadata of a cloud, at an address that looks public"],
  ["169.254.0.1", "link-local"],
  ["169.254.169.254", "metadata of clouds"],
  ["169.254.170.2", "metadata of containers"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.1", "protocol assignments"],
  ["192.0.0.192", "metadata of a cloud"],
  ["192.0.2.1", "documentation"],
  ["192.31.196.1", "AS112"],
  ["192.52.193.1", "AMT"],
  ["192.88.99.1", "6to4 relay"],
  ["192.168.0.1", "private"],
  ["192.168.255.255", "private"],
  ["192.175.48.1", "AS112"],
  ["198.18.0.1", "benchmarks"],
  ["198.19.255.255", "benchmarks"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.255", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["0:0:0:0:0:0:0:1", "loopback"],
  ["::127.0.0.1", "IPv4-compatible"],
  ["::7f00:1", "IPv4-compatible"],
  ["::8.8.8.8", "IPv4-compatible"],
  ["::ffff:127.0.0.1", "mapped loopback"],
  ["::ffff:7f00:1", "mapped loopback"],
  ["::FFFF:10.0.0.1", "mapped private"],
  ["0:0:0:0:0:ffff:a9fe:a9fe", "mapped metadata"],
  ["::ffff:0:127.0.0.1", "translated loopback"],
  ["64:ff9b::7f00:1", "NAT64"],
  ["64:ff9b::8.8.8.8", "NAT64, whatever is behind"],
  ["64:ff9b:1::1", "NAT64 of a network"],
  ["100::1", "discard"],
  ["2001::1", "Teredo"],
  ["2001:0:53aa:64c:0:0:80ff:fffe", "Teredo around loopback"],
  ["2001:2::1", "benchmarks"],
  ["2001:3::1", "AMT"],
  ["2001:4:112::1", "AS112"],
  ["2001:10::1", "ORCHID"],
  ["2001:20::1", "ORCHID 2"],
  ["2001:30::1", "drone tags"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "6to4 around loopback"],
  ["2002:a9fe:a9fe::1", "6to4 around metadata"],
  ["2002:808:808::1", "6to4, whatever is behind"],
  ["2620:4f:8000::1", "AS112"],
  ["3fff::1", "documentation"],
  ["4000::1", "not given out"],
  ["5f00::1", "segment routing"],
  ["8000::1", "not given out"],
  ["fc00::1", "unique local"],
  ["fd00:ec2::254", "metadata of a cloud"],
  ["fd20:ce::254", "metadata of a cloud"],
  ["fdff:ffff::1", "unique local"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local with a zone"],
  ["fe80::1%1", "link-local with a zone"],
  ["febf::1", "link-local"],
  ["fec0::1", "site-local"],
  ["ff02::1", "multicast"],
  ["ff0e::1", "multicast"],
  ["", "nothing"],
  ["localhost", "no address"],
  ["0177.0.0.1", "no address of the system"],
  ["0x7f.0.0.1", "no address of the system"],
  ["2130706433", "no address of the system"],
  ["127.1", "no address of the system"],
  ["127.0.0.1.", "no address of the system"],
  ["１２７.0.0.1", "no address of the system"],
  ["[::1]", "no address of the system"],
  ["8.8.8.8/0", "no address of the system"]
]

const open = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "126.255.255.255",
  "128.0.0.1",
  "168.63.129.15",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "198.17.255.255",
  "223.255.255.254",
  "::ffff:8.8.8.8",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2003::1",
  "2606:4700:4700::1111",
  "2a00:1450:4001::1",
  "3ffe:ffff::1"
]

describe("deliveries are blocked to", () => {
  it.each(blockedAddresses)("%s (%s)", (address) => assert.isFalse(isPublicAddress(address)))
})

describe("deliveries are allowed to", () => {
  it.each(open)("%s", (address) => assert.isTrue(isPublicAddress(address)))
})

describe("the networks that an operator allows", () => {
  const list = makeAllowedNetworks(["127.0.0.0/8", "10.1.2.3", "fd00:1::/32"])

  it.each(["127.0.0.1", "::ffff:127.9.9.9", "10.1.2.3", "fd00:1:2::3"])("include %s", (address) => {
    assert.isTrue(isAllowedAddress(list, address))
  })

  it.each(["128.0.0.1", "10.1.2.4", "::1", "fd00:2::1", "8.8.8.8", "", "localhost", "127.1"])(
    "do not include %s",
    (address) => {
      assert.isFalse(isAllowedAddress(list, address))
    }
  )

  it.each(["127.0.0.0/8", "0.0.0.0/0", "::/0", "10.0.0.5", "fd00::/8", "::1"])("can be written as %s", (network) => {
    assert.isUndefined(findNetworkError(network))
  })

  it.each([
    "",
    "10/8",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/8.0",
    "10.0.0.0/255.0.0.0",
    "0177.0.0.0/8",
    "fe80::%eth0/64",
    "fd00::/129",
    "::ffff:10.0.0.0/104",
    "localhost",
    " 10.0.0.0/8"
  ])("cannot be written as %j", (network) => {
    assert.isDefined(findNetworkError(network))
    assert.throws(() => makeAllowedNetworks([network]), /must be/)
  })
})
