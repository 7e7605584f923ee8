import * as Context from "effect/Context"

/**
 * Whether the guest gets the standard mail about a moved or canceled booking. The ops agent turns it off for bookings
 * that its own message covers, so that a guest gets one mail per action.
 */
export class SendsChangeMail extends Context.Reference<SendsChangeMail>()("@trailbook/core/SendsChangeMail", {
  defaultValue: () => true
}) {}
