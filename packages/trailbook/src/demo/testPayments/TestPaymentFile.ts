import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs"
import { Failure } from "../../command/CommandError.ts"
import { evolve, type TestCheckoutSession, type TestPaymentEvent } from "./TestPaymentEvent.ts"

/**
 * What the till remembers, in a file with a line for each event. A line is there before what it says counts, so it
 * is known after any end of the process.
 */
export interface TestPaymentFile {
  readonly find: (session: string) => TestCheckoutSession | undefined
  /** Where this money was taken. */
  readonly withIntent: (intent: string) => TestCheckoutSession | undefined
  readonly all: () => ReadonlyArray<TestCheckoutSession>
  /** Since a moment, the oldest first. */
  readonly since: (at: number) => ReadonlyArray<TestPaymentEvent>
  readonly add: (event: TestPaymentEvent) => void
}

/** As the file is called in the demo's folder. */
export const testPaymentFileName = "till.jsonl"

/**
 * Opens the file, which may not be there yet. What a broken off write left at its end is taken away.
 *
 * @throws Failure when there is something else in its place
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
  for (const line of whole.split("\n")) if (line !== "") learn(parsed(path, line))

  return {
    find: (session) => sessions.get(session),
    withIntent: (intent) => sessions.get(byIntent.get(intent) ?? ""),
    all: () => [...sessions.values()],
    since: (at) => events.filter((event) => event.at >= at),
    add: (event) => {
      // Its booking's handle opens the guest's page: the file is for its owner's eyes.
      appendFileSync(path, `${JSON.stringify(event)}\n`, { mode: 0o600, flush: true })
      learn(event)
    }
  }
}

const parsed = (path: string, line: string): TestPaymentEvent => {
  try {
    const event: unknown = JSON.parse(line)
    if (typeof event === "object" && event !== null && "type" in event && "session" in event) {
      return event as TestPaymentEvent
    }
  } catch {
    // Said below.
  }
  throw new Failure(`${path} is not what this version of the demo wrote.`, "Start over with --fresh.")
}
