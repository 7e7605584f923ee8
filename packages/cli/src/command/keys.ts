import { type ApiKey, ApiKeys } from "@trailbook/core/actor"
import { ApiKeyManagement, apiKeyView } from "@trailbook/core/staff"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Instant } from "@trailbook/core/time/Instant"
import { accountsLayer } from "@trailbook/runtime/accountsLayer"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import * as Effect from "effect/Effect"
import { findOrgOrDefault } from "../database/findOrgOrDefault.ts"
import { withDatabase } from "../database/withDatabase.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const create: CommandRunner<"keys create"> = async (
  { database, expires, json, keyName: name, org, scopes, test }
) => {
  const { key, token } = await withDatabase(database, accountsLayer, function*() {
    const { id: orgId } = yield* findOrgOrDefault(org)
    if (expires !== undefined && expires <= (yield* currentTime)) {
      return yield* Effect.fail(new OperatorError("--expires is in the past."))
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
      ({ message }) => new OperatorError(message)
    )
  })
  if (json) Print.json({ ...apiKeyView(key), api_key: token })
  else {
    Print.line(`API key: ${token}`)
    Print.note(`Store the key now. It cannot be shown again. Scopes: ${key.scopes.join(", ")}. ID: ${key.id}.`)
  }
}

export const list: CommandRunner<"keys list"> = async ({ database, json, org }) => {
  const { keys, now } = await withDatabase(database, accountsLayer, function*() {
    const { id } = yield* findOrgOrDefault(org)
    return { keys: yield* (yield* ApiKeys).list(id), now: yield* currentTime }
  })
  if (json) Print.json({ data: keys.map(apiKeyView) })
  else if (keys.length === 0) Print.note("No API keys.")
  else Print.table(keys, { ...columns, STATE: (key) => formatState(key, now) })
}

const columns = {
  ID: ({ id }: ApiKey) => id,
  NAME: ({ name }: ApiKey) => name,
  "ENDS IN": ({ last4, mode }: ApiKey) => `${mode} …${last4}`,
  SCOPES: ({ scopes }: ApiKey) => scopes.join(","),
  CREATED: ({ createdAt }: ApiKey) => Print.formatDay(createdAt),
  "LAST USED": ({ lastUsedAt }: ApiKey) => lastUsedAt === null ? "never" : Print.formatDay(lastUsedAt)
}

const formatState = ({ expiresAt, revokedAt }: ApiKey, now: Instant): string => {
  if (revokedAt !== null) return `revoked ${Print.formatDay(revokedAt)}`
  if (expiresAt === null) return "active"
  return `${expiresAt <= now ? "expired" : "expires"} ${Print.formatDay(expiresAt)}`
}

export const revoke: CommandRunner<"keys revoke"> = async ({ database, json, keyId, org }) => {
  const key = await withDatabase(database, accountsLayer, function*() {
    const { id: orgId } = yield* findOrgOrDefault(org)
    return yield* (yield* ApiKeyManagement).revoke({ orgId, id: keyId, by: { _tag: "Operator" } })
  })
  if (json) Print.json(apiKeyView(key))
  else Print.line(`${key.name} (${key.id}) was revoked.`)
}
