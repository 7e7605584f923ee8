/**
 * A server under measurement, in a process of its own: what it is, is said by
 * the first argument, and its CPU time is asked for over the channel to the
 * parent.
 */
import { serve } from "@hono/node-server"
import { ApiKeys } from "@trailbook/core/actor/ApiKeys"
import { Payments } from "@trailbook/core/booking/Payments"
import * as Operations from "@trailbook/core/operation/layer"
import { Orgs } from "@trailbook/core/org/Orgs"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as Sqlite from "@trailbook/sqlite/desk"
import * as SqliteStorage from "@trailbook/sqlite/SqliteStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Hono } from "hono"
import * as NodeIds from "trailbook/runtime/NodeIds"

export interface Ready {
  readonly port: number
  readonly key: string
}

/** What the parent wants: the CPU time so far in microseconds, or for a bare server the JSON to answer with. */
export type Ask = { readonly ask: "cpu" } | { readonly ask: "answer"; readonly with: string }

const scope = Effect.runSync(Scope.make())
const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.extend(effect, scope))
const tell = (message: object): void => void process.send?.(message)

/** The server as `trailbook serve` puts it together, with the rate limit off; `direct` takes the group commit out. */
const trailbook = async (filename: string, desk: "grouped" | "direct"): Promise<Ready> => {
  const domain = await run(Layer.build(
    Operations.layer({ desk: desk === "direct" ? "direct" : Sqlite.desk }).pipe(
      Layer.provideMerge(Layer.mergeAll(SqliteStorage.layer({ filename }), NodeIds.layer, Payments.layerNone))
    )
  ))
  const { token } = await run(Effect.provide(
    Effect.gen(function*() {
      const org = yield* (yield* Orgs).create({ name: "Bench River Co.", timezone: "America/Denver" })
      return yield* (yield* ApiKeys).create({ orgId: org.id, name: "bench" })
    }),
    domain
  ))
  // Requests are logged as they are when it serves, but to nowhere: the disk is not what is measured.
  const log = (entry: object): void => void JSON.stringify(entry)
  const handler = await run(Effect.provide(Handler.make({ rateLimit: { perSecond: 0 }, log }), domain))
  const { port } = await run(Serve.listen({ handler, port: 0 }))
  return { port, key: token }
}

/** One Hono route that answers with the JSON it was given, made into text anew for each request. */
const bare = (): Promise<Ready> =>
  new Promise((resolve) => {
    let answer: object = {}
    process.on("message", (message: Ask) => {
      if (message.ask === "answer") answer = JSON.parse(message.with)
    })
    const app = new Hono().get("/v1/bookings/:id", (c) => c.json(answer))
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve({ port, key: "" }))
  })

const [kind = "", filename = "", desk = "grouped"] = process.argv.slice(2)
process.on("message", (message: Ask) => {
  if (message.ask !== "cpu") return
  const { system, user } = process.cpuUsage()
  tell({ cpu: system + user })
})
process.on("SIGINT", () => process.exit(0))
tell(kind === "bare" ? await bare() : await trailbook(filename, desk === "direct" ? "direct" : "grouped"))
