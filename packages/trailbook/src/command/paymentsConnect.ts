import { connectionView } from "@trailbook/core/payment/ConnectionView"
import { PaymentConnections } from "@trailbook/core/payment/PaymentConnections"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orgOf } from "../runtime/accounts.ts"
import { storage } from "../runtime/adapter.ts"
import { existing } from "../runtime/existing.ts"
import { operatorNotes } from "../runtime/operatorNotes.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { keysOf } from "../secrets/keysOf.ts"
import { keysRequired } from "../secrets/keysRequired.ts"
import { connectedAccounts } from "../server/connectedAccounts.ts"
import type { Run } from "./Command.ts"
import { Failure } from "./CommandError.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"payments connect"> = async (
  { json, noticeSecret, noticesUrl, org, paymentAccount, paymentKey, secretsKeys, ...given }
) => {
  const settings = { database: existing(given.database), secretsKeys }
  keysRequired("payments connect", settings)
  // Providers send nothing to an address that is not open to the world.
  const isOpen = noticesUrl?.startsWith("https://") ?? false
  const connection = await runProgram(
    Effect.gen(function*() {
      const { id: orgId } = yield* orgOf(org)
      const noted = yield* operatorNotes
      const accounts = connectedAccounts(KeyRing.layer(yield* keysOf(settings)))
      return yield* Effect.flatMap(PaymentConnections, ({ connect }) =>
        connect({
          orgId,
          key: paymentKey,
          account: paymentAccount ?? null,
          notices: noticeSecret !== undefined
            ? { secret: noticeSecret }
            : isOpen
            ? { to: (id) => `${noticesUrl}/pay/stripe/${id}` }
            : null,
          beside: noted("payments.connected")
        })).pipe(Effect.mapError(({ message }) => new Failure(message)), Effect.provide(accounts))
    }).pipe(Effect.provide(Layer.orDie(storage(settings.database))))
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
  return 0
}
