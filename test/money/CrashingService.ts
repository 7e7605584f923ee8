/**
 * A service that crashes at a chosen point: before or after a call to the bank, before a unit of work, or after its
 * commit. Stored data is kept.
 */
import { PaymentProvider } from "@trailbook/core/payment"
import { UnitOfWork } from "@trailbook/core/port"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class CrashingService extends Context.Tag("@trailbook/testkit/CrashingService")<
  CrashingService,
  {
    /** Schedules one crash after this many points. Null cancels the scheduled crash. */
    readonly dies: (after: number | null) => Effect.Effect<void>
    /** Sets the bank for all later calls. */
    readonly asks: (provider: PaymentProvider["Type"]) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<
    CrashingService | PaymentProvider | UnitOfWork,
    never,
    PaymentProvider | UnitOfWork
  > = Layer
    .effectContext(Effect.gen(function*() {
      let current = yield* PaymentProvider
      const units = yield* UnitOfWork
      let remainingSteps: number | null = null
      const moment = Effect.suspend(() => {
        if (remainingSteps === null) return Effect.void
        remainingSteps--
        if (remainingSteps >= 0) return Effect.void
        remainingSteps = null
        return Effect.die(new Error("The service died."))
      })
      const around = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.zipLeft(Effect.zipRight(moment, call), moment)
      const mortal = CrashingService.of({
        dies: (after) =>
          Effect.sync(() => {
            remainingSteps = after
          }),
        asks: (provider) =>
          Effect.sync(() => {
            current = provider
          })
      })
      const provider = PaymentProvider.of({
        name: current.name,
        account: (access) => Effect.suspend(() => current.account(access)),
        watch: (access, url) => Effect.suspend(() => current.watch(access, url)),
        rewatch: (access, id) => Effect.suspend(() => current.rewatch(access, id)),
        unwatch: (access, id) => Effect.suspend(() => current.unwatch(access, id)),
        checkout: (access, request) => Effect.suspend(() => around(current.checkout(access, request))),
        getCheckout: (access, session) => Effect.suspend(() => around(current.getCheckout(access, session))),
        close: (access, session) => Effect.suspend(() => around(current.close(access, session))),
        refund: (access, request) => Effect.suspend(() => around(current.refund(access, request))),
        refunds: (access, intent) => Effect.suspend(() => around(current.refunds(access, intent))),
        since: (access, since) => Effect.suspend(() => around(current.since(access, since))),
        notice: (access, notice) => Effect.suspend(() => current.notice(access, notice))
      })
      return Context.make(CrashingService, mortal).pipe(
        Context.add(PaymentProvider, provider),
        Context.add(UnitOfWork, UnitOfWork.of({ ...units, run: (work) => around(units.run(work)) }))
      )
    }))
}
