import { it } from "@effect/vitest"
import { PaymentProvider, PaymentsFailed } from "@trailbook/core/payment"
import { FakeBank } from "@trailbook/testkit/provider/FakeBank"
import { providerLaws } from "@trailbook/testkit/provider/providerLaws"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { assert, describe } from "vitest"
import * as TestProvider from "../../../../test/payments/TestProvider.ts"

const context = (change: (provider: PaymentProvider["Type"]) => Partial<PaymentProvider["Type"]> = () => ({})) => {
  const { bank, provider } = TestProvider.make()
  return Context.make(FakeBank, bank).pipe(Context.add(PaymentProvider, { ...provider, ...change(provider) }))
}

describe("the test provider", () => {
  for (const { check, key, title } of providerLaws) {
    it.effect(`${key}: ${title}`, () => Effect.provide(check, context()))
  }
})

const fakeRefund = { id: "re_none", status: "done" as const, reason: "" }

describe("negative controls", () => {
  let keys = 0
  const controls: Record<string, (provider: PaymentProvider["Type"]) => Partial<PaymentProvider["Type"]>> = {
    "provider/one": (provider) => ({
      checkout: (access, request) => provider.checkout(access, { ...request, id: `${request.id} ${keys++}` })
    }),
    "provider/stale": (provider) => ({
      checkout: (access, request) => provider.checkout(access, { ...request, email: null })
    }),
    "provider/amounts": (provider) => ({
      checkout: (access, request) =>
        provider.checkout(access, {
          ...request,
          ...(request.currency === "kwd"
            ? { cents: request.cents * 10, items: request.items.map((item) => ({ ...item, cents: item.cents * 10 })) }
            : {})
        })
    }),
    "provider/items": (provider) => ({
      checkout: (access, request) => {
        const items = request.items.slice(0, 1)
        const cents = items.reduce((sum, item) => sum + item.cents * item.quantity, 0)
        return provider.checkout(access, { ...request, items, cents })
      }
    }),
    "provider/close": ({ getCheckout: look }) => ({ close: look }),
    "provider/refund": () => ({ refund: () => Effect.succeed(fakeRefund) }),
    "provider/part": ({ refund }) => ({ refund: (access, request) => refund(access, { ...request, cents: null }) }),
    "provider/faults": () => ({ refund: () => Effect.succeed(fakeRefund) }),
    // After a refusal, a refund retried with the same key is refused for a day, even once the cause is gone.
    "provider/refused": ({ refund }) => ({
      refund: (access, request) => refund(access, { ...request, key: request.paymentId })
    }),
    "provider/refused-checkout": ({ checkout }) => ({
      checkout: (access, request) =>
        Effect.mapError(checkout(access, request), ({ message }) => new PaymentsFailed({ message, reason: "refused" }))
    }),
    "provider/pending": ({ refund }) => ({
      refund: (access, request) => Effect.map(refund(access, request), (one) => ({ ...one, status: "done" as const }))
    }),
    "provider/mismatch": ({ getCheckout: look }) => ({
      getCheckout: (access, session) => Effect.map(look(access, session), (state) => ({ ...state, cents: 17_000 }))
    }),
    "provider/notices": (provider) => ({
      notice: (access, input) => provider.notice(access, { ...input, now: input.now - 300_000 as typeof input.now })
    }),
    // An adapter that skips known notifications loses those whose processing failed.
    "provider/again": (provider) => {
      const knownTexts = new Set<string>()
      return {
        notice: (access, input) =>
          Effect.map(provider.notice(access, input), (news) => {
            const text = JSON.stringify(news)
            const isKnown = knownTexts.has(text)
            knownTexts.add(text)
            return isKnown ? null : news
          })
      }
    },
    "provider/since": () => ({ since: () => Effect.succeed([]) }),
    "provider/account": (provider) => ({
      account: (access) => provider.account({ ...access, key: TestProvider.access.key })
    })
  }
  for (const { check, key } of providerLaws) {
    it.effect(`${key} fails if the provider breaks the law`, () =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(Effect.provide(check, context(controls[key])))
        assert.isTrue(Exit.isFailure(exit))
      }))
  }
})
