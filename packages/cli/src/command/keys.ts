import { type ApiKey, ApiKeys } from "@trailbook/core/actor"
import { ApiKeyManagement, apiKeyView } from "@trailbook/core/staff"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
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
  else Print.table(heads, keys.map((key) => cells(key, now)))
}

const heads = ["ID", "NAME", "ENDS IN", "SCOPES", "CREATED", "LAST USED", "STATE"]

const cells = (key: ApiKey, now: Instant.Instant): ReadonlyArray<string> => [
  key.id,
  key.name,
  `${key.mode} …${key.last4}`,
  key.scopes.join(","),
  day(key.createdAt),
  key.lastUsedAt === null ? "never" : day(key.lastUsedAt),
  stateOf(key, now)
]

const stateOf = ({ expiresAt, revokedAt }: ApiKey, now: Instant.Instant): string => {
  if (revokedAt !== null) return `revoked ${day(revokedAt)}`
  if (expiresAt === null) return "active"
  return expiresAt <= now ? `expired ${day(expiresAt)}` : `expires ${day(expiresAt)}`
}

/** Returns the date in UTC. With `--json`, the command prints the full timestamp instead. */
const day = (instant: Instant.Instant): string => Instant.format(instant).slice(0, 10)

export const revoke: CommandRunner<"keys revoke"> = async ({ database, json, keyId, org }) => {
  const key = await withDatabase(database, accountsLayer, function*() {
    const { id: orgId } = yield* findOrgOrDefault(org)
    return yield* (yield* ApiKeyManagement).revoke({ orgId, id: keyId, by: { _tag: "Operator" } })
  })
  if (json) Print.json(apiKeyView(key))
  else Print.line(`${key.name} (${key.id}) was revoked.`)
}
