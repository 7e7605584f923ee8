import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { getHttpStatus, type Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { book, times, trips } from "./trips.ts"

const Order = Schema.Struct({
  startsAt: Schema.String,
  people: Schema.Int,
  email: Schema.String,
  key: Schema.UUID
})
const tripOf = Effect.map(HttpRouter.schemaPathParams(Schema.Struct({ trip: Schema.String })), ({ trip }) => trip)

/** The program's own pages. */
export const routes = HttpRouter.empty.pipe(
  HttpRouter.get("/trips", Effect.flatMap(trips, (list) => HttpServerResponse.json(list))),
  HttpRouter.get(
    "/trips/:trip/times",
    Effect.flatMap(Effect.flatMap(tripOf, times), (list) => HttpServerResponse.json(list))
  ),
  HttpRouter.post(
    "/trips/:trip/book",
    Effect.gen(function*() {
      const order = yield* HttpServerRequest.schemaBodyJson(Order)
      const { reference, status } = yield* book({ ...order, trip: yield* tripOf })
      return yield* HttpServerResponse.json({ reference, status }, { status: 201 })
    })
  ),
  HttpRouter.catchTags({
    SoldOut: ({ message }) => HttpServerResponse.json({ error: message }, { status: 409 }),
    Refusal: ({ code, message }: Refusal) =>
      HttpServerResponse.json({ error: message }, { status: getHttpStatus(code) }),
    ParseError: ({ message }) => HttpServerResponse.json({ error: message }, { status: 400 })
  })
)
