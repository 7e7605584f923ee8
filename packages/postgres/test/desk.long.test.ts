import { assert, it } from "@effect/vitest"
import { layer } from "@trailbook/postgres"
import { desk } from "@trailbook/postgres/desk"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import { Till } from "@trailbook/testkit/fake/Till"
import * as Process from "@trailbook/testkit/law/Process"
import { freshId, openOrg } from "@trailbook/testkit/law/settle"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { pooler } from "./pooler.ts"
import { database } from "./schema.ts"

it.scopedLive(
  "when the database falls silent, everybody who stands at the desk hears of it, and soon",
  () =>
    Effect.gen(function*() {
      const { freeze, url } = yield* Effect.flatMap(database(), ({ url }) => pooler(url))
      yield* Effect.gen(function*() {
        const { id: orgId } = yield* openOrg
        const { call } = yield* Effect.provide(Process.start({ seed: 1, desk }), Till.layer)
        const offering = yield* call(orgId, "offerings.create", { kind: "appointment", name: "Rafting", capacity: 100 })
        const { id } = offering as { readonly id: string }
        const { data: [slot] } = (yield* call(orgId, "availability.get", { id })) as { data: [{ starts_at: string }] }
        const book = Effect.suspend(() =>
          call(orgId, "bookings.create", {
            offering_id: id,
            starts_at: slot.starts_at,
            customer: { email: `${freshId()}@a.co` }
          })
        )
        yield* book
        freeze()
        const answers = yield* Effect.timeoutOption(
          Effect.all(Array.from({ length: 64 }, () => Effect.exit(book)), { concurrency: "unbounded" }),
          "40 seconds"
        )
        const causes = Option.getOrThrow(answers).map((exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit)
        assert.deepStrictEqual(causes.filter((cause) => !(cause instanceof DatabaseUnavailable)), [])
      }).pipe(Effect.provide(layer({ url, prepare: false })))
    }),
  60_000
)
