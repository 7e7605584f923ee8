import { Actor, makeHostActor } from "@trailbook/core/actor/Actor"
import { operations, webPageOperations } from "@trailbook/core/layer"
import * as Operation from "@trailbook/core/operation/Operation"
import { makePageOperations } from "@trailbook/core/operation/PageOperation"
import * as Registry from "@trailbook/core/operation/Registry"
import * as Field from "@trailbook/core/wire/Field"
import { Ok, ok } from "@trailbook/core/wire/View"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"

const input = Schema.Struct({
  here: Field.optional(Field.boolean),
  there: Field.optional(Field.boolean),
  elsewhere: Field.optional(Field.boolean)
})

const exactlyOne = [["here", "there", "elsewhere"]] as const

const go = Operation.make("trips.go", {
  route: ["POST", "/trips"],
  summary: "Go.",
  input,
  exactlyOne,
  output: Ok,
  tool: { title: "Go", toolset: "bookings", description: "Goes." }
})

const goFromPage = makePageOperations("visit")("visit.go", { input, exactlyOne, output: Ok })

const registry = Registry.layer(
  [go],
  Effect.succeed({ "trips.go": () => Effect.succeed(ok), "visit.go": () => Effect.succeed(ok) }),
  [goFromPage]
)

const visitor: Actor["Type"] = { _tag: "Visitor", source: "widget", orgId: "o", scopes: new Set(["visit"] as const) }

const run = (name: string, input: unknown) =>
  Effect.flatMap(Registry.Registry, (registry) => registry.run(name, input)).pipe(
    Effect.merge,
    Effect.provide(registry),
    Effect.provideService(Actor, name === goFromPage.name ? visitor : makeHostActor({ orgId: "o" })),
    Effect.runPromise
  )

describe("exactlyOne", () => {
  it.each(["trips.go", "visit.go"])("is enforced before the handler of %s runs", async (name) => {
    const rule = "set exactly one of here, there and elsewhere"
    assert.deepInclude(await run(name, {}), { code: "invalid_request", message: `here: ${rule}` })
    assert.deepInclude(await run(name, { here: true, elsewhere: false }), { message: `elsewhere: ${rule}` })
    assert.deepEqual(await run(name, { there: true }), ok)
  })

  it("names only input fields of its operation", () => {
    for (const { exactlyOne, input } of [...operations, ...webPageOperations]) {
      for (const name of exactlyOne.flat()) assert.include(Object.keys(input.fields), name)
    }
  })
})
