/**
 * A delivery run. Outfitters write, receivers of all kinds get the events that they subscribe to, and the delivering
 * processes are killed or suspended. At the end, the received requests are compared with the database.
 */
import { verifyWebhook } from "@trailbook/receiver"
import { setTimeout as sleep } from "node:timers/promises"
import { type Line, line } from "../reliability/ask.ts"
import { type Dice, dice } from "../reliability/dice.ts"
import type { Target } from "../reliability/Target.ts"
import { type Account, accounts, endLeases, logs } from "./accounts.ts"
import {
  checkDeliveries,
  isTaken,
  joinVerdicts,
  nothingWrong,
  type Strike,
  type Verdict,
  wants
} from "./checkDeliveries.ts"
import { type Part, type Receivers, receiversOf } from "./receivers.ts"
import { startReceivers } from "./ReceiverServer.ts"
import { assemble, type Workers } from "./Workers.ts"

export interface DeliveryRun {
  readonly target: Target
  /** The number of workers in addition to the server. Without workers, the server itself delivers. */
  readonly workers: number
  readonly seed: string
  /** The average interval between an outfitter's writes. */
  readonly everyMillis: number
  /** The time before the first strike, during which delays are measured. */
  readonly quietSeconds: number
  /** Runs the strikes after the quiet time. */
  readonly strikes: (workers: Workers, dice: Dice, endLeases: () => Promise<void>) => AsyncIterable<Strike>
  readonly onStrike?: (description: string) => void
}

export interface Outcome {
  readonly verdict: Verdict
  readonly endpoints: number
  readonly events: number
  /** Events that receivers accepted, each counted once. */
  readonly taken: number
  /** Requests that got a different status or no response. */
  readonly failed: number
  readonly duplicates: number
  readonly strikes: number
  /** The times from an event to its arrival at healthy receivers, before any strike and while other receivers hang. */
  readonly delayMillis: ReadonlyArray<number>
  /** The time from the last strike until every receiver has all of its events. */
  readonly caughtUpMillis: number
}

/** Longer than a lease, so that a worker that is waiting for a lease resumes within this time. */
const movesWithinMillis = 45_000

/** Events within this time before the first strike are not measured, because the strike may delay them. */
const promptWithinMillis = 2000

/** An endpoint with its secret, which is returned only on creation. */
interface Endpoint extends Part {
  readonly secret: string
}

interface Outfitter {
  readonly orgId: string
  readonly ask: Line["ask"]
  readonly endpoints: ReadonlyArray<Endpoint>
  /** The newest event once all of the outfitter's endpoints were created. */
  readonly after: number
}

export const deliveryRun = async (plan: DeliveryRun): Promise<Outcome> => {
  const { onStrike, quietSeconds, seed, strikes, target, workers } = plan
  const chance = dice(seed)
  const server = await startReceivers(chance)
  const processes = await assemble(target, workers)
  try {
    let isDown = true
    let isOver = false
    const receivers = receiversOf(server, () => isDown)
    const outfitters = await open(target, processes, receivers, chance)
    const writers = Promise.all(
      outfitters.map((outfitter, at) => write(outfitter, chance.for(`writer ${at}`), plan.everyMillis, () => isOver))
    )
    await sleep(quietSeconds * 1000)
    const quietUntil = Date.now()
    isDown = false
    const appliedStrikes: Array<Strike> = []
    for await (const strike of strikes(processes, chance, () => endLeases(target))) {
      appliedStrikes.push(strike)
      onStrike?.(`after ${strike.to - strike.from} ms of it`)
    }
    isOver = true
    await writers
    const caughtUp = await waitForDeliveries(target, outfitters)
    await processes.stop()
    return await computeOutcome({ target, outfitters, struck: appliedStrikes, quietUntil, caughtUp })
  } finally {
    await processes.stop()
    await server.close()
  }
}

const postOrFail = async ({ ask }: Pick<Outfitter, "ask">, path: string, body: object) => {
  const answer = await ask({ method: "POST", path, body })
  if (answer.status !== 201 && answer.status !== 200) {
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return answer.body
}

const open = async (
  target: Target,
  workers: Workers,
  receivers: ReadonlyArray<Receivers>,
  chance: Dice
): Promise<ReadonlyArray<Outfitter>> => {
  const orgAccounts = await accounts(target, receivers.length)
  const outfitters = await Promise.all(orgAccounts.map(async (account, at) => {
    const { ask } = line(workers.urls, account.key, chance.for(`line ${at}`))
    return { ...account, ask, endpoints: await subscribe({ ask }, receivers[at] ?? []) }
  }))
  const eventLogs = await logs(target, listOrgs(outfitters))
  return outfitters.map((outfitter, at) => ({ ...outfitter, after: eventLogs[at]?.length ?? 0 }))
}

const subscribe = async (ask: Pick<Outfitter, "ask">, receivers: Receivers): Promise<ReadonlyArray<Endpoint>> => {
  const endpoints: Array<Endpoint> = []
  for (const part of receivers) {
    const { secret } = await postOrFail(ask, "/webhooks", { url: part.receiver.url, events: part.events })
    endpoints.push({ ...part, secret })
  }
  return endpoints
}

const listOrgs = (accounts: ReadonlyArray<Pick<Account, "orgId">>): ReadonlyArray<string> =>
  accounts.map(({ orgId }) => orgId)

/** The writes are not recorded, because the log contains them. */
const write = async (
  outfitter: Outfitter,
  chance: Dice,
  everyMillis: number,
  isOver: () => boolean
): Promise<void> => {
  const offering = await postOrFail(outfitter, "/offerings", { name: "Browns Canyon", kind: "class", capacity: 10_000 })
  const { data: [session] } = await postOrFail(outfitter, "/sessions", {
    offering_id: offering.id,
    starts_at: new Date(Date.now() + 3 * 86_400_000).toISOString()
  })
  while (!isOver()) {
    const customer = { email: `${chance.uuid()}@example.com`, name: "Guest" }
    if (chance.percent(15)) await postOrFail(outfitter, "/customers", customer)
    else {
      const hold = chance.percent(50) ? { hold_minutes: 30 } : {}
      await postOrFail(outfitter, "/bookings", { offering_id: offering.id, session_id: session.id, customer, ...hold })
    }
    await sleep(chance.between(everyMillis / 2, everyMillis * 1.5))
  }
}

/**
 * Waits until every receiver has all current events, or until the remaining receivers stop making progress. Keeps
 * appending events, because a stopped endpoint is retried with its next event.
 */
const waitForDeliveries = async (target: Target, outfitters: ReadonlyArray<Outfitter>): Promise<CaughtUp> => {
  const from = Date.now()
  const eventLogs = await logs(target, listOrgs(outfitters))
  const lagging = outfitters.flatMap((outfitter, at) =>
    outfitter.endpoints.filter(({ takes }) => takes).map((endpoint) => {
      const last = eventLogs[at]?.findLast((event) =>
        event.id > outfitter.after && wants(endpoint.events, event)
      )?.id ?? 0
      const listTakenIds = () => new Set(endpoint.receiver.arrivals.filter(isTaken).map(({ eventId }) => eventId))
      const countProgress = () => [...listTakenIds()].filter((id) => id <= last).length
      return { outfitter, progress: countProgress, isBehind: () => last > 0 && !listTakenIds().has(last) }
    })
  )
  for (let lastProgress = 0, movedAt = from;;) {
    const behind = lagging.filter(({ isBehind }) => isBehind())
    const progress = behind.reduce((sum, { progress }) => sum + progress(), 0)
    if (progress !== lastProgress) movedAt = Date.now()
    lastProgress = progress
    if (behind.length === 0 || Date.now() - movedAt > movesWithinMillis) {
      return { millis: Date.now() - from, upTo: eventLogs.map((log) => log.at(-1)?.id ?? 0) }
    }
    for (const outfitter of new Set(behind.map(({ outfitter }) => outfitter))) {
      await postOrFail(outfitter, "/customers", { email: `guest${Date.now()}@example.com`, name: "Guest" })
    }
    await sleep(100)
  }
}

interface CaughtUp {
  readonly millis: number
  /** Each outfitter's newest event at the start. */
  readonly upTo: ReadonlyArray<number>
}

const computeOutcome = async ({ caughtUp, outfitters, quietUntil, struck: appliedStrikes, target }: {
  readonly target: Target
  readonly outfitters: ReadonlyArray<Outfitter>
  readonly struck: ReadonlyArray<Strike>
  readonly quietUntil: number
  readonly caughtUp: CaughtUp
}): Promise<Outcome> => {
  const eventLogs = await logs(target, listOrgs(outfitters))
  const results = outfitters.flatMap(({ after, endpoints }, at) => {
    const log = eventLogs[at] ?? []
    return endpoints.map(({ events, receiver, takes }) =>
      checkDeliveries({ ...receiver, events, after, upTo: takes ? caughtUp.upTo[at] ?? 0 : 0 }, log, appliedStrikes)
    )
  })
  const endpoints = outfitters.flatMap(({ endpoints }) => endpoints)
  const forged = (await Promise.all(endpoints.map(checkForgeries))).flat()
  return {
    verdict: joinVerdicts([...results.map(({ verdict }) => verdict), { ...nothingWrong, altered: forged }]),
    endpoints: endpoints.length,
    events: eventLogs.reduce((sum, { length }) => sum + length, 0),
    taken: results.reduce((sum, { taken }) => sum + taken, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    duplicates: results.reduce((sum, { duplicates }) => sum + duplicates, 0),
    strikes: appliedStrikes.length,
    delayMillis: endpoints.filter(({ isPrompt }) => isPrompt).flatMap(({ receiver: { arrivals } }) =>
      arrivals.map(({ at, body }) => ({ at, writtenAt: Date.parse(JSON.parse(body).created_at) }))
        .filter(({ writtenAt }) => writtenAt < quietUntil - promptWithinMillis)
        .map(({ at, writtenAt }) => at - writtenAt)
    ),
    caughtUpMillis: caughtUp.millis
  }
}

/** Verifies the signatures the way a receiver must, with the receiver package. */
const checkForgeries = async ({ receiver: { arrivals, name }, secret }: Endpoint): Promise<ReadonlyArray<string>> => {
  const findings: Array<string> = []
  for (const { at, body, eventId, header } of arrivals) {
    await verifyWebhook(body, header, secret, at).catch((error: unknown) =>
      findings.push(`event ${eventId} for ${name} is not signed well: ${String(error)}`)
    )
  }
  return findings
}
