import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BookingEngine } from "trailbook/effect"

const api = Effect.gen(function*() {
  // (Request) => Response | Promise<Response>, which any web-standard framework can mount.
  const handler = yield* Handler.make({ publicUrl: "https://book.example.com" })
  return yield* Serve.listen({ handler, port: 0 })
})

export const layer = Layer.scopedDiscard(
  Effect.flatMap(api, ({ host, port }) => Effect.log(`http://${host}:${port}/reference`))
).pipe(Layer.provide(BookingEngine.layer({ database: ":memory:" })))
