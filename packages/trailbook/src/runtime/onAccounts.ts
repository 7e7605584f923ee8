import type { Org } from "@trailbook/core/org/Org"
import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import { PaymentConnections } from "@trailbook/core/payment/PaymentConnections"
import type { Audited } from "@trailbook/core/staff/AuditEntry"
import { AuditList } from "@trailbook/core/staff/AuditList"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../command/CommandError.ts"
import { type KeySettings, keysOf, keysRequired } from "../secrets/keysOf.ts"
import { connectedAccounts } from "../server/connectedAccounts.ts"
import type { CommandName } from "../setting/Setting.ts"
import { orgOf } from "./accounts.ts"
import { storage } from "./adapter.ts"
import { existing } from "./existing.ts"
import * as NodeIds from "./NodeIds.ts"
import { runProgram } from "./runProgram.ts"

/**
 * Changes how an org takes money, with a line in its audit list that whoever runs the service did.
 *
 * @category running
 */
export const onAccounts = (
  command: CommandName & `payments ${string}`,
  { org: slugOrId, ...given }: KeySettings & { readonly org: string | undefined },
  what: Audited,
  change: (
    accounts: PaymentConnections["Type"],
    org: Org,
    beside: (connection: PaymentConnection) => Effect.Effect<void>
  ) => Effect.Effect<PaymentConnection, Failure>
): Promise<PaymentConnection> => {
  const settings = { ...given, database: existing(given.database) }
  keysRequired(command, settings)
  return runProgram(
    Effect.gen(function*() {
      const org = yield* orgOf(slugOrId)
      const { note } = yield* AuditList
      const beside = ({ accountId, id, orgId }: PaymentConnection) =>
        note({ orgId, by: { _tag: "Operator" }, what, subject: id, name: accountId })
      const accounts = connectedAccounts(KeyRing.layer(yield* keysOf(settings)))
      return yield* Effect.flatMap(PaymentConnections, (connections) => change(connections, org, beside)).pipe(
        Effect.provide(accounts)
      )
    }).pipe(
      Effect.provide(Layer.provide(AuditList.layer, NodeIds.layer)),
      Effect.provide(Layer.orDie(storage(settings.database)))
    )
  )
}
