import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import { makeGuestPages } from "@trailbook/web"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BookingEngine } from "trailbook/effect"

const site = Effect.gen(function*() {
  const { renderNotFound, routes } = yield* makeGuestPages({ publicUrl: "https://book.example.com" })
  const handler = yield* Handler.make({ routes, renderNotFound, operations: "off" })
  return yield* Serve.listen({ handler, port: 0 })
})

export const layer = Layer.scopedDiscard(
  Effect.flatMap(site, ({ host, port }) => Effect.log(`http://${host}:${port}/book/salida-river-co`))
).pipe(Layer.provide(BookingEngine.layer({ database: ":memory:" })))
