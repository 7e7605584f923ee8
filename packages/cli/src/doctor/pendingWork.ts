/** Checks the pending work: webhook deliveries, emails, and refunds. */
import { failuresOfADay } from "@trailbook/core/task"
import { type Webhook, WebhookStore } from "@trailbook/core/webhook"
import { Database } from "@trailbook/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Reports failing webhooks. The receivers' owners must fix their own endpoints. */
export const webhooks: Effect.Effect<Finding, never, WebhookStore> = Effect.map(
  Effect.flatMap(WebhookStore, (store) => store.page("", many)),
  (all) => {
    const stopped = all.filter(({ lastError }) => lastError !== null)
    if (stopped.length === 0) return makePassed("webhooks", `${all.length}, none failing`)
    const more = stopped.length > shown ? ` and ${stopped.length - shown} more` : ""
    return fault(
      "webhooks",
      `${stopped.length} of ${all.length} failing: ${stopped.slice(0, shown).map(webhookText).join(", ")}${more}`,
      "Check the receivers and this machine's firewall. Events are kept until a receiver accepts them."
    )
  }
)

const webhookText = ({ id, lastError, lastStatus }: Webhook): string =>
  `${id} (${lastError === "status" ? lastStatus : lastError})`

const many = 100_000
const shown = 5

interface WaitingWork {
  readonly n: number
  readonly failed: number
  readonly for_a_day: number
  readonly given_up: number
  /** The earliest due time, in epoch milliseconds. */
  readonly oldest: number | null
  readonly last_error: string | null
}

/**
 * Checks pending emails and refunds. Overdue tasks mean that no worker is running. A task needs attention if it has
 * been failing for a day or has failed permanently. Other failures are reported, but do not fail the check.
 */
export const tasks: Effect.Effect<Finding, never, Database> = Effect.gen(function*() {
  const { dialect, query } = yield* Database
  const count = (condition: string) => `cast(coalesce(sum(case when ${condition} then 1 else 0 end), 0) as integer)`
  const waits = "given_up_at is null"
  const [waiting] = yield* query<WaitingWork>(
    `select ${count(waits)} as n, min(case when ${waits} then due_at end) as oldest,
      max(case when ${waits} then last_error end) as last_error, ${count(`${waits} and attempts > 0`)} as failed,
      ${count(`${waits} and attempts >= ${failuresOfADay}`)} as for_a_day, ${count(`not ${waits}`)} as given_up
    from ${dialect.table("tasks")}`
  )
  const givenUp = waiting === undefined || waiting.given_up === 0
    ? ""
    : `; ${waiting.given_up} failed permanently`
  if (waiting === undefined || waiting.oldest === null) {
    const found = `no pending emails or refunds${givenUp}`
    return givenUp === "" ? makePassed("mails", found) : fault("mails", found, fix)
  }
  const minutes = Math.floor(((yield* Clock.currentTimeMillis) - waiting.oldest) / 60_000)
  const failed = waiting.failed === 0 ? "" : `; ${waiting.failed} failed and will be retried: ${waiting.last_error}`
  if (minutes >= toleratedMinutes) {
    return fault(
      "mails",
      `${waiting.n} pending emails and refunds, overdue by up to ${minutes} minutes${failed}${givenUp}`,
      "Start trailbook worker, or a server with --worker on."
    )
  }
  const found = `${waiting.n} pending emails and refunds${failed}${givenUp}`
  if (waiting.for_a_day > 0) {
    const have = waiting.for_a_day === 1 ? "has" : "have"
    return fault("mails", `${found}; ${waiting.for_a_day} ${have} been failing for at least a day`, fix)
  }
  return givenUp === "" ? makePassed("mails", found) : fault("mails", found, fix)
})

const fix = "Run trailbook tasks list, fix the errors, and run trailbook tasks retry --all."

const toleratedMinutes = 5
