import { assert, describe, it } from "@effect/vitest"
import type { SendResult } from "@trailbook/core/webhook"
import { HttpSender } from "@trailbook/webhook"
import * as Effect from "effect/Effect"
import type { TlsOptions } from "node:tls"
import { authority, certificate, expiredCertificate, privateKey } from "./certificate.ts"
import { delivery } from "./delivery.ts"
import { respondWith, secureSink, sink } from "./Sink.ts"

const tlsFault: SendResult = { _tag: "Unreachable", fault: "tls" }
const noContent: SendResult = { _tag: "Answered", status: 204 }
const answer = respondWith("HTTP/1.1 204 No Content\r\n\r\n")
const valid = { cert: certificate, key: privateKey }

const sender = HttpSender.make({ allow: ["127.0.0.0/8"] }, {
  resolve: () => Promise.resolve(["127.0.0.1"]),
  tls: { ca: authority }
})

describe("a receiver with a valid certificate", () => {
  it.scoped.each(["hooks.example.com", "HOOKS.example.com.", "127.0.0.1"])(
    "is reached through the host %s",
    (host) =>
      Effect.gen(function*() {
        const there = yield* secureSink(valid, answer)
        const { send } = yield* sender
        const url = `https://${host}:${there.port}/`
        assert.deepStrictEqual(yield* send(delivery(url)), noContent)
        assert.deepStrictEqual(yield* send(delivery(url)), noContent)
        assert.lengthOf(there.connections, 1, "the connection was not reused")
      })
  )

  it.scoped("receives the host name over TLS and HTTP", () =>
    Effect.gen(function*() {
      const names: Array<string> = []
      const there = yield* secureSink({
        ...valid,
        SNICallback: (name, callback) => {
          names.push(name)
          callback(null)
        }
      }, answer)
      const { send } = yield* sender
      yield* send(delivery(`https://hooks.example.com:${there.port}/`))
      assert.deepStrictEqual(names, ["hooks.example.com"])
      assert.include(there.received(), `Host: hooks.example.com:${there.port}\r\n`)
    }))
})

describe("the sender sends nothing to a receiver", () => {
  it.scoped.each<[why: string, host: string, options: TlsOptions]>([
    ["whose certificate is for another name", "other.example.com", valid],
    ["whose certificate has expired", "hooks.example.com", { cert: expiredCertificate, key: privateKey }],
    ["that supports only TLS 1.1", "hooks.example.com", {
      ...valid,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0"
    }],
    ["that requires a client certificate", "hooks.example.com", { ...valid, requestCert: true, ca: authority }]
  ])("%s", ([, host, options]) =>
    Effect.gen(function*() {
      const there = yield* secureSink(options, answer)
      const { send } = yield* sender
      assert.deepStrictEqual(yield* send(delivery(`https://${host}:${there.port}/`)), tlsFault)
      assert.strictEqual(there.received(), "")
    }))

  it.scoped("that only NODE_TLS_REJECT_UNAUTHORIZED would trust", () =>
    Effect.gen(function*() {
      const there = yield* secureSink(valid, answer)
      const { send } = yield* HttpSender.make({ allow: ["127.0.0.0/8"] })
      const url = `https://127.0.0.1:${there.port}/`
      assert.deepStrictEqual(yield* send(delivery(url)), tlsFault)
      yield* Effect.acquireRelease(
        Effect.sync(() => process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"),
        () => Effect.sync(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
      )
      assert.deepStrictEqual(yield* send(delivery(url)), tlsFault)
      assert.strictEqual(there.received(), "")
    }))

  it.scoped("that responds in plain text", () =>
    Effect.gen(function*() {
      const there = yield* sink(answer)
      const { send } = yield* sender
      assert.deepStrictEqual(yield* send(delivery(`https://hooks.example.com:${there.port}/`)), tlsFault)
      assert.notInclude(there.received(), "POST")
    }))
})

it.scoped("the sender reports a connection failure if the TLS handshake is cut off", () =>
  Effect.gen(function*() {
    const there = yield* sink((socket) => socket.destroy())
    const { send } = yield* sender
    const answer = yield* send(delivery(`https://hooks.example.com:${there.port}/`))
    assert.deepStrictEqual(answer, { _tag: "Unreachable", fault: "connection" })
  }))

it.scoped("the sender tries the next address if the first does not respond", () =>
  Effect.gen(function*() {
    const there = yield* secureSink(valid, answer)
    const { send } = yield* HttpSender.make({ allow: ["127.0.0.0/8", "::1"] }, {
      // No server listens at the first address.
      resolve: () => Promise.resolve(["::1", "127.0.0.1"]),
      tls: { ca: authority }
    })
    assert.deepStrictEqual(yield* send(delivery(`https://hooks.example.com:${there.port}/`)), noContent)
  }))
