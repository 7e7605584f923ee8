/** Opens an outfitter that takes payments with Mollie. Returns its bookings and the webhook endpoint for Mollie. */
import { createTrailbook, TrailbookError, type TrailbookOptions } from "trailbook"
import { mollie, type MollieOptions } from "./mollie.ts"

export const openShop = async (
  options: Pick<TrailbookOptions, "clock" | "database" | "log">,
  mollieOptions: MollieOptions
) => {
  const { news, payments } = mollie(mollieOptions)
  const outfitter = await createTrailbook({
    ...options,
    // Online payment requires the pro plan.
    org: { name: "Canal Kayaks", timezone: "Europe/Amsterdam", currency: "eur", plan: "pro" },
    mailer: "none",
    payments
  })

  /** Handles a notification. Mollie sends only a payment ID, without a signature, so the ID only triggers a query. */
  const handleNotice = async (request: Request): Promise<Response> => {
    const id = new URLSearchParams(await request.text()).get("id") ?? ""
    try {
      const payment = await news(id)
      if (payment !== null) await outfitter.paid(payment)
    } catch (error) {
      // The payment is not for one of our bookings, for example because other programs use the same account.
      if (!(error instanceof TrailbookError && error.code === "not_found")) return new Response(null, { status: 503 })
    }
    return new Response(null, { status: 200 })
  }
  return { outfitter, handleNotice }
}
