import { staffDisconnectPayments, staffPayments } from "@trailbook/core/payment/paymentOperations"
import { notFound } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { ignoreNotFound } from "../ignoreNotFound.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"

/** Confirmation page: effects on bookings, open checkouts, and refunds. */
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
            "New bookings are confirmed without payment.",
            "Guests who are already at checkout can still pay until their hold expires. Those payments confirm their " +
            "bookings within 10 minutes.",
            "Refunds of earlier payments still go through this account. Its key is kept encrypted for this purpose.",
            "You can connect it again at any time."
          ]}
          confirm="Disconnect account"
          back="/dashboard/payments"
        />
      )
    }
  })

export const act: FormAction = ({ run }) =>
  Effect.as(ignoreNotFound(run(staffDisconnectPayments, {})), withFlash("/dashboard/payments", "unpaid"))
