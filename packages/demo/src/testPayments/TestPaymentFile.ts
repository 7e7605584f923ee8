import { OperatorError } from "@trailbook/runtime/OperatorError"
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs"
import { evolve, type TestCheckoutSession, type TestPaymentEvent } from "./TestPaymentEvent.ts"

/**
 * The test payment provider's event log. Each line is one event. A line is flushed to disk before the event takes
 * effect, so a crash loses nothing.
 */
export interface TestPaymentFile {
  readonly find: (session: string) => TestCheckoutSession | undefined
  /** Finds the checkout that belongs to a payment intent. */
  readonly withIntent: (intent: string) => TestCheckoutSession | undefined
  readonly all: () => ReadonlyArray<TestCheckoutSession>
  /** Returns the events at or after the given instant, oldest first. */
  readonly since: (at: number) => ReadonlyArray<TestPaymentEvent>
  readonly add: (event: TestPaymentEvent) => void
}

/** The file name in the demo's directory. */
export const testPaymentFileName = "till.jsonl"

/**
 * Opens the file, which need not exist yet. If a write was interrupted, the incomplete last line is removed.
 *
 * @throws Failure if the file is invalid
 */
export const openTestPaymentFile = (path: string): TestPaymentFile => {
  const events: Array<TestPaymentEvent> = []
  const sessions = new Map<string, TestCheckoutSession>()
  const byIntent = new Map<string, string>()
  const learn = (event: TestPaymentEvent): void => {
    events.push(event)
    const state = evolve(sessions.get(event.session), event)
    if (state !== undefined) sessions.set(event.session, state)
    if (event.type === "paid") byIntent.set(event.intent, event.session)
  }

  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole))
  for (const line of whole.split("\n")) if (line !== "") learn(parseLine(path, line))

  return {
    find: (session) => sessions.get(session),
    withIntent: (intent) => sessions.get(byIntent.get(intent) ?? ""),
    all: () => [...sessions.values()],
    since: (at) => events.filter((event) => event.at >= at),
    add: (event) => {
      // The file is readable only by its owner, because it contains the handles of guests' booking pages.
      appendFileSync(path, `${JSON.stringify(event)}\n`, { mode: 0o600, flush: true })
      learn(event)
    }
  }
}

const parseLine = (path: string, line: string): TestPaymentEvent => {
  try {
    const event: unknown = JSON.parse(line)
    if (typeof event === "object" && event !== null && "type" in event && "session" in event) {
      return event as TestPaymentEvent
    }
  } catch {
    // Fall through to the error below.
  }
  throw new OperatorError(`${path} is not compatible with this version of the demo.`, "Start over with --fresh.")
}
