/** The return URLs of a Stripe checkout. */
import * as Instant from "@trailbook/core/time/Instant"
import { checkoutParameters } from "@trailbook/stripe/checkoutParameters"
import { assert, it } from "vitest"

it("returns a guest who paid to a page that waits for the payment notice, and any other guest to a page that offers payment", () => {
  const page = "https://river.example/b/handle"
  const { cancel_url: unpaid, success_url: paid } = checkoutParameters({
    id: "payment-1",
    orgId: "org-1",
    bookingId: "booking-1",
    attempt: 1,
    provider: "stripe",
    connection: "connection-1",
    cents: 17_000,
    currency: "usd",
    description: "Half-day raft",
    madeAt: Instant.make(0),
    expiresAt: Instant.make(0),
    email: null,
    returnUrl: page,
    paidUrl: `${page}/paid`
  }, 17_000)
  assert.deepStrictEqual({ paid, unpaid }, { paid: `${page}/paid`, unpaid: page })
})
