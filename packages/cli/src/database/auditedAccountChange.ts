import type { Org } from "@trailbook/core/org/Org"
import { type PaymentConnection, PaymentConnections } from "@trailbook/core/payment"
import { type AuditAction, AuditLog } from "@trailbook/core/staff"
import { storage } from "@trailbook/runtime/adapter"
import type { Failure } from "@trailbook/runtime/Failure"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { connectedAccounts } from "@trailbook/server/connectedAccounts"
import { runProgram } from "@trailbook/server/runProgram"
import { type KeySettings, keysRequired, loadKeys } from "@trailbook/server/secrets/loadKeys"
import type { CommandName } from "@trailbook/server/setting/Setting"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orgIdFromDetails } from "./orgIdFromDetails.ts"
import { requireFile } from "./requireFile.ts"

/** Changes an org's payment account and records the change in the org's audit log, with the operator as the actor. */
export const withAuditedAccount = (
  command: CommandName & `payments ${string}`,
  { org: slugOrId, ...rest }: KeySettings & { readonly org: string | undefined },
  what: AuditAction,
  change: (
    accounts: PaymentConnections["Type"],
    org: Org,
    recordChange: (connection: PaymentConnection) => Effect.Effect<void>
  ) => Effect.Effect<PaymentConnection, Failure>
): Promise<PaymentConnection> => {
  const settings = { ...rest, database: requireFile(rest.database) }
  keysRequired(command, settings)
  return runProgram(
    Effect.gen(function*() {
      const org = yield* orgIdFromDetails(slugOrId)
      const { note } = yield* AuditLog
      const recordChange = ({ accountId, id, orgId }: PaymentConnection) =>
        note({ orgId, by: { _tag: "Operator" }, what, subject: id, name: accountId })
      const accounts = connectedAccounts(KeyRing.layer(yield* loadKeys(settings)))
      return yield* Effect.flatMap(PaymentConnections, (connections) => change(connections, org, recordChange)).pipe(
        Effect.provide(accounts)
      )
    }).pipe(
      Effect.provide(Layer.provide(AuditLog.layer, NodeIds.layer)),
      Effect.provide(Layer.orDie(storage(settings.database)))
    )
  )
}
