/**
 * Compares free bookings at an outfitter that takes online payments with those at an outfitter that does not. A free
 * booking must not query the payment provider. Both outfitters share one process and one database, and the measurements
 * alternate.
 */
import { OrgStore } from "@trailbook/core/org"
import { ConnectedPayments, PaymentConnections } from "@trailbook/core/payment"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { FakeSecrets } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import * as TestProvider from "../test/payments/TestProvider.ts"
import { databaseOf } from "./domain.ts"
import { freshPostgres } from "./FreshPostgres.ts"
import { openOutfitter } from "./messages/outfitter.ts"
import { type Line, median } from "./report.ts"

const rounds = 21
const bookings = 100
const clients = 8
const mostTimes = 1.05

const makeWorld = (url: string) => {
  const dependencies = Layer.mergeAll(
    TestProvider.layerFrom(TestProvider.make().provider),
    FakeSecrets.makeFakeSecretsLayer(),
    NodeIds.layer
  )
  return Layer.unwrapEffect(
    Effect.map(
      loadAdapter(databaseOf(url)),
      ({ batches, storage }) =>
        engineLayer(NodeIds.layer, batches, { payments: ConnectedPayments.layer }).pipe(
          Layer.provideMerge(PaymentConnections.layer),
          Layer.provideMerge(dependencies),
          Layer.provideMerge(storage)
        )
    )
  )
}

const connectPayments = (orgId: string) =>
  Effect.gen(function*() {
    const orgs = yield* OrgStore
    yield* orgs.put({ ...yield* Effect.flatten(orgs.find(orgId)), plan: "pro" })
    yield* (yield* PaymentConnections).connect({
      orgId,
      key: TestProvider.access.key,
      account: null,
      notices: { to: (id) => `https://book.example/pay/till/${id}` }
    })
  })

const measure = (storage: string, url: string): Promise<ReadonlyArray<Line>> => {
  const program = Effect.gen(function*() {
    const off = yield* openOutfitter
    const on = yield* openOutfitter
    yield* connectPayments(on.orgId)
    const times: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      // The second measurement inherits garbage from the first, so the order alternates.
      const order = round % 2 === 0 ? [off, on] as const : [on, off] as const
      const timeByOutfitter = new Map<unknown, number>()
      for (const outfitter of order) {
        timeByOutfitter.set(outfitter, 1 / (yield* outfitter.book(bookings, clients)).result.perSecond)
      }
      // The first round is a warmup.
      if (round > 0) times.push((timeByOutfitter.get(on) ?? 0) / (timeByOutfitter.get(off) ?? 1))
    }
    const ratio = median(times)
    return [{
      what: `${storage}: time per free booking, with online payments on versus off`,
      figure: `${ratio.toFixed(3)} times`,
      promise: { text: `at most ${mostTimes} times`, kept: ratio <= mostTimes }
    }]
  })
  return Effect.runPromise(Effect.provide(program, makeWorld(url)))
}

export const measureFree = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const sqlite = await measure("SQLite", `sqlite:${join(folder, "free.sqlite")}`)
  const postgres = await freshPostgres()
  try {
    return [...sqlite, ...await measure("Postgres", postgres.url)]
  } finally {
    await postgres.stop()
  }
}
