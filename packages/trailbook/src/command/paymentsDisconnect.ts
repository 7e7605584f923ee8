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
export const run: Run<"payments disconnect"> = async ({ json, org, secretsKeys, ...given }) => {
  const settings = { database: existing(given.database), secretsKeys }
  keysRequired("payments disconnect", settings)
  const connection = await runProgram(
    Effect.gen(function*() {
      const { id, name } = yield* orgOf(org)
      const noted = yield* operatorNotes
      const accounts = connectedAccounts(KeyRing.layer(yield* keysOf(settings)))
      return yield* Effect.flatMap(
        PaymentConnections,
        ({ disconnect }) => disconnect(id, noted("payments.disconnected"))
      ).pipe(
        Effect.mapError(() => new Failure(`${name} takes no payments online.`)),
        Effect.provide(accounts)
      )
    }).pipe(Effect.provide(Layer.orDie(storage(settings.database))))
  )
  if (json) Print.json(connectionView(connection))
  else {
    Print.line(`No more payments are taken with ${connection.name} (${connection.accountId}).`)
    Print.note("Its key is kept for what has to go back; leave it valid at Stripe until nothing does.")
  }
  return 0
}
