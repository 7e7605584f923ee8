/** Tests staff notifications, by email or by the host's notifier. */
import { createTrailbook, type Mail, type StaffNotification, type TrailbookOptions } from "trailbook"
import { describe, expect, it } from "vitest"
import { makeClock } from "./outfit.ts"

const hourMs = 3_600_000
const secret = "s".repeat(40)

const world = async (options: Pick<TrailbookOptions, "log" | "logLevel" | "notifier"> = {}) => {
  const clock = makeClock()
  const mails: Array<Mail> = []
  const trailbook = await createTrailbook({
    database: ":memory:",
    org: { name: "Salida River Co.", timezone: "America/Denver", email: "owner@example.com" },
    publicUrl: "https://salida.example",
    replies: { domain: "reply.salida.example", secret },
    mailer: { send: async (mail) => void mails.push(mail) },
    logLevel: "silent",
    clock,
    ...options
  })
  /** Sends a message to a guest, and receives a reply. */
  const guestWrites = async (words: string) => {
    const { id: customer_id } = await trailbook.customers.upsert({ email: "ada@example.com", name: "Ada" })
    await trailbook.messages.send({ customer_id, body: "Bring a towel." })
    await trailbook.worker.runOnce()
    const to = mails.findLast(({ to }) => to.email === "ada@example.com")?.replyTo?.email ?? ""
    await trailbook.handler(
      new Request(`https://salida.example/mail/in/${secret}`, {
        method: "POST",
        headers: { "content-type": "message/rfc822" },
        body:
          `From: Ada <ada@example.com>\r\nTo: ${to}\r\nSubject: Re\r\nMessage-ID: <1@example.com>\r\n\r\n${words}\r\n`
      })
    )
    await trailbook.worker.runOnce()
  }
  /** Fills a class's only session, so the automation opens another one. Returns the proposal. */
  const isFull = async (dial: "do_tell" | "do_quiet") => {
    const { id: offering_id } = await trailbook.offerings.create({ name: "Rafting", kind: "class", capacity: 1 })
    const starts_at = new Date(clock.at + 72 * hourMs).toISOString()
    const { data: [session] } = await trailbook.sessions.create({ offering_id, starts_at })
    const customer = { email: "ada@example.com", name: "Ada" }
    await trailbook.bookings.create({ offering_id, session_id: session?.id ?? "", customer })
    await trailbook.org.update({ quiet_from: null, quiet_to: null })
    await trailbook.automations.update({ automation: "fill", dial })
    for (let round = 0; round < 3; round++) await trailbook.worker.runOnce()
    const { data: [proposal] } = await trailbook.proposals.list({ automation: "fill" })
    return proposal
  }
  const toOwner = () => mails.filter(({ to }) => to.email === "owner@example.com")
  return { trailbook, clock, mails, guestWrites, isFull, toOwner }
}

const makeNotifier = (fails = 0) => {
  const notices: Array<StaffNotification> = []
  const notifier = {
    tell: async (notice: StaffNotification) => {
      notices.push(notice)
      if (notices.length <= fails) throw new Error("The chat is unavailable.")
    }
  }
  return { notices, notifier }
}

describe("the outfitter's staff", () => {
  it("are notified by email by default", async () => {
    const { guestWrites, isFull, toOwner, trailbook } = await world()
    await guestWrites("Which one?")
    expect(toOwner()).toMatchObject([{ subject: "New message from Ada", automatic: "generated" }])
    expect(toOwner()[0]?.text).toMatch(/^Which one\?\n/)
    expect(toOwner()[0]?.replyTo?.email).toMatch(/@reply\.salida\.example$/)
    expect(await isFull("do_tell")).toMatchObject({ status: "done", decided_by: "agent" })
    const [, pushed, ...others] = toOwner()
    expect(others).toEqual([])
    expect(pushed?.subject).toMatch(/^Opened automatically: Rafting on \w+, \w+ \d+$/)
    expect(pushed?.text).toContain("You are receiving this email because you have notifications turned on")
    expect(pushed?.html).toContain(">Open the proposal</a>")
    await trailbook.close()
  })

  it("are notified by the host's notifier instead of by email", async () => {
    const { notices, notifier } = makeNotifier()
    const { guestWrites, isFull, mails, toOwner, trailbook } = await world({ notifier })
    await guestWrites("Which one?")
    const proposal = await isFull("do_tell")
    expect(toOwner()).toEqual([])
    expect(mails.some(({ to }) => to.email === "ada@example.com")).toBe(true)
    expect(notices).toMatchObject([
      {
        about: "message",
        org: { name: "Salida River Co." },
        to: { email: "owner@example.com" },
        subject: "New message from Ada",
        text: "Which one?"
      },
      { about: "proposal", aboutId: proposal?.id, to: { email: "owner@example.com" }, replyTo: null }
    ])
    expect(notices[1]?.subject).toMatch(/^Opened automatically: /)
    await trailbook.close()
  })

  it("are not notified about agent actions in do_quiet mode", async () => {
    const { notices, notifier } = makeNotifier()
    const { isFull, trailbook } = await world({ notifier })
    expect(await isFull("do_quiet")).toMatchObject({ status: "done", decided_by: "agent" })
    expect(notices).toEqual([])
    await trailbook.close()
  })

  it("receive a failed notification again with the same ID", async () => {
    const { notices, notifier } = makeNotifier(1)
    const lines: Array<string> = []
    const { clock, guestWrites, trailbook } = await world({
      notifier,
      logLevel: "info",
      log: (line) => void lines.push(line)
    })
    await guestWrites("Which one?")
    expect(notices).toHaveLength(1)
    clock.at += 61_000
    await trailbook.worker.runOnce()
    expect(notices).toHaveLength(2)
    expect(notices[1]?.id).toBe(notices[0]?.id)
    expect(lines.join("\n")).not.toContain("The chat is unavailable")
    clock.at += 3_600_000
    await trailbook.worker.runOnce()
    expect(notices).toHaveLength(2)
    await trailbook.close()
  })
})

it("createTrailbook names the option in its error if the notifier is invalid", async () => {
  await expect(world({ notifier: {} as never })).rejects.toThrow("notifier: must be an object with tell()")
})
