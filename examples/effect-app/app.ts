import * as HttpApp from "@effect/platform/HttpApp"
import { refuse } from "@trailbook/core"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import type { Registry } from "@trailbook/core/operation"
import * as Handler from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { makeReadinessCheck } from "trailbook/effect"
import { routes } from "./routes.ts"

const noStaff = refuse("unauthorized", "Sign in first.")

/** Trailbook's REST API for staff members with a token. `/booking/reference` describes it. */
const api = Effect.gen(function*() {
  const { orgId } = yield* Actor
  const token = yield* Config.redacted("STAFF_TOKEN")
  return yield* Handler.make({
    basePath: "/booking",
    ready: yield* makeReadinessCheck,
    authorize: ({ headers }) =>
      headers.get("authorization") === `Bearer ${Redacted.value(token)}`
        ? Effect.succeed({
          id: "staff",
          actor: makeHostActor({ orgId, source: "dashboard", scopes: ["read", "write"] })
        })
        : noStaff
  })
})

/** The program's own pages for guests. Their actor is recorded with each booking and cannot change settings. */
const pages = Effect.gen(function*() {
  const { orgId } = yield* Actor
  const runtime = yield* Effect.runtime<Actor | Registry>().pipe(
    Effect.provideService(Actor, makeHostActor({ orgId, source: "widget", scopes: ["read", "write"] }))
  )
  return HttpApp.toWebHandlerRuntime(runtime)(routes)
})

/** One server for both. */
export const server = Layer.scopedDiscard(Effect.gen(function*() {
  const staff = yield* api
  const guests = yield* pages
  const { host: address, port } = yield* Serve.listen({
    port: yield* Config.withDefault(Config.integer("PORT"), 3000),
    handler: (request, connection) =>
      new URL(request.url).pathname.startsWith("/booking/") ? staff(request, connection) : guests(request)
  })
  yield* Console.log(`http://${address}:${port}/trips`)
}))
