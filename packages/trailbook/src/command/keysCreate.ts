import { KeyChanges } from "@trailbook/core/staff/KeyChanges"
import { keyView } from "@trailbook/core/staff/KeyView"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import { accounts, orgOf } from "../runtime/accounts.ts"
import { inDatabase } from "../runtime/inDatabase.ts"
import type { Run } from "./Command.ts"
import { Failure } from "./CommandError.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"keys create"> = async ({ database, expires, json, keyName: name, org, scopes, test }) => {
  const { key, token } = await inDatabase(database, accounts, function*() {
    const { id: orgId } = yield* orgOf(org)
    if (expires !== undefined && expires <= (yield* moment)) {
      return yield* Effect.fail(new Failure("--expires lies in the past: the key would open nothing."))
    }
    return yield* Effect.mapError(
      (yield* KeyChanges).create({
        orgId,
        name,
        scopes,
        mode: test ? "test" : "live",
        ...(expires === undefined ? {} : { expiresAt: expires }),
        by: { _tag: "Operator" }
      }),
      ({ message }) => new Failure(message)
    )
  })
  if (json) Print.json({ ...keyView(key), api_key: token })
  else {
    Print.line(`API key: ${token}`)
    Print.note(`Keep it now, it cannot be shown again. It may ${key.scopes.join(", ")}; its id is ${key.id}.`)
  }
}
