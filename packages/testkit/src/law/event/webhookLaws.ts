import { deliveryFaults, type Webhook } from "@trailbook/core/webhook"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment, momentOrNull } from "../../generator/moment.ts"
import { text } from "../../generator/text.ts"
import { lawForAll, type LawSteps, toEffect } from "../Law.ts"
import { assertAscending, assertSameRows, compareById, readAllPages } from "../rowAssertions.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { removeAllEndpoints } from "./endpoints.ts"

type WebhookInput = Omit<Webhook, "id" | "orgId">

const webhook: FastCheck.Arbitrary<WebhookInput> = FastCheck.record({
  url: text(200),
  events: FastCheck.oneof(
    FastCheck.constant(["*"]),
    FastCheck.array(FastCheck.oneof(FastCheck.constantFrom("booking.held", "*", "no.such.type"), text(60)), {
      minLength: 1,
      maxLength: 30
    })
  ),
  active: FastCheck.boolean(),
  sealedSecret: text(300),
  createdAt: moment,
  lastStatus: FastCheck.option(FastCheck.constantFrom(0, 200, 204, 302, 500)),
  lastError: FastCheck.option(FastCheck.constantFrom(...deliveryFaults)),
  lastAttemptAt: momentOrNull
})

const addWebhook = (input: WebhookInput, orgId: string) => {
  const webhook = { ...input, id: newId(), orgId }
  return Effect.as(Store.webhooks.add(webhook), webhook)
}

/** Adds webhooks to two orgs alternately, and removes them after the case. */
const withWebhooks = (
  rows: ReadonlyArray<WebhookInput>,
  work: (ownWebhooks: ReadonlyArray<Webhook>, twinWebhooks: ReadonlyArray<Webhook>) => LawSteps
) =>
  Effect.gen(function*() {
    const [{ id }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
    const pairs = yield* Effect.forEach(rows, (row) => Effect.all([addWebhook(row, id), addWebhook(row, twinId)]))
    yield* toEffect(work(pairs.map(([webhook]) => webhook), pairs.map(([, webhook]) => webhook)))
  }).pipe(Effect.ensuring(removeAllEndpoints))

const webhooks = FastCheck.array(webhook, { minLength: 1, maxLength: 6 })

const find = (key: Webhook) => Effect.map(Store.webhooks.find(key), Option.getOrNull)

export const webhookLaws = [
  lawForAll(
    "webhooks/find",
    "returns an added webhook unchanged, only to its own org",
    webhooks,
    (rows) =>
      withWebhooks(rows, function*(ownWebhooks, twinWebhooks) {
        for (const [at, one] of ownWebhooks.entries()) {
          assert.deepStrictEqual(yield* find(one), one)
          assert.isNull(yield* find({ ...one, id: newId() }))
          assert.isNull(yield* find({ ...one, id: twinWebhooks[at]?.id ?? "" }))
        }
      })
  ),

  lawForAll(
    "webhooks/list",
    "lists each of an org's webhooks once, oldest first",
    webhooks,
    (rows) =>
      withWebhooks(rows, function*([first, ...others], twinWebhooks) {
        const listedRows = yield* Store.webhooks.list(first?.orgId ?? "")
        assertSameRows(listedRows, first === undefined ? [] : [first, ...others])
        assertAscending(listedRows.map(({ createdAt }) => createdAt))
        assertSameRows(yield* Store.webhooks.list(twinWebhooks[0]?.orgId ?? ""), twinWebhooks)
      })
  ),

  lawForAll(
    "webhooks/remove",
    "removes one webhook and reports whether it existed",
    webhooks,
    (rows) =>
      withWebhooks(rows, function*(ownWebhooks, twinWebhooks) {
        const [first, ...others] = ownWebhooks
        const [twin] = twinWebhooks
        if (first === undefined || twin === undefined) return
        assert.isFalse(yield* Store.webhooks.remove({ orgId: first.orgId, id: twin.id }))
        assert.isTrue(yield* Store.webhooks.remove(first))
        assert.isFalse(yield* Store.webhooks.remove(first))
        assertSameRows(yield* Store.webhooks.list(first.orgId), others)
        assertSameRows(yield* Store.webhooks.list(twin.orgId), twinWebhooks)
      })
  ),

  lawForAll(
    "webhooks/page",
    "pages through all orgs' webhooks by ID and returns each webhook once",
    FastCheck.tuple(webhooks, FastCheck.integer({ min: 1, max: 5 })),
    ([rows, limit]) =>
      withWebhooks(rows, function*(ownWebhooks, twinWebhooks) {
        const pages = yield* readAllPages(
          limit,
          (after: string = "") => Store.webhooks.page(after, limit),
          ({ id }) => id
        )
        assert.deepStrictEqual(pages, [...ownWebhooks, ...twinWebhooks].sort(compareById))
      })
  ),

  lawForAll(
    "webhooks/reseal",
    "replaces a webhook's secret only if the secret has not changed since it was read, and changes no other field",
    FastCheck.tuple(webhooks, text(300), text(300)),
    ([rows, secret, staleSecret]) =>
      withWebhooks(rows, function*(ownWebhooks, twinWebhooks) {
        const [first, ...others] = ownWebhooks
        const [twin] = twinWebhooks
        if (first === undefined || twin === undefined) return
        yield* Store.webhooks.reseal(first, `new ${secret}`)
        // A stale read or a request for another org changes nothing.
        yield* Store.webhooks.reseal(first, `late ${staleSecret}`)
        yield* Store.webhooks.reseal({ ...twin, orgId: first.orgId }, `late ${staleSecret}`)
        assertSameRows(yield* Store.webhooks.list(first.orgId), [
          { ...first, sealedSecret: `new ${secret}` },
          ...others
        ])
        assertSameRows(yield* Store.webhooks.list(twin.orgId), twinWebhooks)
      })
  )
]
