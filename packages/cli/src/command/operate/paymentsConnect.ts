import { connectionView } from "@trailbook/core/payment"
import { Failure } from "@trailbook/runtime/Failure"
import * as Effect from "effect/Effect"
import { withAuditedAccount } from "../../database/auditedAccountChange.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"payments connect"> = async (
  { json, noticeSecret, noticesUrl, paymentAccount, paymentKey, ...settings }
) => {
  // Stripe sends webhooks only to public https URLs.
  const isOpen = noticesUrl?.startsWith("https://") ?? false
  const connection = await withAuditedAccount(
    "payments connect",
    settings,
    "payments.connected",
    ({ connect }, { id: orgId }, recordChange) =>
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
          recordChange
        }),
        ({ message }) => new Failure(message)
      )
  )
  if (json) Print.json(connectionView(connection))
  else {
    const real = connection.mode === "live" ? "" : " This is a test key: no real money moves."
    Print.line(`Connected to ${connection.name} (${connection.accountId}).${real}`)
    if (connection.sealedNoticeSecret === null) {
      Print.note(
        "No webhook endpoint was created, so Trailbook detects payments only through reconciliation, within 10 minutes. " +
          "To receive webhooks, set --public-url to an https URL."
      )
    } else if (noticeSecret !== undefined) {
      Print.note(`The webhook endpoint for Stripe is /pay/stripe/${connection.id}.`)
    }
    Print.note("Online payment requires the pro plan.")
  }
}
