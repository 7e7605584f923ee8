/**
 * Compares booking emails that guests can reply to with ones that they cannot. An email that guests can reply to
 * creates a conversation with its own address. The emails are built but not sent.
 */
import { TaskHandlers } from "@trailbook/core/handler"
import { Mailer } from "@trailbook/core/mail"
import { Tasks } from "@trailbook/core/task"
import { currentTime } from "@trailbook/core/time/currentTime"
import { buildMimeMessage } from "@trailbook/mail/mimeMessage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Line, median } from "../report.ts"
import type { Outfitter } from "./outfitter.ts"

export const replyDomain = "reply.example.com"

const rounds = 7
const ofRound = 200

const composed = Layer.succeed(
  Mailer,
  Mailer.of({
    send: (mail) =>
      Effect.gen(function*() {
        yield* buildMimeMessage(mail, {
          from: "bookings@example.com",
          date: yield* currentTime,
          messageDomain: replyDomain
        })
        return { reportRequested: false }
      })
  })
)

const makeTasks = (domain: string | undefined) =>
  TaskHandlers.layer({ publicUrl: "https://book.example.com", replyDomain: domain }).pipe(Layer.provide(composed))

/** Runs all due tasks, claiming as many at a time as a worker does, and returns the number of tasks. */
export const leave = (domain: string | undefined) =>
  Effect.provide(
    Effect.gen(function*() {
      const { attempt, claim } = yield* Tasks
      let count = 0
      for (const queue of ["mail", "bulk"] as const) {
        for (;;) {
          const claims = yield* claim(queue, 8)
          if (claims.length === 0) break
          yield* attempt(claims)
          count += claims.length
        }
      }
      return count
    }),
    makeTasks(domain)
  )

export const measureLeaving = (storage: string, outfitter: Outfitter) =>
  Effect.gen(function*() {
    yield* leave(undefined)
    const measureCost = (domain: string | undefined) =>
      Effect.gen(function*() {
        yield* outfitter.book(ofRound, 64)
        const before = { cpu: process.cpuUsage(), at: performance.now() }
        const count = yield* leave(domain)
        if (count !== ofRound) throw new Error(`${count} of ${ofRound} emails were sent.`)
        const { system, user } = process.cpuUsage(before.cpu)
        return { cpu: (system + user) / ofRound, micros: (performance.now() - before.at) * 1000 / ofRound }
      })
    yield* measureCost(replyDomain)
    const costs = []
    for (let round = 0; round < rounds; round++) {
      costs.push({ without: yield* measureCost(undefined), with: yield* measureCost(replyDomain) })
    }
    const ratio = median(costs.map((each) => each.with.micros / each.without.micros))
    const lines: ReadonlyArray<Line> = [
      {
        what: `${storage}: time per booking email without and with a reply domain`,
        figure: `${median(costs.map((each) => each.without.micros)).toFixed(0)} µs, ${
          median(costs.map((each) => each.with.micros)).toFixed(0)
        } µs`
      },
      {
        what: `${storage}: time per booking email with versus without a reply domain`,
        figure: `${ratio.toFixed(2)} times`
      }
    ]
    return lines
  })
