import { Payments } from "@trailbook/core/payment"
import { type ExecutedRequest, UnitOfWork } from "@trailbook/core/port"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import { moment } from "../../generator/moment.ts"
import { text } from "../../generator/text.ts"
import { law, lawForAll } from "../Law.ts"
import { assertDies, assertFinds, assertFindsNothing } from "../rowAssertions.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Process from "../ServerProcess.ts"
import * as Store from "../Store.ts"

/** The range of keys and operations is small, so that requests collide. */
const request: FastCheck.Arbitrary<Omit<ExecutedRequest, "orgId">> = FastCheck.record({
  operation: FastCheck.constantFrom("sessions.create", "offerings.create"),
  key: FastCheck.constantFrom("k", "K", "k1"),
  fingerprint: text(64),
  made: FastCheck.array(FastCheck.uuid(), { maxLength: 52 }),
  madeAt: moment
})

const toName = ({ key, operation }: Pick<ExecutedRequest, "operation" | "key">): string => `${operation} ${key}`

const requests = FastCheck.uniqueArray(request, { minLength: 1, maxLength: 6, selector: toName })

export const requestKeyLaws = [
  lawForAll(
    "request-keys/find",
    "finds a stored request by its key, but only for the same operation and org",
    FastCheck.tuple(requests, requests),
    function*([firstRequests, otherRequests]) {
      const [{ id: one }, { id: other }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
      const boundRequests = [
        ...firstRequests.map((request) => ({ ...request, orgId: one })),
        ...otherRequests.map((request) => ({ ...request, orgId: other }))
      ]
      yield* Effect.forEach(boundRequests, Store.requestKeys.bind)
      for (const orgId of [one, other]) {
        for (const operation of ["sessions.create", "offerings.create", "webhooks.create"]) {
          for (const key of ["k", "K", "k1", "k2"]) {
            const storedRequest = boundRequests.find((request) =>
              request.orgId === orgId && toName(request) === `${operation} ${key}`
            )
            yield* assertFinds(Store.requestKeys.find({ orgId, operation, key }), storedRequest)
          }
        }
      }
    }
  ),

  lawForAll(
    "request-keys/once",
    "rejects a key that is already in use, and stores nothing",
    FastCheck.tuple(request, request),
    function*([first, second]) {
      const { id: orgId } = yield* createEmptyOrg
      const boundRequest = { ...first, orgId }
      const duplicate = { ...second, orgId, operation: first.operation, key: first.key }
      const separate = { ...boundRequest, key: newId() }
      yield* Store.requestKeys.bind(boundRequest)
      yield* assertDies(
        Store.run(Effect.zipRight(Store.requestKeys.bind(separate), Store.requestKeys.bind(duplicate))),
        "the key was stored twice"
      )
      yield* assertFinds(Store.requestKeys.find(boundRequest), boundRequest)
      yield* assertFindsNothing(Store.requestKeys.find(separate))
    }
  ),

  law(
    "request-keys/answer-lost",
    "returns the existing resource if a request is retried after a lost response",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { id: orgId } = yield* createEmptyOrg
        const server = yield* Effect.provide(Process.start({ seed: 1, batches: "none" }), Payments.layerNone)
        const crashingServer = yield* startCrashingProcess
        const { id: offering_id } = (yield* Effect.orDie(
          server.call(orgId, "offerings.create", { name: "Rafting", kind: "class" })
        )) as { readonly id: string }
        const requests: ReadonlyArray<readonly [name: string, list: string, input: object]> = [
          ["sessions.create", "sessions.list", { offering_id, starts_at: "2030-06-01T15:00:00Z", repeat_weeks: 2 }],
          ["offerings.create", "offerings.list", { name: "Kayak", kind: "rental" }],
          ["webhooks.create", "webhooks.list", { url: "https://a.co/events" }]
        ]
        for (const [name, list, input] of requests) {
          const count = Effect.map(
            Effect.orDie(server.call(orgId, list, {})),
            (answer) => (answer as { readonly data: ReadonlyArray<unknown> }).data.length
          )
          for (const key of [{ idempotency_key: newId() }, {}]) {
            const before = yield* count
            // Without a key, an assistant's request is keyed by its content.
            const send = (process: Process.ServerProcess) => process.call(orgId, name, { ...input, ...key }, "mcp")
            assert.isTrue(Exit.isFailure(yield* Effect.exit(send(crashingServer))), "the response was not lost")
            const answer = yield* Effect.orDie(send(server))
            assert.deepStrictEqual(yield* Effect.orDie(send(server)), answer)
            assert.strictEqual((yield* count) - before, name === "sessions.create" ? 2 : 1, name)
          }
        }
      }))
  )
]

/** A process that crashes after its units of work commit but before it responds. */
const startCrashingProcess = Effect.flatMap(UnitOfWork, (unitOfWork) =>
  Effect.provideService(
    Effect.provide(Process.start({ seed: 2, batches: "none" }), Payments.layerNone),
    UnitOfWork,
    UnitOfWork.of({
      ...unitOfWork,
      run: (work) => Effect.zipRight(unitOfWork.run(work), Effect.die({ _tag: "DatabaseUnavailable" }))
    })
  ))
