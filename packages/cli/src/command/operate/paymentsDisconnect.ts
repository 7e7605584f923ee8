import { connectionView } from "@trailbook/core/payment"
import { Failure } from "@trailbook/runtime/Failure"
import * as Effect from "effect/Effect"
import { withAuditedAccount } from "../../database/auditedAccountChange.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"payments disconnect"> = async ({ json, ...settings }) => {
  const connection = await withAuditedAccount(
    "payments disconnect",
    settings,
    "payments.disconnected",
    ({ disconnect }, { id, name }, recordChange) =>
      Effect.mapError(disconnect(id, recordChange), () => new Failure(`${name} has no connected payment account.`))
  )
  if (json) Print.json(connectionView(connection))
  else {
    Print.line(`Disconnected ${connection.name} (${connection.accountId}).`)
    Print.note(
      "Trailbook keeps the account's key for pending refunds. Do not revoke it in Stripe while refunds are pending."
    )
  }
}
