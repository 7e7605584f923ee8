import { connectionView } from "@trailbook/core/payment/ConnectionView"
import * as Effect from "effect/Effect"
import { withAuditedAccount } from "../runtime/auditedAccountChange.ts"
import type { Run } from "./Command.ts"
import { Failure } from "./CommandError.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"payments connect"> = async (
  { json, noticeSecret, noticesUrl, paymentAccount, paymentKey, ...settings }
) => {
  // Providers send nothing to an address that is not open to the world.
  const isOpen = noticesUrl?.startsWith("https://") ?? false
  const connection = await withAuditedAccount(
    "payments connect",
    settings,
    "payments.connected",
    ({ connect }, { id: orgId }, beside) =>
      Effect.mapError(
        connect({
          orgId,
          key: paymentKey,
          account: paymentAccount ?? null,
          notices: noticeSecret !== undefined
            ? { secret: noticeSecret }
            : isOpen
            ? { to: (id) => `${noticesUrl}/pay/stripe/${id}` }
            : null,
          beside
        }),
        ({ message }) => new Failure(message)
      )
  )
  if (json) Print.json(connectionView(connection))
  else {
    const real = connection.mode === "live" ? "" : " It is a test key: no real money is taken."
    Print.line(`Payments are taken with ${connection.name} (${connection.accountId}).${real}`)
    if (connection.sealedNoticeSecret === null) {
      Print.note(
        "No notices are sent: what happens is found by looking, within ten minutes. An https address in --public-url " +
          "changes that."
      )
    } else if (noticeSecret !== undefined) Print.note(`Notices are taken at /pay/stripe/${connection.id}.`)
    Print.note("Bookings are paid online for outfitters with the plan pro.")
  }
}
