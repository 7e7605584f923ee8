/** Has Trailbook's own sender deliver to both receivers and to the program. */
import { serve } from "@hono/node-server"
import * as Instant from "@trailbook/core/time/Instant"
import { HttpSender } from "@trailbook/webhook"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, describe, it } from "vitest"
import { inHono } from "../inHono.ts"
import { inNode } from "../inNode.ts"
import { booking, event, openBoard, secret } from "./opened.ts"

const deliver = (url: string, sentEvent: ReturnType<typeof event>, key = secret) =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(
    HttpSender.make({ allow: ["127.0.0.0/8"] }),
    ({ send }) =>
      send({
        webhookId: "0197a1b2-0000-7000-8000-000000000001",
        url,
        secret: key,
        eventId: sentEvent.id,
        eventType: sentEvent.type,
        body: JSON.stringify(sentEvent),
        // Receivers use the system clock.
        at: Instant.make(Date.now())
      })
  )))

type Board = ReturnType<typeof openBoard>
const receivers: ReadonlyArray<readonly [name: string, of: (board: Board) => Server]> = [
  [
    "in Hono",
    ({ added, inbox }) => serve({ fetch: inHono(secret, inbox, added).fetch, port: 0, hostname: "127.0.0.1" }) as Server
  ],
  ["in node:http", ({ added, inbox }) => createServer(inNode(secret, inbox, added)).listen(0, "127.0.0.1")]
]

describe.each(receivers)("the receiver %s", (_name, of) => {
  const using = async (test: (url: string, board: Board) => Promise<void>) => {
    const board = openBoard()
    const server = of(board)
    if (!server.listening) await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("not listening")
    try {
      await test(`http://127.0.0.1:${address.port}/hooks/trailbook`, board)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  it("accepts every delivery, and stores each event once", () =>
    using(async (url, { arrivals, inbox, told }) => {
      for (
        const sentEvent of [
          event(1, "booking.confirmed", booking("Zoë 🛶")),
          event(2, "booking.confirmed", booking("Ben"))
        ]
      ) {
        assert.deepStrictEqual(await deliver(url, sentEvent), { _tag: "Answered", status: 204 })
        assert.deepStrictEqual(await deliver(url, sentEvent), { _tag: "Answered", status: 204 })
      }
      assert.strictEqual(told(), 2)
      inbox.work(arrivals.handle)
      assert.deepStrictEqual(arrivals.list().map(({ name }) => name), ["Ben", "Zoë 🛶"])
    }))

  it("refuses unsigned, forged, and oversized requests", () =>
    using(async (url, { inbox, told }) => {
      const forged = await deliver(url, event(1, "booking.confirmed"), secret.replace("7", "8"))
      assert.deepStrictEqual(forged, { _tag: "Answered", status: 400 })
      const bare = await fetch(url, { method: "POST", body: JSON.stringify(event(1, "booking.confirmed")) })
      assert.strictEqual(bare.status, 400)
      assert.strictEqual(await bare.text(), "The request has no Service-Signature header.")
      const long = await fetch(url, { method: "POST", body: "x".repeat(1_000_001) })
      assert.strictEqual(long.status, 413)
      assert.strictEqual(told() + inbox.last(), 0)
    }))

  it("returns 500 if it cannot store an event", () =>
    using(async (url, { database }) => {
      const { error } = console
      console.error = () => {}
      try {
        database.close()
        assert.deepStrictEqual(await deliver(url, event(1, "booking.confirmed")), { _tag: "Answered", status: 500 })
      } finally {
        console.error = error
      }
    }))
})

it("the program prints the list of expected guests after each event", async () => {
  const program = spawn(
    process.execPath,
    ["--conditions=@trailbook/source", "--import", "tsx", join(import.meta.dirname, "../serve.ts"), ":memory:"],
    { env: { ...process.env, PORT: "0", WEBHOOK_SECRET: secret }, stdio: ["ignore", "pipe", "inherit"] }
  )
  try {
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
    assert.strictEqual((await lines.next()).value, "[]")
    const { value: url } = await lines.next()
    assert.deepStrictEqual(await deliver(url, event(1, "booking.confirmed", booking("Ada"))), {
      _tag: "Answered",
      status: 204
    })
    assert.strictEqual((await lines.next()).value, `[{"name":"Ada","starts_at":"2027-06-01T15:00:00.000Z"}]`)
  } finally {
    program.kill()
    await once(program, "exit")
  }
})
