/**
 * Tests that the SSRF guard blocks internal addresses, and that each of its three checks is necessary. If one check is
 * removed, a request reaches a server on loopback.
 */
import { assert, describe, it } from "@effect/vitest"
import { HttpSender } from "@trailbook/webhook"
import { makeAllowedNetworks } from "@trailbook/webhook/addresses"
import { makeSsrfGuard, type SsrfGuard } from "@trailbook/webhook/SsrfGuard"
import * as Effect from "effect/Effect"
import { connect, type Socket } from "node:net"
import { delivery } from "./delivery.ts"
import { sink } from "./Sink.ts"

const blocked = { _tag: "Unreachable", fault: "blocked_address" } as const
const whole = makeSsrfGuard(makeAllowedNetworks([]))
const without = (place: keyof SsrfGuard): SsrfGuard => ({ ...whole, [place]: () => true })

/**
 * Returns all notations for loopback that Node and the URL parser accept. `named` adds names that resolve to loopback.
 */
const inwards = (port: number): ReadonlyArray<string> =>
  [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0X7F.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:FFFF:127.0.0.1]"
  ].map((host) => `https://${host}:${port}/`)

const names: Record<string, ReadonlyArray<string>> = {
  "loopback.example": ["127.0.0.1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "mixed.example": ["8.8.8.8", "127.0.0.1"],
  "mixed-families.example": ["2606:4700:4700::1111", "127.0.0.1"],
  "xn--bcher-kva.example": ["127.0.0.1"]
}
const resolve = (name: string) => Promise.resolve(names[name] ?? [])

const namedUrls = (port: number): ReadonlyArray<string> =>
  [
    "loopback.example",
    "LOOPBACK.example",
    "loopback.example.",
    "mapped.example",
    "bücher.example",
    "ｌｏｏｐｂａｃｋ.example",
    "mixed.example",
    "mixed-families.example"
  ].map((host) => `https://${host}:${port}/`)

/** Connects to loopback instead of the approved addresses, like a network that routes connections elsewhere. */
const dialLoopback = ({ port }: { readonly port: number }): Socket => connect(port, "127.0.0.1")

describe("the sender does not connect to loopback", () => {
  it.scoped("in any notation of the address", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* sink()
      const sender = yield* HttpSender.make({})
      for (const url of inwards(port)) assert.deepStrictEqual(yield* sender.send(delivery(url)), blocked, url)
      assert.lengthOf(connections, 0)
    }))

  it.scoped("through a host name", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* sink()
      const sender = yield* HttpSender.make({}, { resolve })
      for (const url of namedUrls(port)) assert.deepStrictEqual(yield* sender.send(delivery(url)), blocked, url)
      const localhost = yield* HttpSender.make({})
      for (const host of ["localhost", "LOCALHOST.", "trailbook.localhost", "a.b.localhost."]) {
        const url = `https://${host}:${port}/`
        assert.deepStrictEqual(yield* localhost.send(delivery(url)), blocked, url)
      }
      assert.lengthOf(connections, 0)
    }))

  it.scoped("through a host name whose address changes later", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* sink()
      const answers = [["8.8.8.8"], ["127.0.0.1"]]
      const sender = yield* HttpSender.make({}, { resolve: () => Promise.resolve(answers.shift() ?? []) })
      const url = `https://rebinding.example:${port}/`
      assert.isUndefined(yield* sender.findUrlProblem(url))
      assert.deepStrictEqual(yield* sender.send(delivery(url)), blocked)
      assert.lengthOf(answers, 0)
      assert.lengthOf(connections, 0)
    }))

  it.scoped("through a second DNS lookup", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* sink()
      const answers = [["8.8.8.8"], ["127.0.0.1"]]
      const dialled: Array<string> = []
      const sender = yield* HttpSender.make({}, {
        resolve: () => Promise.resolve(answers.shift() ?? []),
        connect: (_destination, addresses) => {
          dialled.push(...addresses)
          return connect({ port: 1, host: "127.0.0.1", signal: AbortSignal.abort() })
        }
      })
      const answer = yield* sender.send(delivery(`https://rebinding.example:${port}/`))
      assert.deepStrictEqual(answer, { _tag: "Unreachable", fault: "connection" })
      assert.deepStrictEqual(dialled, ["8.8.8.8"])
      assert.lengthOf(answers, 1)
      assert.lengthOf(connections, 0)
    }))
})

it.scoped("the sender sends no data to an unapproved address", () =>
  Effect.gen(function*() {
    const there = yield* sink()
    const sender = yield* HttpSender.make({}, { connect: dialLoopback })
    assert.deepStrictEqual(yield* sender.send(delivery(`https://8.8.8.8:${there.port}/`)), blocked)
    yield* there.connected(1)
    yield* there.closed(0)
    assert.strictEqual(there.received(), "")
  }))

describe("control: without one check", () => {
  it.scoped("the sender connects to a loopback URL", () =>
    Effect.gen(function*() {
      const there = yield* sink()
      const sender = yield* HttpSender.make({}, { guard: without("literal") })
      for (const url of inwards(there.port)) yield* sender.send(delivery(url))
      yield* there.connected(inwards(there.port).length)
      assert.strictEqual(there.received(), "")
    }))

  it.scoped("the sender connects to a host that resolves to loopback", () =>
    Effect.gen(function*() {
      const there = yield* sink()
      const sender = yield* HttpSender.make({}, { resolve, connect: dialLoopback, guard: without("resolved") })
      for (const url of namedUrls(there.port)) yield* sender.send(delivery(url))
      yield* there.connected(namedUrls(there.port).length)
      assert.strictEqual(there.received(), "")
    }))

  it.scoped("the sender sends data to an unapproved address", () =>
    Effect.gen(function*() {
      const there = yield* sink((socket) => socket.destroy())
      const sender = yield* HttpSender.make({}, { connect: dialLoopback, guard: without("connected") })
      yield* sender.send(delivery(`https://8.8.8.8:${there.port}/`))
      assert.isNotEmpty(there.received())
    }))
})
