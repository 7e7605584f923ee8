import { assert, describe, it } from "@effect/vitest"
import { HttpSender } from "@trailbook/webhook"
import { makeDnsResolver } from "@trailbook/webhook/DnsResolver"
import * as Effect from "effect/Effect"
import { delivery } from "./delivery.ts"
import { nameServer, type Zone } from "./NameServer.ts"
import { sink } from "./Sink.ts"

const zone: Zone = {
  "both.example": { A: ["8.8.8.8", "8.8.4.4"], AAAA: ["2001:4860:4860::8888"] },
  "old.example": { A: ["8.8.8.8"] },
  "new.example": { AAAA: ["2001:4860:4860::8888"] },
  "empty.example": {},
  "alias.example": { alias: "inner.example", A: ["127.0.0.1"] },
  "mixed.example": { A: ["8.8.8.8", "127.0.0.1"] },
  "families.example": { A: ["8.8.8.8"], AAAA: ["::1"] },
  "mapped.example": { AAAA: ["0:0:0:0:0:ffff:7f00:1"] },
  "silent.example": "silent"
}
const resolve = (address: string, name: string, signal = new AbortController().signal) =>
  Effect.promise(() => makeDnsResolver([address])(name, signal))

describe("the resolver", () => {
  it.scoped.each<[name: string, addresses: ReadonlyArray<string>]>([
    ["both.example", ["8.8.8.8", "8.8.4.4", "2001:4860:4860::8888"]],
    ["old.example", ["8.8.8.8"]],
    ["new.example", ["2001:4860:4860::8888"]],
    ["alias.example", ["127.0.0.1"]],
    ["empty.example", []],
    ["unknown.example", []]
  ])("resolves %s to %j", ([name, addresses]) =>
    Effect.gen(function*() {
      const { address } = yield* nameServer(zone)
      assert.deepStrictEqual(yield* resolve(address, name), addresses)
    }))

  it.scoped.each(["localhost", "LOCALHOST", "api.localhost"])(
    "resolves %s to loopback without querying the name server",
    (name) =>
      Effect.gen(function*() {
        const { address, queryCount } = yield* nameServer(zone)
        assert.deepStrictEqual(yield* resolve(address, name), ["127.0.0.1"])
        assert.strictEqual(queryCount(), 0)
      })
  )
})

it.scoped("the resolver stops retrying a query after its caller aborts it", () =>
  Effect.gen(function*() {
    const { address, queryCount } = yield* nameServer(zone)
    const controller = new AbortController()
    const lookup = makeDnsResolver([address])("silent.example", controller.signal)
    controller.abort()
    assert.deepStrictEqual(yield* Effect.promise(() => lookup), [])
    assert.isAtMost(queryCount(), 2, "more than one query per address family")
  }))

describe("a delivery is blocked if a real name server resolves the host to a private address", () => {
  it.scoped.each(["alias.example", "mixed.example", "families.example", "mapped.example"])(
    "%s",
    (name) =>
      Effect.gen(function*() {
        const { address } = yield* nameServer(zone)
        const { connections, port } = yield* sink()
        const { send } = yield* HttpSender.make({}, { resolve: makeDnsResolver([address]) })
        const answer = yield* send(delivery(`https://${name}:${port}/`))
        assert.deepStrictEqual(answer, { _tag: "Unreachable", fault: "blocked_address" })
        assert.lengthOf(connections, 0)
      })
  )
})

it.scoped("a delivery to an unknown host name fails with a DNS error", () =>
  Effect.gen(function*() {
    const { address } = yield* nameServer(zone)
    const { send } = yield* HttpSender.make({}, { resolve: makeDnsResolver([address]) })
    const answer = yield* send(delivery("https://unknown.example/"))
    assert.deepStrictEqual(answer, { _tag: "Unreachable", fault: "dns" })
  }))
