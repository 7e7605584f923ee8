import { layer } from "@trailbook/postgres"
import { desk } from "@trailbook/postgres/desk"
import * as Unguarded from "@trailbook/postgres/testing/unguarded"
import { linearizability, unexplained } from "@trailbook/testkit/linearizability"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { database } from "./schema.ts"

const inDatabase = Layer.unwrapScoped(Effect.map(database(), ({ url }) => layer({ url })))

linearizability("Postgres", inDatabase, { desk, runs: runs(200, 2) })
linearizability("Postgres", inDatabase, { desk, clocksDiffer: true, runs: runs(20, 1) })

it("without the unit of work there are answers that nothing explains", async () => {
  const unguarded = Layer.unwrapScoped(Effect.map(database(), ({ url }) => Unguarded.layer({ url })))
  const found = unexplained({ desk, seed: 1, runs: 12 })
  assert.isDefined(await Effect.runPromise(Effect.provide(found, unguarded)))
})
