/** Tests that a caller who lost the response can read the signing secret again. */
import { it } from "@effect/vitest"
import { Webhooks } from "@trailbook/core/webhook/Webhooks"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { pass } from "./settled.ts"
import { org, orgId, url, world } from "./world.ts"

it.effect("a repeated request to add a webhook returns its secret for 24 hours", () =>
  Effect.gen(function*() {
    yield* org()
    const { create, list, remove } = yield* Webhooks
    const keyed = { orgId: orgId(1), operation: "webhooks.create", key: "k", fingerprint: "f", derived: false }
    const ask = create({ orgId: orgId(1), url: url("a"), events: ["*"], keyed })
    const first = yield* ask
    yield* pass("24 hours")
    assert.deepStrictEqual(yield* ask, first)
    yield* pass("1 second")
    const rejection = yield* Effect.flip(ask)
    assert.strictEqual(rejection.code, "idempotency_conflict")
    assert.include(rejection.message, first.webhook.id)
    assert.lengthOf(yield* list(orgId(1)), 1)

    // A repeated request must not recreate a deleted webhook.
    yield* remove(first.webhook)
    assert.include((yield* Effect.flip(ask)).message, "then deleted")
    assert.lengthOf(yield* list(orgId(1)), 0)
  }).pipe(Effect.provide(world)))
