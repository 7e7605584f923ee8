/**
 * Measures the CPU time of the booking page and of the page for a guest's booking, including storage. The baseline is a
 * bare Hono route in the same process. Measurements alternate between the pages and the baseline.
 */
import { Hono } from "hono"
import { join } from "node:path"
import { createTrailbook } from "trailbook"
import { type Line, median } from "./report.ts"

const rounds = 7
const requests = 150
/** The maximum CPU time per page, in milliseconds. */
const most = 5

type Answer = (request: Request) => Response | Promise<Response>

const cpuOf = async (answer: Answer, address: string): Promise<number> => {
  const before = process.cpuUsage()
  for (let at = 0; at < requests; at++) {
    const response = await answer(new Request(address, { headers: { accept: "text/html" } }))
    await response.text()
    if (response.status !== 200) throw new Error(`${address} returned ${response.status}`)
  }
  const { system, user } = process.cpuUsage(before)
  return (user + system) / 1000 / requests
}

export const pages = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const trailbook = await createTrailbook({
    database: `sqlite:${join(folder, "pages.sqlite")}`,
    org: { name: "Bench River Co.", timezone: "America/Denver" },
    http: { surfaces: ["pages"] }
  })
  try {
    const names = Array.from({ length: 12 }, (_, at) => `Trip ${at}`)
    const offerings = []
    for (const name of names) {
      offerings.push(await trailbook.offerings.create({ name, kind: "appointment", duration_minutes: 60, capacity: 3 }))
    }
    const id = offerings[0]?.id ?? ""
    const { data: [start] } = await trailbook.availability.get({ id })
    const customer = { email: "ada@example.com", name: "Ada Lovelace" }
    const { handle } = await trailbook.bookings.create({ offering_id: id, starts_at: start?.starts_at ?? "", customer })
    const bare = new Hono().get("/", (c) => c.html("<!doctype html><title>Bench</title><h1>Bench River Co.</h1>"))
    const book = "http://127.0.0.1/book/bench-river-co"
    const subjects: ReadonlyArray<readonly [name: string, answer: Answer, address: string]> = [
      ["a bare Hono route", (request) => bare.fetch(request), "http://127.0.0.1/"],
      ["the offering list with 12 offerings", (request) => trailbook.handler(request), book],
      ["the calendar month with the start times of one day", (request) => trailbook.handler(request), `${book}/${id}`],
      ["the question form", (request) => trailbook.handler(request), `${book}/question`],
      ["the page for a guest's booking", (request) => trailbook.handler(request), `http://127.0.0.1/b/${handle}`]
    ]
    const costs = subjects.map((): Array<number> => [])
    for (let round = 0; round < rounds; round++) {
      for (const [at, [, answer, address]] of subjects.entries()) costs[at]?.push(await cpuOf(answer, address))
    }
    return subjects.map(([name], at) => {
      const what = `CPU time of ${name}`
      const cost = median(costs[at] ?? [])
      const figure = `${cost.toFixed(2)} ms`
      return at === 0
        ? { what, figure }
        : { what, figure, promise: { text: `at most ${most} ms of CPU time`, kept: cost <= most } }
    })
  } finally {
    await trailbook.close()
  }
}
