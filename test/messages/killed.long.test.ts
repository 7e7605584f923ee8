/**
 * Kills a server and a worker five times per broadcast while they send broadcasts to hundreds of guests. Each guest
 * must get one message per broadcast, no email may be missing, and an email that is sent twice must keep its
 * Message-ID. The controls reset stored state at each kill and must message guests twice.
 */
import { setTimeout as wait } from "node:timers/promises"
import { createTrailbook } from "trailbook"
import { assert, it } from "vitest"
import { type ArrivedMail, postmaster } from "../../packages/mail/test/Postmaster.ts"
import { readAllPages } from "../reliability/everything.ts"
import { startServer, startWorker } from "../reliability/ServerProcess.ts"
import { countRows, execute } from "../reliability/statements.ts"
import { databases, sqlite, type Target } from "../reliability/Target.ts"
import { runs } from "../runs.ts"

const killsOfEach = 5
const guests = runs(300, 200, 200)
const broadcasts = runs(4, 2, 2)
/** One in 100 guests is erased, and one in 100 has an address that rejects mail. */
const isErased = (guest: number) => guest % 100 === 3
const isGone = (guest: number) => guest % 100 === 7
const few = guests / 100
const counts = { sent: guests - 2 * few, skipped: few, failed: few }

const org = { name: "Salida River Co.", timezone: "America/Denver" }
const publicUrl = "https://book.example"
const emailOf = (guest: number) => `${isGone(guest) ? "gone" : "guest"}.${guest}@example.com`

/** Creates a session that all guests have booked, and sends the emails about their bookings. */
const full = async (target: Target) => {
  const mailer = {
    send: ({ to: { email } }: { readonly to: { readonly email: string } }) =>
      email.startsWith("gone")
        ? Promise.reject(Object.assign(new Error("no such user"), { permanent: true }))
        : Promise.resolve()
  }
  const trailbook = await createTrailbook({ database: target.url, org, mailer, publicUrl, logLevel: "silent" })
  try {
    const { api_key: key } = await trailbook.keys.create({ name: "broadcast" })
    const { id: offering_id } = await trailbook.offerings.create({ name: "Rafting", kind: "class", capacity: guests })
    const starts_at = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 86_400_000).toISOString()
    const { data: [session] } = await trailbook.sessions.create({ offering_id, starts_at })
    const session_id = session?.id ?? ""
    const bookings = await Promise.all(
      Array.from(
        { length: guests },
        (_, guest) =>
          trailbook.bookings.create({ offering_id, session_id, customer: { email: emailOf(guest), name: "Ann Bell" } })
      )
    )
    for (const [guest, { customer_id }] of bookings.entries()) {
      if (isErased(guest)) await trailbook.customers.delete({ id: customer_id })
      if (isGone(guest)) await trailbook.messages.send({ customer_id, body: "Welcome." })
    }
    while (
      await countRows(target, (table) => `select count(*) as n from ${table("tasks")} where given_up_at is null`)
    ) {
      await trailbook.worker.runOnce()
    }
    return { key, session_id, customers: bookings.map(({ customer_id }) => customer_id) }
  } finally {
    await trailbook.close()
  }
}

/** Clears all task leases and makes all tasks due, as if minutes had passed. */
const minutesPass = (target: Target): Promise<void> =>
  execute(target, (table) => `update ${table("tasks")} set lease_until = null, due_at = 1 where given_up_at is null`)

const countTasks = (target: Target, kind: "broadcast" | "mail.message"): Promise<number> =>
  countRows(
    target,
    (table) => `select count(*) as n from ${table("tasks")} where given_up_at is null and kind = '${kind}'`
  )

/** Counts the broadcasts that are not yet fully written. */
const unwritten = (target: Target): Promise<number> =>
  countRows(target, (table) => `select count(*) as n from ${table("broadcasts")} where done_at is null`)

const headerOf = ({ raw }: ArrivedMail, name: string): string =>
  new RegExp(`^${name}: (.*)$`, "mi").exec(raw.toString("latin1"))?.[1]?.trim() ?? ""

/**
 * Resolves when the processes should be killed: during the first commits, or up to 250 ms after the first email has
 * arrived, while other emails are being sent.
 */
const died = async (target: Target, at: number, round: number, hasArrived: () => boolean): Promise<void> => {
  for (let commits = 0; commits < (round < 3 ? round + 1 : 1); commits++) await target.written()
  if (round < 3) return
  while (!hasArrived()) await wait(10)
  await wait(((at * killsOfEach + round) * 97) % 250)
}

interface Story {
  readonly broadcasts: number
  /** Changes the tables while no process is running. */
  readonly between?: (target: Target) => Promise<void>
}

/**
 * Sends the broadcasts while processes are killed. Returns the names of the failed checks, and how many kills
 * interrupted writing and how many interrupted mailing.
 */
const broadcastThroughKills = async (target: Target, { between = async () => {}, broadcasts }: Story) => {
  const bodies = Array.from({ length: broadcasts }, (_, at) => `The put-in has moved to Hecla Junction, mile ${at}.`)
  /** Returns the broadcast text in this email. */
  const saidIn = ({ raw }: ArrivedMail): string => bodies.find((body) => raw.includes(body)) ?? ""
  // Each email takes 30 ms, so that some are in transit at each kill.
  const server = await postmaster({ hideDSN: true, onArrived: () => wait(30) })
  try {
    const { customers, key, session_id } = await full(target)
    const environment = {
      TRAILBOOK_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      TRAILBOOK_MAIL_FROM: "bookings@salida.example",
      TRAILBOOK_REPLY_DOMAIN: "reply.salida.example"
    }
    const broadcast = async (url: string, body: string): Promise<unknown> => {
      const response = await fetch(`${url}/messages/broadcast`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ target: { session_id }, body })
      })
      return response.json()
    }
    const begin = () =>
      Promise.all([
        startServer(target.url, target.folder, { environment }),
        startWorker(target.url, target.folder, { environment })
      ])
    const wrong: Array<string> = []
    const expected = (what: string, is: unknown, should: unknown): void => {
      if (JSON.stringify(is) !== JSON.stringify(should)) wrong.push(what)
    }

    const cutShort = { writing: 0, mailing: 0 }
    for (const [at, body] of bodies.entries()) {
      for (let round = 0; round < killsOfEach; round++) {
        const before = server.arrived.length
        await minutesPass(target)
        const processes = await begin()
        const answer = broadcast(processes[0].url, body).catch(() => undefined)
        await Promise.race([died(target, at, round, () => server.arrived.length > before), wait(8000)])
        await Promise.all(processes.map(({ kill }) => kill()))
        await answer
        if ((await unwritten(target)) > 0) cutShort.writing++
        if (server.arrived.length > before && (await countTasks(target, "mail.message")) > 0) cutShort.mailing++
        await between(target)
      }
    }

    const processes = await begin()
    try {
      for (const body of bodies) expected("response", await broadcast(processes[0].url, body), counts)
      for (let attempt = 0; attempt < 180; attempt++) {
        const tasks = (await countTasks(target, "broadcast")) + (await countTasks(target, "mail.message"))
        if (tasks === 0) break
        if (attempt % 15 === 0) await minutesPass(target)
        await wait(1000)
      }
      // A repeated request returns the counts of the finished broadcast.
      for (const body of bodies) expected("response after the end", await broadcast(processes[0].url, body), counts)
    } finally {
      await Promise.all(processes.map(({ kill }) => kill()))
    }

    const trailbook = await createTrailbook({ database: target.url, org, mailer: "none", logLevel: "silent" })
    const messages = await readAllPages((cursor) => trailbook.messages.list({ limit: 500, ...cursor }))
    await trailbook.close()
    const recipients = customers.filter((_, guest) => !isErased(guest)).toSorted()
    const goneIds = customers.filter((_, guest) => isGone(guest)).toSorted()
    for (const body of bodies) {
      const sentMessages = messages.filter((message) => message.body === body)
      expected(
        "recipients of messages",
        sentMessages.map(({ customer_id }) => customer_id ?? "").toSorted(),
        recipients
      )
      const failedMessages = sentMessages.filter(({ failed_at }) => failed_at !== null)
      expected(
        "recipients of failed messages",
        failedMessages.map(({ customer_id }) => customer_id ?? "").toSorted(),
        goneIds
      )
      expected("delivered messages", sentMessages.filter((row) => row.delivered_at !== null).length, counts.sent)
    }
    const events = await countRows(
      target,
      (table) => `select count(*) as n from ${table("events")} where type = 'message.sent'`
    )
    expected("events", events, broadcasts * (counts.sent + counts.failed) + goneIds.length)

    const mails = new Map(server.arrived.map((mail) => [headerOf(mail, "Message-ID"), mail]))
    const reachedEmails = customers.flatMap((_, guest) => isErased(guest) || isGone(guest) ? [] : [emailOf(guest)])
    expected(
      "received mails",
      [...mails.values()].map((mail) => `${mail.to.join()} ${saidIn(mail)}`).toSorted(),
      bodies.flatMap((body) => reachedEmails.map((email) => `${email} ${body}`)).toSorted()
    )
    return { wrong, cutShort }
  } finally {
    await server.close()
    await target.close()
  }
}

it.each(databases("Postgres"))(
  "%s: sends a broadcast to each guest once despite kill -9",
  async (_, open) => {
    const { cutShort, wrong } = await broadcastThroughKills(await open(), { broadcasts })
    assert.deepStrictEqual(wrong, [])
    assert.isAtLeast(cutShort.writing, broadcasts - 1, "too few kills interrupted the creation of messages")
    assert.isAtLeast(cutShort.mailing, broadcasts - 1, "too few kills interrupted the sending of emails")
  },
  600_000
)

it("SQLite control: messages guests twice without deduplication", async () => {
  const { wrong } = await broadcastThroughKills(await sqlite(), {
    broadcasts: 1,
    between: (target) => execute(target, (table) => `update ${table("broadcasts")} set key = id`)
  })
  assert.includeMembers(wrong, ["recipients of messages", "received mails"])
}, 600_000)

it(
  "SQLite control: messages guests twice without stored progress and unique recipients",
  async () => {
    const { wrong } = await broadcastThroughKills(await sqlite(), {
      broadcasts: 1,
      between: (target) =>
        execute(
          target,
          (table) => `update ${table("broadcasts")} set after = '', done_at = null`,
          (table) => `update ${table("messages")} set broadcast_id = null`
        )
    })
    assert.includeMembers(wrong, ["recipients of messages", "received mails"])
  },
  600_000
)
