import type { Org } from "@trailbook/core/org/Org"
import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import { PaymentConnections } from "@trailbook/core/payment/PaymentConnections"
import type { AuditAction } from "@trailbook/core/staff/AuditEntry"
import { AuditLog } from "@trailbook/core/staff/AuditLog"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../command/CommandError.ts"
import { type KeySettings, keysRequired, loadKeys } from "../secrets/loadKeys.ts"
import { connectedAccounts } from "../server/connectedAccounts.ts"
import type { CommandName } from "../setting/Setting.ts"
import { orgIdFromDetails } from "./accounts.ts"
import { storage } from "./adapter.ts"
import * as NodeIds from "./NodeIds.ts"
import { requireFile } from "./requireFile.ts"
import { runProgram } from "./runProgram.ts"

/** Changes an org's payment account and records the change in the org's audit log, with the operator as the actor. */
export const withAuditedAccount = (
  command: CommandName & `payments ${string}`,
  { org: slugOrId, ...given }: KeySettings & { readonly org: string | undefined },
  what: AuditAction,
  change: (
    accounts: PaymentConnections["Type"],
    org: Org,
    beside: (connection: PaymentConnection) => Effect.Effect<void>
  ) => Effect.Effect<PaymentConnection, Failure>
): Promise<PaymentConnection> => {
  const settings = { ...given, database: requireFile(given.database) }
  keysRequired(command, settings)
  return runProgram(
    Effect.gen(function*() {
      const org = yield* orgIdFromDetails(slugOrId)
      const { note } = yield* AuditLog
      const beside = ({ accountId, id, orgId }: PaymentConnection) =>
        note({ orgId, by: { _tag: "Operator" }, what, subject: id, name: accountId })
      const accounts = connectedAccounts(KeyRing.layer(yield* loadKeys(settings)))
      return yield* Effect.flatMap(PaymentConnections, (connections) => change(connections, org, beside)).pipe(
        Effect.provide(accounts)
      )
    }).pipe(
      Effect.provide(Layer.provide(AuditLog.layer, NodeIds.layer)),
      Effect.provide(Layer.orDie(storage(settings.database)))
    )
  )
}
