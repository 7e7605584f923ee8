/** Tests payment connections: one active account at a time, with encrypted keys that are kept for refunds. */
import { assert, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import {
  ConnectedPayments,
  type NewPaymentConnection,
  PaymentConnections,
  PaymentProvider,
  Payments,
  PaymentsFailed
} from "@trailbook/core/payment"
import { UnitOfWork } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeSecrets } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe } from "vitest"
import * as TestProvider from "../../../test/payments/TestProvider.ts"

interface ProviderState {
  /** Whether a transaction was open during a provider call. */
  inUnit: boolean
  unwatched: Array<string>
  rewatched: Array<string>
  /** Failures for the next attempts to update an endpoint. */
  faults: Array<PaymentsFailed>
}

/** Maps API keys to accounts: `sk_test_till` and `sk_test_till_<n>` are keys for the account `acct_till`. */
const provider = (providerState: ProviderState, open: { units: number }) => {
  const { provider } = TestProvider.make()
  let watches = 0
  const outside = <A, E>(call: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      providerState.inUnit ||= open.units > 0
      return call
    })
  return Layer.succeed(PaymentProvider, {
    ...provider,
    account: ({ key }) =>
      outside(
        key.startsWith("sk_test_")
          ? Effect.succeed({ id: `acct_${key.split("_")[2]}`, name: "River", mode: "test" as const })
          : new PaymentsFailed({ message: "Nobody's key.", reason: "refused" })
      ),
    watch: (access, url) =>
      outside(Effect.map(provider.watch(access, url), ({ noticeSecret }) => ({ id: `we_${++watches}`, noticeSecret }))),
    rewatch: (_, id) =>
      outside(Effect.suspend(() => {
        providerState.rewatched.push(id)
        return providerState.faults.pop() ?? Effect.void
      })),
    unwatch: (_, id) => outside(Effect.sync(() => void providerState.unwatched.push(id)))
  })
}

const world = (providerState: ProviderState) => {
  const open = { units: 0 }
  const counting = Layer.effect(
    UnitOfWork,
    Effect.map(UnitOfWork, (unit) => ({
      ...unit,
      run: <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          Effect.sync(() => void open.units++),
          () => unit.run(work),
          () => Effect.sync(() => void open.units--)
        )
    }))
  )
  return ConnectedPayments.layer.pipe(
    Layer.provideMerge(PaymentConnections.layer),
    Layer.provideMerge(counting),
    Layer.provideMerge(
      Layer.mergeAll(Memory.layer, FakeSecrets.makeFakeSecretsLayer(), TestIds.layer(1), provider(providerState, open))
    )
  )
}

const input = (key: string): NewPaymentConnection => ({
  orgId: "org",
  key,
  account: null,
  notices: { to: (id) => `https://river.example/pay/till/${id}` }
})

const openOrg = Effect.flatMap(
  OrgStore,
  ({ put }) => put(Org.make({ id: "org", name: "River", slug: "river", timezone: "UTC", createdAt: Instant.min }))
)

describe("a payment connection", () => {
  const of = (
    title: string,
    check: (providerState: ProviderState) => Effect.Effect<void, unknown, PaymentConnections | Payments>
  ) => {
    const providerState: ProviderState = { inUnit: false, unwatched: [], rewatched: [], faults: [] }
    it.effect(title, () =>
      Effect.zipRight(openOrg, check(providerState)).pipe(
        Effect.tap(() => assert.isFalse(providerState.inUnit)),
        Effect.provide(world(providerState))
      ))
  }

  of(
    "updates its webhook endpoint at the first reconciliation of a process, and again after a failure",
    (providerState) =>
      Effect.gen(function*() {
        const { connect } = yield* PaymentConnections
        const { since } = yield* Payments
        const { id: connection } = yield* connect(input("sk_test_a_1"))
        const account = { orgId: "org", provider: "till", connection }
        providerState.faults.push(new PaymentsFailed({ message: "The provider is down." }))
        for (const updates of [1, 2, 2]) {
          assert.deepStrictEqual(yield* since(account, Instant.min), [])
          assert.lengthOf(providerState.rewatched, updates)
        }
        // A refused update is not retried, because the endpoint was deleted at the provider or the key lacks
        // permission.
        const { id: other } = yield* connect(input("sk_test_b_1"))
        providerState.faults.push(new PaymentsFailed({ message: "No such webhook endpoint.", reason: "refused" }))
        for (const _ of [1, 2]) yield* since({ ...account, connection: other }, Instant.min)
        yield* since(account, Instant.min)
        assert.deepStrictEqual(providerState.rewatched, ["we_1", "we_1", "we_2"])
        yield* connect({ ...input("sk_test_c_1"), notices: { secret: "whsec_manual" } })
        assert.lengthOf(providerState.rewatched, 3)
      })
  )

  of("replaces the previous connection, and stores its secrets sealed", (providerState) =>
    Effect.gen(function*() {
      const { access, connect, list } = yield* PaymentConnections
      const first = yield* connect(input("sk_test_a_1"))
      assert.notInclude([first.sealedKey, first.sealedNoticeSecret], "sk_test_a_1")
      assert.deepStrictEqual(yield* access(first), { key: "sk_test_a_1", noticeSecret: "whsec_till", account: null })
      const second = yield* connect(input("sk_test_b_1"))
      const all = yield* list("org")
      assert.deepStrictEqual(
        new Map(all.map(({ disconnectedAt, id }) => [id, disconnectedAt === null])),
        new Map([[first.id, false], [second.id, true]])
      )
      // Payments on the first connection can still be refunded, but its notifications are no longer received.
      const firstConnection = all.find(({ id }) => id === first.id)
      assert.deepStrictEqual(firstConnection && (yield* access(firstConnection)), {
        key: "sk_test_a_1",
        noticeSecret: null,
        account: null
      })
      assert.deepStrictEqual(providerState.unwatched, ["we_1"])
    }))

  of(
    "stays the same when its account gets another key, and uses that key for earlier payments too",
    (providerState) =>
      Effect.gen(function*() {
        const { access, connect, list } = yield* PaymentConnections
        const first = yield* connect(input("sk_test_a_1"))
        const again = yield* connect(input("sk_test_a_2"))
        assert.strictEqual(again.id, first.id)
        assert.deepStrictEqual(yield* list("org"), [again])
        assert.strictEqual((yield* access(again)).key, "sk_test_a_2")
        assert.deepStrictEqual([again.watchId, providerState.unwatched], ["we_2", ["we_1"]])
      })
  )

  of(
    "is created only for an existing org, and only with a key that the provider accepts",
    () =>
      Effect.gen(function*() {
        const { connect, list } = yield* PaymentConnections
        assert.strictEqual((yield* Effect.flip(connect(input("nobody"))))._tag, "PaymentsFailed")
        assert.strictEqual((yield* Effect.flip(connect({ ...input("sk_test_a_1"), orgId: "none" })))._tag, "Refusal")
        assert.deepStrictEqual(yield* list("org"), [])
      })
  )

  of(
    "takes no more payments after it is disconnected, keeps its key, and can be disconnected only once",
    (providerState) =>
      Effect.gen(function*() {
        const { access, connect, disconnect, list } = yield* PaymentConnections
        yield* connect({ ...input("sk_test_a_1"), notices: { secret: "whsec_by_hand" } })
        yield* disconnect("org")
        const [connection] = yield* list("org")
        assert.isNotNull(connection?.disconnectedAt)
        assert.strictEqual(connection && (yield* access(connection)).key, "sk_test_a_1")
        assert.strictEqual((yield* Effect.flip(disconnect("org"))).code, "not_found")
        assert.deepStrictEqual(providerState.unwatched, [])
      })
  )
})
