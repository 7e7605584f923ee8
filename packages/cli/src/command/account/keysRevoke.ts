import { ApiKeyManagement, keyView } from "@trailbook/core/staff"
import { accounts } from "@trailbook/runtime/accounts"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"keys revoke"> = async ({ database, json, keyId, org }) => {
  const key = await withDatabase(database, accounts, function*() {
    const { id: orgId } = yield* orgIdFromDetails(org)
    return yield* (yield* ApiKeyManagement).revoke({ orgId, id: keyId, by: { _tag: "Operator" } })
  })
  if (json) Print.json(keyView(key))
  else Print.line(`${key.name} (${key.id}) was revoked.`)
}
