import { KeyChanges } from "@trailbook/core/staff/KeyChanges"
import { keyView } from "@trailbook/core/staff/KeyView"
import * as Effect from "effect/Effect"
import { accounts, orgOf } from "../runtime/accounts.ts"
import { existing } from "../runtime/existing.ts"
import { runProgram } from "../runtime/runProgram.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"keys revoke"> = async ({ database, json, keyId, org }) => {
  const key = await runProgram(
    Effect.gen(function*() {
      const { id: orgId } = yield* orgOf(org)
      return yield* (yield* KeyChanges).revoke({ orgId, id: keyId, by: { _tag: "Operator" } })
    }).pipe(Effect.provide(accounts(existing(database))))
  )
  if (json) Print.json(keyView(key))
  else Print.line(`${key.name} (${key.id}) is revoked: it opens nothing any more.`)
  return 0
}
