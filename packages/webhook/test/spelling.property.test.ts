/** Tests that every notation of an IP address connects to exactly that address, and only if the address is public. */
import { assert, it } from "@effect/vitest"
import { HttpSender } from "@trailbook/webhook"
import { isPublicAddress } from "@trailbook/webhook/addresses"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { connect } from "node:net"
import { delivery } from "./delivery.ts"

const octet = FastCheck.oneof(
  FastCheck.nat(255),
  FastCheck.constantFrom(0, 1, 10, 100, 127, 168, 169, 172, 192, 198, 254, 255)
)
const octets = FastCheck.array(octet, { minLength: 4, maxLength: 4 })

const digits = FastCheck.constantFrom<(value: number) => string>(
  String,
  (value) => `0x${value.toString(16)}`,
  (value) => `0X${value.toString(16).toUpperCase()}`,
  (value) => `0${value.toString(8)}`
)
const fullWidth = (text: string) =>
  text.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
const numberOf = (bytes: ReadonlyArray<number>) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)
const hex = (high = 0, low = 0) => (high * 256 + low).toString(16)

/**
 * Splits an address the way `inet_aton` does: one number for each of the leading octets, and one number for the rest.
 */
const spelled = FastCheck.tuple(
  octets,
  digits,
  FastCheck.integer({ min: 0, max: 3 }),
  FastCheck.constantFrom("", "."),
  FastCheck.boolean()
).map(
  ([bytes, digits, parts, dot, wide]) => {
    const text = [...bytes.slice(0, parts).map(digits), digits(numberOf(bytes.slice(parts)))].join(".") + dot
    return { address: bytes.join("."), host: wide ? fullWidth(text) : text }
  }
)
const mapped = octets.map(([a, b, c, d]) => ({
  address: `::ffff:${hex(a, b)}:${hex(c, d)}`,
  host: `[0:0:0::FFFF:${a}.${b}.${c}.${d}]`
}))

it("the sender connects to the URL's address only if it is public", () =>
  FastCheck.assert(
    FastCheck.asyncProperty(FastCheck.oneof(spelled, mapped), async ({ address, host }) => {
      const dialled: Array<string> = []
      const answer = await Effect.runPromise(Effect.scoped(Effect.flatMap(
        HttpSender.make({}, {
          resolve: () => Promise.reject(new Error("An IP address must not be resolved.")),
          connect: (_destination, addresses) => {
            dialled.push(...addresses)
            return connect({ host: "127.0.0.1", port: 1, signal: AbortSignal.abort() })
          }
        }),
        ({ send }) => send(delivery(`https://${host}/`))
      )))
      assert.deepStrictEqual(dialled, isPublicAddress(address) ? [address] : [])
      assert.deepStrictEqual(answer, {
        _tag: "Unreachable",
        fault: isPublicAddress(address) ? "connection" : "blocked_address"
      })
    }),
    { numRuns: 500 }
  ))

it("isPublic treats an IPv4-mapped IPv6 address like its IPv4 address", () =>
  FastCheck.assert(FastCheck.property(octets, (bytes) => {
    const [a, b, c, d] = bytes
    const plain = isPublicAddress(bytes.join("."))
    assert.strictEqual(isPublicAddress(`::ffff:${bytes.join(".")}`), plain)
    assert.strictEqual(isPublicAddress(`0:0:0:0:0:FFFF:${hex(a, b)}:${hex(c, d)}`), plain)
  })))

it("isPublic treats no IPv6 address outside 2000::/3 as public, except IPv4-mapped addresses", () =>
  FastCheck.assert(FastCheck.property(FastCheck.ipV6(), (address) => {
    const first = parseInt(address.split(":")[0] || "0", 16)
    FastCheck.pre(first < 0x2000 || first > 0x3fff)
    FastCheck.pre(!/^[0:]*:ffff:[^:]+(:[^:]+)?$/i.test(address))
    assert.isFalse(isPublicAddress(address))
  })))
