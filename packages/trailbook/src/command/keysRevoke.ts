import { KeyChanges } from "@trailbook/core/staff/KeyChanges"
import { keyView } from "@trailbook/core/staff/KeyView"
import { accounts, orgOf } from "../runtime/accounts.ts"
import { inDatabase } from "../runtime/inDatabase.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"keys revoke"> = async ({ database, json, keyId, org }) => {
  const key = await inDatabase(database, accounts, function*() {
    const { id: orgId } = yield* orgOf(org)
    return yield* (yield* KeyChanges).revoke({ orgId, id: keyId, by: { _tag: "Operator" } })
  })
  if (json) Print.json(keyView(key))
  else Print.line(`${key.name} (${key.id}) is revoked: it opens nothing any more.`)
}
