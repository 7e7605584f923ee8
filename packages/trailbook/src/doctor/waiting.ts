/**
 * What waits to leave: events to webhooks, mails and refunds.
 */
import type { Webhook } from "@trailbook/core/webhook/Webhook"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import { Database } from "@trailbook/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fault, type Finding, well } from "./Finding.ts"

/**
 * Which webhooks are stopped. That is for their owners to mend, so it is told
 * and no fault of this service.
 *
 * @category checks
 */
export const webhooks: Effect.Effect<Finding, never, WebhookStore> = Effect.map(
  Effect.flatMap(WebhookStore, (store) => store.page("", many)),
  (all) => {
    const stopped = all.filter(({ lastError }) => lastError !== null)
    if (stopped.length === 0) return well("webhooks", `${all.length}, none of them stopped`)
    const more = stopped.length > shown ? ` and ${stopped.length - shown} more` : ""
    return well(
      "webhooks",
      `${stopped.length} of ${all.length} stopped: ${stopped.slice(0, shown).map(named).join(", ")}${more}`
    )
  }
)

const named = ({ id, lastError, lastStatus }: Webhook): string =>
  `${id} (${lastError === "status" ? lastStatus : lastError})`

const many = 100_000
const shown = 5

interface Waiting {
  readonly n: number
  readonly failed: number
  /** The longest due, in epoch milliseconds. */
  readonly oldest: number | null
  readonly last_error: string | null
}

/**
 * How long mails and refunds wait. One that failed waits for its next attempt
 * and is told; one that nobody tries means that no worker runs.
 *
 * @category checks
 */
export const tasks: Effect.Effect<Finding, never, Database> = Effect.gen(function*() {
  const { dialect, query } = yield* Database
  const [waiting] = yield* query<Waiting>(
    `select cast(count(*) as integer) as n, min(due_at) as oldest, max(last_error) as last_error,
      cast(coalesce(sum(case when attempts > 0 then 1 else 0 end), 0) as integer) as failed
    from ${dialect.table("tasks")} where given_up_at is null`
  )
  if (waiting === undefined || waiting.oldest === null) return well("mails", "none waits, and no refund either")
  const minutes = Math.floor(((yield* Clock.currentTimeMillis) - waiting.oldest) / 60_000)
  const failed = waiting.failed === 0 ? "" : `; ${waiting.failed} failed and are tried again: ${waiting.last_error}`
  return minutes < toleratedMinutes
    ? well("mails", `${waiting.n} wait to leave${failed}`)
    : fault(
      "mails",
      `${waiting.n} mails and refunds wait, the longest for ${minutes} minutes${failed}`,
      "Nobody sends them: start trailbook worker, or a server with --worker on."
    )
})

const toleratedMinutes = 5
