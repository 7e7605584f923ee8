import { assert, it } from "@effect/vitest"
import { layer } from "@trailbook/postgres"
import { batchOptions } from "@trailbook/postgres/batchOptions"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { rafting } from "../../../test/rafting.ts"
import { pooler } from "./pooler.ts"
import { database } from "./schema.ts"

it.scopedLive(
  "concurrent bookings fail within 40 seconds if the database stops responding",
  () =>
    Effect.gen(function*() {
      const { freeze, url } = yield* Effect.flatMap(database(), ({ url }) => pooler(url))
      yield* Effect.gen(function*() {
        const trip = yield* rafting(batchOptions)
        const book = Effect.suspend(() => trip.book({ customer: { email: `${newId()}@a.co` } }))
        yield* book
        freeze()
        const answers = yield* Effect.timeoutOption(
          Effect.all(Array.from({ length: 64 }, () => Effect.exit(book)), { concurrency: "unbounded" }),
          "40 seconds"
        )
        const causes = Option.getOrThrow(answers).map((exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit)
        assert.deepStrictEqual(causes.filter((cause) => !(cause instanceof DatabaseUnavailable)), [])
      }).pipe(Effect.provide(layer({ url, prepare: false })))
    })
)
