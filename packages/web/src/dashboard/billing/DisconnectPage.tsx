import { staffDisconnectPayments, staffPayments } from "@trailbook/core/payment/paymentOperations"
import { notFound } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { ignoreNotFound } from "../ignoreNotFound.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"

/**
 * What becomes of bookings, open checkouts and refunds without the account.
 *
 * @category views
 */
export const view: PageView = (asked) =>
  Effect.gen(function*() {
    const { connected } = yield* asked.run(staffPayments, {})
    if (connected === null) return yield* notFound("payment connection of the org", asked.shown.org.id)
    return {
      title: `Disconnect ${connected.name || connected.account_id}?`,
      part: "billing" as const,
      body: (
        <Consequence
          asked={asked}
          happens={[
            "From now on bookings are confirmed without being paid, whatever their price.",
            "Guests who are at a checkout now can still pay there until their hold ends. Those payments confirm their " +
            "bookings; they are found within ten minutes, for the provider's notices are not listened to any more.",
            "Refunds of what this account took still go back through it: its key is kept for that, sealed.",
            "You can connect it again at any time."
          ]}
          confirm="Disconnect the account"
          back="/dashboard/payments"
        />
      )
    }
  })

/**
 * @category actions
 */
export const act: FormAction = ({ run }) =>
  Effect.as(ignoreNotFound(run(staffDisconnectPayments, {})), withFlash("/dashboard/payments", "unpaid"))
