import { Actor, ApiKeys } from "@trailbook/core/actor"
import type { BatchOptions } from "@trailbook/core/booking"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { Payments } from "@trailbook/core/payment"
import * as Handler from "@trailbook/http/handler"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Creates an outfitter with an offering that never sells out, and returns functions that call the HTTP API. */
export const raftingOverHttp = (batches: BatchOptions) =>
  Effect.gen(function*() {
    const { id: orgId } = yield* createEmptyOrg
    const core = yield* Layer.build(
      coreLayer({ batches }).pipe(Layer.provide(
        Layer.mergeAll(
          TestIds.layer(1),
          Payments.layerNone,
          FakeWebhookSender.layer,
          FakeSecrets.makeFakeSecretsLayer()
        )
      ))
    )
    const { keys, handler, registry } = yield* Effect.provide(
      Effect.all({
        keys: ApiKeys,
        registry: Registry,
        handler: Handler.make({ rateLimit: { perSecond: 0, failuresPerMinute: 0 } })
      }),
      core
    )
    const { key, token } = yield* keys.create({ orgId, name: "test" })
    const ask = (method: string, path: string, body?: unknown) =>
      Effect.promise(async () => {
        const answer = await handler(
          new Request(`http://localhost/v1${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            body: body === undefined ? null : JSON.stringify(body)
          })
        )
        const json: unknown = await answer.json()
        return { status: answer.status, json }
      })
    const offering = yield* ask("POST", "/offerings", { kind: "appointment", name: "Rafting", capacity: 100 })
    const { id } = offering.json as { readonly id: string }
    const slots = `/offerings/${id}/availability`
    const availability = (yield* ask("GET", slots)).json as { readonly data: readonly [{ readonly starts_at: string }] }
    const [{ starts_at }] = availability.data
    return {
      ask,
      /** Runs an operation as a staff member, the way the dashboard pages do. */
      asStaff: (name: string, input: unknown) =>
        Effect.provideService(registry.run(name, input), Actor, {
          _tag: "Staff",
          orgId,
          staffId: "guide",
          scopes: new Set(["read", "write", "dashboard"] as const)
        }),
      slots,
      starts_at,
      hold: ask("POST", "/bookings", {
        offering_id: id,
        starts_at,
        hold_minutes: 30,
        customer: { email: "ann@a.co" }
      }),
      revoke: keys.revoke(orgId, key.id)
    }
  })
