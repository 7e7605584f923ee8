/**
 * Tests how the client address is determined behind proxies that each append their peer's address.
 */
import * as FastCheck from "effect/FastCheck"
import { isIP, Socket } from "node:net"
import { assert, describe, it } from "vitest"
import { makeGetClientAddress } from "../src/request/getClientAddress.ts"

const isTrusted = (address: string): boolean => address.startsWith("10.") || address === "::1"

const proxy = FastCheck.oneof(
  FastCheck.tuple(FastCheck.nat(255), FastCheck.nat(255)).map(([a, b]) => `10.0.${a}.${b}`),
  FastCheck.constant("::1")
)
const stranger = FastCheck.oneof(FastCheck.ipV4(), FastCheck.ipV6()).filter((address) =>
  isIP(address) !== 0 && !isTrusted(address)
)

/** Forged header values. */
const forgedHeader = FastCheck.oneof(
  FastCheck.constant(undefined),
  FastCheck.string(),
  FastCheck.array(FastCheck.oneof(proxy, stranger, FastCheck.constantFrom("unknown", "", "_hidden", "10.0.0.1:80")))
    .map((parts) => parts.join(", "))
)

const formatAddress = (address: string, withPort: boolean): string => {
  if (!withPort) return address
  return address.includes(":") ? `[${address}]:4711` : `${address}:4711`
}

const request = (peer: string | undefined, header: string | ReadonlyArray<string> | undefined) =>
  ({
    headers: header === undefined ? {} : { "x-forwarded-for": typeof header === "string" ? header : [...header] },
    socket: Object.defineProperty(new Socket(), "remoteAddress", { value: peer })
  }) as Parameters<ReturnType<typeof makeGetClientAddress>>[0]

/** Returns the header and the peer address that a server sees after a request has passed through the given proxies. */
const through = (caller: string, proxies: ReadonlyArray<string>, header: string | undefined, withPort: boolean) => {
  const hops = [caller, ...proxies]
  const forwardedFor = hops.slice(0, -1).map((address) => formatAddress(address, withPort))
  return request(
    hops.at(-1),
    forwardedFor.length === 0 ? header : [...header === undefined ? [] : [header], ...forwardedFor].join(", ")
  )
}

describe("the client address", () => {
  it("is the peer of the outermost trusted proxy", () => {
    FastCheck.assert(
      FastCheck.property(
        stranger,
        FastCheck.array(proxy, { maxLength: 4 }),
        forgedHeader,
        FastCheck.boolean(),
        (caller, proxies, header, withPort) => {
          assert.strictEqual(makeGetClientAddress(isTrusted)(through(caller, proxies, header, withPort)), caller)
        }
      ),
      { numRuns: 1000 }
    )
  })

  it("is correct if only the number of trusted proxies is known", () => {
    FastCheck.assert(
      FastCheck.property(
        stranger,
        FastCheck.array(FastCheck.oneof(proxy, stranger), { minLength: 1, maxLength: 4 }),
        forgedHeader,
        (caller, proxies, header) => {
          const forwardedRequest = through(caller, proxies, header, false)
          assert.strictEqual(makeGetClientAddress((_, hop) => hop < proxies.length)(forwardedRequest), caller)
        }
      ),
      { numRuns: 1000 }
    )
  })

  it("is the peer's address without a trusted proxy or header", () => {
    FastCheck.assert(FastCheck.property(stranger, forgedHeader, (peer, header) => {
      assert.strictEqual(makeGetClientAddress(() => false)(request(peer, header)), peer)
      assert.strictEqual(makeGetClientAddress(() => true)(request(peer, undefined)), peer)
      assert.strictEqual(makeGetClientAddress(() => true)(request(undefined, header)), undefined)
    }))
  })

  it("is the last valid address if a proxy sends an invalid one", () => {
    for (const value of ["unknown", "_hidden", "", "203.0.113.9, ", "203.0.113.9, unknown", "1.2.3", "[::1", "a b"]) {
      assert.strictEqual(makeGetClientAddress(isTrusted)(request("10.0.0.1", value)), "10.0.0.1", value)
    }
  })

  it("is parsed from all X-Forwarded-For headers of the request", () => {
    assert.strictEqual(makeGetClientAddress(isTrusted)(request("10.0.0.1", ["203.0.113.9", "10.0.0.2"])), "203.0.113.9")
  })
})
