import { ApiKeys } from "@trailbook/core/actor"
import { ApiKeyNetworks } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { make } from "../src/handler.ts"
import * as Probe from "./Probe.ts"
import { errorOf, type Service, start } from "./Service.ts"

describe("the handler without a server", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ rateLimit: { perSecond: 0 } })
  })
  afterAll(() => service.close())

  const request = (path: string, init: RequestInit = {}) =>
    new Request(`https://book.example.org${path}`, {
      ...init,
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json", ...init.headers }
    })

  const stream = (chunks: number): ReadableStream<Uint8Array> => {
    let sentCount = 0
    return new ReadableStream({
      pull: (controller) => {
        if (sentCount++ === chunks) return controller.close()
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20))
      }
    })
  }
  const streamOf = (chunks: number) => ({ method: "POST", body: stream(chunks), duplex: "half" }) as RequestInit

  it("returns the response to a request", async () => {
    const response = await service.handler(
      request("/v1/offerings", { method: "POST", body: JSON.stringify({ name: "Raft", kind: "class" }) })
    )
    assert.strictEqual(response.status, 201)
    const { id } = await response.json() as { readonly id: string }
    const readResponse = await service.handler(request(`/v1/offerings/${id}`))
    assert.strictEqual((await readResponse.json() as { readonly name: string }).name, "Raft")
  })

  it("ignores additional arguments that its host application passes", async () => {
    const context: object = { params: Promise.resolve({ slug: ["v1", "org"] }) }
    assert.strictEqual((await service.handler(request("/v1/org"), context)).status, 200)
  })

  it("stops reading a body at the limit", async () => {
    assert.strictEqual((await service.handler(request("/v1/offerings", streamOf(1000)))).status, 413)
    assert.strictEqual((await service.handler(request("/v1/offerings", streamOf(1)))).status, 400)
    const lyingRequest = request("/v1/offerings", { ...streamOf(32), headers: { "content-length": "2" } })
    assert.strictEqual((await service.handler(lyingRequest)).status, 413)
  })

  it("returns a client error if reading the body fails", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) })
    const answer = await service.handler(
      request("/v1/offerings", { method: "POST", body, duplex: "half" } as RequestInit)
    )
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(errorOf({ json: await answer.json() }).code, "invalid_request")
  })

  it("interrupts a read when its request is aborted", async () => {
    const { gate, layer } = Probe.make()
    const probeService = await start({ registry: layer })
    const giveUp = new AbortController()
    const answer = probeService.handler(
      new Request("http://a/v1/probe/read", {
        headers: { authorization: `Bearer ${probeService.key}` },
        signal: giveUp.signal
      })
    )
    assert.strictEqual(gate.arrived, 1)
    giveUp.abort()
    assert.strictEqual((await answer).status, 499)
    assert.strictEqual(gate.interrupted, 1)
    await probeService.close()
  })

  it("fails a request instead of hanging if logging fails", async () => {
    const { gate, layer } = Probe.make()
    const fail = () => {
      throw new Error("The disk is full.")
    }
    const anyKey = Layer.succeed(ApiKeys, {
      create: () => Effect.die("unexpected call"),
      list: () => Effect.succeed([]),
      revoke: () => Effect.die("unexpected call"),
      lastOpened: () => undefined,
      verify: () =>
        Effect.succeed({
          id: "k",
          orgId: "o",
          name: "k",
          mode: "live" as const,
          digest: "",
          last4: "",
          scopes: ["read" as const],
          createdAt: Instant.min,
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: null
        })
    })
    const noNetworks = Layer.succeed(ApiKeyNetworks, {
      recordInBackground: () => Effect.void,
      record: () => Effect.void
    })
    const handler = await Effect.runPromise(
      Effect.provide(make({ log: fail }), Layer.mergeAll(layer, anyKey, noNetworks))
    )
    const ask = async (path: string) => handler(new Request(`http://a${path}`))
    const expectFailure = async (answer: Promise<Response>) => {
      const error = await answer.then(() => undefined, (error: unknown) => error)
      assert.instanceOf(error, Error)
    }
    await expectFailure(ask("/livez"))
    const pendingRead = ask("/v1/probe/read")
    gate.open()
    await expectFailure(pendingRead)
  })
})
