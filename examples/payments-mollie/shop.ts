/** An outfitter that takes money with Mollie: its bookings, and the address that Mollie tells of payments. */
import { createTrailbook, TrailbookError, type TrailbookOptions } from "trailbook"
import { mollie, type MollieOptions } from "./mollie.ts"

export const openShop = async (
  options: Pick<TrailbookOptions, "clock" | "database" | "log">,
  given: MollieOptions
) => {
  const { news, payments } = mollie(given)
  const outfitter = await createTrailbook({
    ...options,
    // Bookings are paid online where the plan is pro.
    org: { name: "Canal Kayaks", timezone: "Europe/Amsterdam", currency: "eur", plan: "pro" },
    mailer: "none",
    payments
  })

  /** Mollie sends the name of a payment and nothing else, unsigned: it is believed as far as that it is worth a look. */
  const told = async (request: Request): Promise<Response> => {
    const id = new URLSearchParams(await request.text()).get("id") ?? ""
    try {
      const paid = await news(id)
      if (paid !== null) await outfitter.paid(paid)
    } catch (error) {
      // A booking that is not ours, or an account that other programs use too.
      if (!(error instanceof TrailbookError && error.code === "not_found")) return new Response(null, { status: 503 })
    }
    return new Response(null, { status: 200 })
  }
  return { outfitter, told }
}
