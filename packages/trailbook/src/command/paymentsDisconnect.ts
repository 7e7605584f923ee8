import { connectionView } from "@trailbook/core/payment/ConnectionView"
import * as Effect from "effect/Effect"
import { withAuditedAccount } from "../runtime/auditedAccountChange.ts"
import type { Run } from "./Command.ts"
import { Failure } from "./CommandError.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"payments disconnect"> = async ({ json, ...settings }) => {
  const connection = await withAuditedAccount(
    "payments disconnect",
    settings,
    "payments.disconnected",
    ({ disconnect }, { id, name }, beside) =>
      Effect.mapError(disconnect(id, beside), () => new Failure(`${name} takes no payments online.`))
  )
  if (json) Print.json(connectionView(connection))
  else {
    Print.line(`No more payments are taken with ${connection.name} (${connection.accountId}).`)
    Print.note("Its key is kept for what has to go back; leave it valid at Stripe until nothing does.")
  }
}
