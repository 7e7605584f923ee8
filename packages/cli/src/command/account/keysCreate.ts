import { ApiKeyManagement, keyView } from "@trailbook/core/staff"
import { currentTime } from "@trailbook/core/time/currentTime"
import { accounts } from "@trailbook/runtime/accounts"
import { Failure } from "@trailbook/runtime/Failure"
import * as Effect from "effect/Effect"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"keys create"> = async ({ database, expires, json, keyName: name, org, scopes, test }) => {
  const { key, token } = await withDatabase(database, accounts, function*() {
    const { id: orgId } = yield* orgIdFromDetails(org)
    if (expires !== undefined && expires <= (yield* currentTime)) {
      return yield* Effect.fail(new Failure("--expires is in the past."))
    }
    return yield* Effect.mapError(
      (yield* ApiKeyManagement).create({
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
    Print.note(`Store the key now. It cannot be shown again. Scopes: ${key.scopes.join(", ")}. ID: ${key.id}.`)
  }
}
