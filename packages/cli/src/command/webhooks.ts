import { Events, eventView } from "@trailbook/core/event"
import type { Org } from "@trailbook/core/org/Org"
import { EventLog } from "@trailbook/core/port"
import {
  classifyResponse,
  Deliveries,
  type Webhook,
  WebhookStore,
  type WebhookView,
  webhookView
} from "@trailbook/core/webhook"
import { storageLayer } from "@trailbook/runtime/loadAdapter"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { decryptWebhookSecret } from "@trailbook/runtime/service/verifySecrets"
import { webhooksLayer } from "@trailbook/runtime/service/webhooksLayer"
import { runProgram } from "@trailbook/server/runProgram"
import { runToCompletion } from "@trailbook/server/runUntilSignal"
import { loadEncryptionKeys, requireEncryptionKeys } from "@trailbook/server/secrets/loadEncryptionKeys"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import process from "node:process"
import { findOrgOrDefault } from "../database/findOrgOrDefault.ts"
import { requireDatabaseFile, withDatabase } from "../database/withDatabase.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const list: CommandRunner<"webhooks list"> = async ({ database, json, org }) => {
  const webhooks = await withDatabase(database, storageLayer, function*() {
    const { id } = yield* findOrgOrDefault(org)
    return (yield* (yield* WebhookStore).list(id)).map(webhookView)
  })
  if (json) Print.json({ data: webhooks })
  else if (webhooks.length === 0) Print.note("No webhooks.")
  else {
    Print.table(webhooks, {
      ID: ({ id }) => id,
      URL: ({ url }) => url,
      EVENTS: ({ events }) => events.join(","),
      "LAST ATTEMPT": ({ last_attempt_at }) => last_attempt_at ?? "never",
      STATE: formatState
    })
  }
}

const formatState = ({ last_error, last_status }: WebhookView): string => {
  if (last_status === null) return "no deliveries"
  return last_error === null
    ? `ok (${last_status})`
    : `failing (${last_error === "status" ? last_status : last_error})`
}

export const tail: CommandRunner<"webhooks tail"> = async ({ after: startAfter, database, eventType: type, org }) => {
  const tail = Effect.gen(function*() {
    const { id: orgId } = yield* findOrgOrDefault(org)
    const events = yield* Events
    let after = startAfter ?? (yield* (yield* EventLog).latest(orgId, 1))[0]?.id ?? 0
    for (;;) {
      const page = yield* events.list({ orgId, after, type, limit })
      for (const event of page.events) Print.json(eventView(event))
      after = page.nextAfter
      if (page.events.length < limit) yield* Effect.sleep("500 millis")
    }
  })
  await runToCompletion(() =>
    Effect.raceFirst(tail, unread).pipe(
      Effect.provide(Layer.provideMerge(Events.layer, storageLayer(requireDatabaseFile(database))))
    )
  )
}

const limit = 500

/** Completes when the reader closes stdout, as in `trailbook webhooks tail | head -1`. */
const unread = Effect.async<void>((resume) => {
  process.stdout.once("close", () => resume(Effect.void))
})

export const test: CommandRunner<"webhooks test"> = async (
  { json, org: slugOrId, secretsKeys, webhookAllow, webhookId, ...rest }
) => {
  const settings = { database: requireDatabaseFile(rest.database), secretsKeys }
  requireEncryptionKeys("webhooks test", settings)
  const { ms, outcome, url } = await runProgram(
    Effect.gen(function*() {
      const webhook = yield* findEndpoint(yield* findOrgOrDefault(slugOrId), webhookId)
      const outside = webhooksLayer(yield* loadEncryptionKeys(settings), webhookAllow ?? [])
      return yield* Effect.gen(function*() {
        // Fail with a readable error if the secret cannot be decrypted. Without this check, the delivery itself would
        // die with a defect.
        yield* decryptWebhookSecret(webhook)
        const [time, answer] = yield* Effect.timed((yield* Deliveries).test(webhook))
        return { ms: Math.round(Duration.toMillis(time)), outcome: classifyResponse(answer), url: webhook.url }
      }).pipe(Effect.provide(Layer.provideMerge(Deliveries.layer, outside)))
    }).pipe(Effect.provide(storageLayer(settings.database)))
  )
  const isTaken = outcome._tag === "Taken"
  const error = isTaken ? null : outcome.fault
  if (json) Print.json({ ok: isTaken, status: outcome.status, error, ms })
  else {
    const result = error === null || error === "status" ? `responded with ${outcome.status}` : `failed with ${error}`
    Print.line(`${url} ${result} after ${ms} ms.`)
  }
  return isTaken ? 0 : 1
}

export const replay: CommandRunner<"webhooks replay"> = async ({ database, from, json, org: slugOrId, webhookId }) => {
  const { newest, webhook } = await withDatabase(database, storageLayer, function*() {
    const org = yield* findOrgOrDefault(slugOrId)
    const webhook = yield* findEndpoint(org, webhookId)
    const [latest] = yield* (yield* EventLog).latest(org.id, 1)
    const newest = latest?.id ?? 0
    // A cursor past the newest event would skip future events.
    if (from > newest) {
      return yield* Effect.fail(new OperatorError(`--from must be at most ${newest}, the ID of the newest event.`))
    }
    yield* (yield* WebhookStore).rewind(webhook, from - 1)
    return { newest, webhook }
  })
  if (json) Print.json({ id: webhook.id, from, newest })
  else Print.line(`Deliveries to ${webhook.url} restart at event ${from}. The newest event is ${newest}.`)
}

/** Finds an org's webhook by ID. */
const findEndpoint = (org: Org, id: string): Effect.Effect<Webhook, OperatorError, WebhookStore> =>
  Effect.gen(function*() {
    const webhook = yield* (yield* WebhookStore).find({ orgId: org.id, id: id.toLowerCase() })
    if (Option.isSome(webhook)) return webhook.value
    return yield* Effect.fail(
      new OperatorError(
        `${org.name} has no webhook ${JSON.stringify(id)}. List its webhooks with trailbook webhooks list.`
      )
    )
  })
