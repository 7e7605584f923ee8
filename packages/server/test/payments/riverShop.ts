/** An outfitter on SQLite with a connected account at a local fake Stripe. */
import { OrgStore } from "@trailbook/core/org"
import { PaymentConnections, type PaymentProvider } from "@trailbook/core/payment"
import type { Secrets } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { accountsLayer, createOrg, type DatabaseUrl, storageLayer } from "@trailbook/runtime"
import type { Database } from "@trailbook/sql/Database"
import { StripeProvider } from "@trailbook/stripe"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { folder } from "../../../cli/test/program.ts"
import { FakeStripe } from "../../../stripe/test/FakeStripe.ts"
import { connectedAccountsLayer } from "../../src/buildDomainServices.ts"

export const keyOf = (id: string): string => `${id}:${Buffer.alloc(32, id).toString("base64")}`

export const riverShop = async ({ keys = keyOf("k1"), mode = "test", notices = true } = {}) => {
  const stripe = new FakeStripe()
  await stripe.listening
  onTestFinished(() => stripe.close())
  const cwd = folder()
  const database: DatabaseUrl = { _tag: "Sqlite", file: join(cwd, "a.sqlite") }
  const where = { host: "127.0.0.1", port: stripe.port, protocol: "http", timeoutMs: 1000 } as const
  const { org, token } = await Effect.runPromise(
    Effect.provide(createOrg({ name: "Salida", timezone: "America/Denver" }), accountsLayer(database))
  )

  type Needs = Storage | Database | Secrets | PaymentConnections | PaymentProvider
  const run = <A, E>(work: Effect.Effect<A, E, Needs>, with_ = keys): Promise<A> => {
    const ring = KeyRing.layer(Either.getOrThrowWith(KeyRing.parse(with_), (wrong) => new Error(wrong)))
    const world = Layer.mergeAll(ring, connectedAccountsLayer(ring, { stripe: where }), StripeProvider.layer(where))
    return Effect.runPromise(Effect.provide(work, Layer.provideMerge(world, Layer.orDie(storageLayer(database)))))
  }
  const connected = await run(Effect.gen(function*() {
    const orgs = yield* OrgStore
    yield* orgs.put({ ...yield* Effect.flatten(orgs.find(org.id)), plan: "pro" })
    return yield* Effect.flatMap(PaymentConnections, ({ connect }) =>
      connect({
        orgId: org.id,
        key: `sk_${mode}_till`,
        account: null,
        notices: notices ? { to: (id) => `https://book.example/pay/stripe/${id}` } : null
      }))
  }))
  return { connected, cwd, database, keys, orgId: org.id, run, stripe, token, where }
}
