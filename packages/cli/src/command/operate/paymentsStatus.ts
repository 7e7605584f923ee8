import { connectionView, type PaymentConnection, PaymentConnectionStore } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import { accounts } from "@trailbook/runtime/accounts"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"
import { table } from "../table.ts"

export const run: Run<"payments status"> = async ({ database, json, org }) => {
  const connections = await withDatabase(database, accounts, function*() {
    const { id } = yield* orgIdFromDetails(org)
    return yield* (yield* PaymentConnectionStore).list(id)
  })
  if (json) Print.json({ data: connections.map(connectionView) })
  else if (connections.length === 0) {
    Print.note("No payment accounts. To connect an account, run trailbook payments connect.")
  } else {
    for (const line of table(heads, connections.map(cells))) Print.line(line)
    Print.note("To list failed refunds, run trailbook tasks list.")
  }
}

const heads = ["ACCOUNT", "NAME", "MODE", "WEBHOOKS", "RECONCILED TO", "STATE"]

const cells = (connection: PaymentConnection): ReadonlyArray<string> => [
  `${connection.provider} ${connection.accountId}`,
  connection.name,
  connection.mode,
  connection.sealedNoticeSecret === null ? "no" : "yes",
  minute(connection.seenTo),
  connection.disconnectedAt === null ? "active" : `disconnected ${minute(connection.disconnectedAt)}`
]

const minute = (moment: Instant.Instant): string => `${Instant.format(moment).slice(0, 16)}Z`
